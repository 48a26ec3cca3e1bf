import fc from "fast-check";
import { expect, test } from "vitest";
import { type Patience, type Reason, Room } from "./room.js";

const refusal = (reason: Reason) => new Error(reason);
const patient: Patience = { ms: 10_000, refusal };

/** Asks for room, and says who was let in, in their order. */
function asking(room: Room) {
  const entered: string[] = [];
  const enter = (owner: string, amount: number, name = owner, patience = patient) => {
    const entering = room.enter(owner, amount, patience).then(() => void entered.push(name));
    // Whom no test lets in gives up in the end.
    entering.catch(() => undefined);
    return entering;
  };
  return { entered, enter };
}
const settled = () => new Promise((go) => setImmediate(go));

test("one owner has half, all together no more than there is, and whoever is alone whatever it asks for", () => {
  const room = new Room({ most: 10 });
  expect(room.take("a", 50)).toBe(true);
  expect(room.take("a", 1)).toBe(false);
  expect(room.take("b", 1)).toBe(false);
  room.change("a", -50);
  expect([room.take("a", 3), room.take("a", 3), room.take("a", 2)]).toEqual([true, false, true]);
  expect([room.take("b", 5), room.take("c", 1)]).toEqual([true, false]);
});

test("who waits is let in when there is room, those of other owners in turn", async () => {
  const room = new Room({ most: 4 });
  const { entered, enter } = asking(room);
  room.take("x", 2);
  room.take("y", 2);
  for (const name of ["a1", "a2", "b1"]) void enter(name.slice(0, 1), 2, name);
  room.change("x", -2);
  room.change("y", -2);
  await settled();
  expect(entered).toEqual(["a1", "b1"]);
  room.change("a", -2);
  await settled();
  expect(entered).toEqual(["a1", "b1", "a2"]);
});

test("an owner whose half is full keeps nobody waiting; the first who needs more than is left does, and comes first", async () => {
  const room = new Room({ most: 8 });
  const { entered, enter } = asking(room);
  room.take("a", 4);
  void enter("a", 1, "full");
  await enter("b", 3);
  void enter("c", 4);
  void enter("d", 1);
  await settled();
  expect(entered).toEqual(["b"]);
  room.change("b", -3);
  await settled();
  expect(entered).toEqual(["b", "c"]);
  room.change("a", -1);
  await settled();
  expect(entered).toEqual(["b", "c", "full"]);
});

test("who gives up is let in no more, and is in nobody's way", async () => {
  const room = new Room({ most: 4 });
  const { entered, enter } = asking(room);
  room.take("a", 2);
  room.take("x", 1);
  const leaving = new AbortController();
  const gone = enter("b", 2, "b", { ...patient, gone: leaving.signal });
  void enter("c", 1);
  leaving.abort();
  await expect(gone).rejects.toThrow("gone");
  expect(entered).toEqual(["c"]);
  await expect(room.enter("d", 2, { ...patient, gone: AbortSignal.abort() })).rejects.toThrow("gone");
  room.change("x", -1);
  expect(room.take("d", 2)).toBe(false);
  room.change("c", -1);
  expect(room.take("d", 2)).toBe(true);
});

test("nobody waits longer than they have patience for, and so many of one owner at most", async () => {
  const room = new Room({ most: 4, waiting_max: 2 });
  room.take("a", 2);
  const hasty = () => expect(room.enter("a", 1, { ms: 5, refusal })).rejects.toThrow("late");
  const waiting = [hasty(), hasty()];
  await expect(room.enter("a", 1, patient)).rejects.toThrow("crowded");
  await room.enter("b", 1, patient);
  await Promise.all(waiting);
  expect(room.waiting).toBe(0);
});

test("an owner may have more while nobody else waits", async () => {
  const room = new Room({ most: 4, most_alone: 3 });
  const { entered, enter } = asking(room);
  for (const name of ["a1", "a2", "a3", "a4"]) void enter("a", 1, name);
  void enter("b", 2);
  await settled();
  expect(entered).toEqual(["a1", "a2", "a3"]);
  room.change("a", -1);
  await settled();
  expect(entered).toEqual(["a1", "a2", "a3", "b"]);
  room.change("a", -1);
  await settled();
  expect(entered).toEqual(["a1", "a2", "a3", "b", "a4"]);
});

test("whatever comes and goes, no more is taken than there is, and everybody is let in at last", async () => {
  const wish = fc.record({ owner: fc.constantFrom("a", "b", "c"), amount: fc.integer({ min: 1, max: 5 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(wish, { maxLength: 30 }), async (wishes) => {
      const room = new Room({ most: 10 });
      const inside: typeof wishes = [];
      let let_in = 0;
      for (const one of wishes)
        void room.enter(one.owner, one.amount, patient).then(() => {
          inside.push(one);
          let_in += 1;
        });
      for (let i = 0; i <= wishes.length; i += 1) {
        await settled();
        const sum = (of: typeof wishes) => of.reduce((total, { amount }) => total + amount, 0);
        expect(sum(inside)).toBeLessThanOrEqual(10);
        for (const own of ["a", "b", "c"])
          expect(sum(inside.filter(({ owner }) => owner === own))).toBeLessThanOrEqual(5);
        const [first] = inside.splice(0, 1);
        if (first) room.change(first.owner, -first.amount);
      }
      expect(let_in).toBe(wishes.length);
    }),
    { numRuns: 50 },
  );
});
