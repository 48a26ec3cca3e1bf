import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NobodyWaits, Unavailable } from "../database-errors.js";
import { type Taker, Turnstile, type TurnstileOptions } from "./turnstile.js";

const settled = () => new Promise(setImmediate);

/** A turnstile that notes who came in, in their order. */
function watched(options: TurnstileOptions) {
  const turnstile = new Turnstile(options);
  const inside: Taker[] = [];
  return {
    waiting: () => turnstile.waiting,
    inside,
    /** Comes in now or later. */
    come: (taker: Taker) =>
      turnstile.enter(taker).then(
        () => inside.push(taker),
        // Whom no test lets in gives up in the end.
        () => undefined,
      ),
    async go(taker: Taker) {
      inside.splice(inside.indexOf(taker), 1);
      turnstile.leave(taker);
      await settled();
    },
  };
}

describe("connections are shared", () => {
  test("so that a project alone leaves a quarter free", async () => {
    const { come, inside, waiting } = watched({ places: 8 });
    for (let i = 0; i < 20; i += 1) void come("a");
    await settled();
    expect(inside).toHaveLength(6);
    expect(waiting()).toBe(14);
    await come("b");
    expect(inside.filter((taker) => taker === "b")).toHaveLength(1);
  });

  test("so that none has more than half while others wait, and they take turns", async () => {
    const { come, go, inside } = watched({ places: 4 });
    for (const taker of ["a", "a", "a", "a", "a", "a", "b", "b", "b"]) void come(taker);
    await settled();
    expect(inside).toEqual(["a", "a", "a", "b"]);
    await go("a");
    expect(inside).toEqual(["a", "a", "b", "b"]);
    await go("b");
    expect(inside).toEqual(["a", "a", "b", "b"]);
  });

  test("whatever comes and goes: everybody is served, and never more than there are places", async () => {
    const moves = fc.array(fc.record({ taker: fc.constantFrom("a", "b", "c", null), comes: fc.boolean() }), {
      maxLength: 200,
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), moves, async (places, all) => {
        const { come, go, inside, waiting } = watched({ places });
        let came = 0;
        let served = 0;
        for (const { taker, comes } of all) {
          if (comes) void come(taker).then(() => (served += 1));
          else if (inside.length > 0) await go(inside[0] as Taker);
          came += comes ? 1 : 0;
          await settled();
          expect(inside.length).toBeLessThanOrEqual(places);
        }
        while (inside.length > 0) {
          await go(inside[0] as Taker);
          await settled();
        }
        expect([served, waiting()]).toEqual([came, 0]);
      }),
    );
  });
});

describe("a wait for a connection", () => {
  test("ends when it has taken too long, and the next one is served", async () => {
    const turnstile = new Turnstile({ places: 1, wait_ms_max: 20 });
    await turnstile.enter("a");
    await expect(turnstile.enter("b")).rejects.toThrow(Unavailable);
    turnstile.leave("a");
    await turnstile.enter("b");
  });

  test("is refused where too many wait", async () => {
    const turnstile = new Turnstile({ places: 1, waiting_max: 2, wait_ms_max: 20 });
    void turnstile.enter("a");
    const both = [turnstile.enter("a"), turnstile.enter("a")].map((one) => expect(one).rejects.toThrow(Unavailable));
    await expect(turnstile.enter("a")).rejects.toThrow(Unavailable);
    expect(turnstile.waiting).toBe(2);
    await Promise.all(both);
  });

  test("ends when the client hangs up", async () => {
    const turnstile = new Turnstile({ places: 1 });
    void turnstile.enter("a");
    const client = new AbortController();
    const turn = turnstile.enter("b", client.signal);
    client.abort();
    await expect(turn).rejects.toThrow(NobodyWaits);
    expect(turnstile.waiting).toBe(0);
  });
});
