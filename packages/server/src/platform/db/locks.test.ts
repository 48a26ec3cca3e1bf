import { afterAll, describe, expect, inject, test, vi } from "vitest";
import { createLog } from "../log.js";
import { openDatabase, type Tx } from "./database.js";
import { isHeld, type LockKey, lockKeys, lockNamed, tryKeys } from "./locks.js";
import { sql } from "./sql.js";

const log = createLog("silent");
const db = openDatabase({ url: inject("database_url"), log, connections_max: 6, prepared: true });
afterAll(() => db.close());

const project_id = "proj_locks";
const textOf = ({ kind, id }: LockKey) => `${kind}:${id}`;
const voucher = (id: string): LockKey => ({ project_id, kind: "voucher", id });
const counter = (id: string): LockKey => ({ project_id, kind: "counter", id });
const shared = (key: LockKey): LockKey => ({ ...key, shared: true });
const keys = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? voucher(`${i}`) : counter(`${i}`)));

/** By the server's order: the hashes of the keys' texts. */
async function inOrder(some: readonly LockKey[]): Promise<string[]> {
  const texts = some.map(textOf);
  const sorted = await db.many<{ text: string }>(sql`
    select asked.text from unnest(${texts}::text[]) as asked (text) order by hashtextextended(${`${project_id}\n`} || asked.text, 0)`);
  return sorted.map(({ text }) => text);
}

/** Which of the keys a connection holds, and how. */
async function heldBy(pid: number, some: readonly LockKey[]): Promise<Record<string, string>> {
  const held = await db.many<{ text: string; mode: string }>(sql`
    select asked.text, pg_locks.mode
      from unnest(${some.map(textOf)}::text[]) as asked (text)
      join pg_locks on (pg_locks.classid::bigint << 32) | pg_locks.objid::bigint = hashtextextended(${`${project_id}\n`} || asked.text, 0)
     where pg_locks.locktype = 'advisory' and pg_locks.granted and pg_locks.pid = ${pid}`);
  return Object.fromEntries(held.map(({ text, mode }) => [text, mode]));
}

const pidOf = async (tx: Tx) => (await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid;

/** What of the keys a transaction holds that waits for one of them, of which somebody else has that one. */
async function heldWhileWaitingFor(
  key: LockKey,
  lock: (tx: Tx) => Promise<unknown>,
  among: readonly LockKey[] = keys,
): Promise<string[]> {
  const held: string[] = [];
  let waiting: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await lockKeys(tx, [key]);
    let pid = 0;
    waiting = db.transaction(async (other) => {
      pid = await pidOf(other);
      await lock(other);
    });
    await vi.waitUntil(async () => {
      const { waits } = await db.one<{ waits: boolean }>(sql`
        select exists (select from pg_locks where pg_locks.pid = ${pid} and not pg_locks.granted) as waits`);
      return waits;
    }, 20_000);
    held.push(...Object.keys(await heldBy(pid, among)));
  });
  await waiting;
  return held;
}

/** What an empty table finds. */
const nothing = sql`select 'voucher:', 'alone' where false`;

/** Finds keys as a statement does that looks them up. */
const found = (some: readonly LockKey[], way: string) => sql`
  select found.text, ${way}::text from unnest(${some.map(textOf)}::text[]) as found (text)`;

describe("keys", () => {
  test("are held alone where anybody asks for that", async () => {
    const [first, second, third] = keys as [LockKey, LockKey, LockKey];
    const asked = [first, shared(second), second, shared(third), shared(third)];
    const held = await db.transaction(async (tx) => {
      await lockKeys(tx, asked);
      return heldBy(await pidOf(tx), keys);
    });
    expect(held).toEqual({
      [textOf(first)]: "ExclusiveLock",
      [textOf(second)]: "ExclusiveLock",
      [textOf(third)]: "ShareLock",
    });
  });

  test.each<[string, (tx: Tx) => Promise<unknown>]>([
    ["known", (tx) => lockKeys(tx, keys)],
    [
      "found",
      (tx) => lockNamed(tx, { project_id, known: keys.slice(0, 20), tried: [], found: found(keys.slice(20), "alone") }),
    ],
  ])("that are %s are taken in one order, whoever takes them", async (_, lock) => {
    const order = await inOrder(keys);
    const middle = keys.find((key) => textOf(key) === order[30]) as LockKey;
    expect(new Set(await heldWhileWaitingFor(middle, lock))).toEqual(new Set(order.slice(0, 30)));
  });
});

describe("keys that are found by names", () => {
  test("are held as they were found, beside those that were known, and told apart from those that are not", async () => {
    const [one, two, three, four] = [voucher("1"), voucher('it\'s "2"\n, {3}'), counter("3"), counter("4")];
    const locked = await db.transaction((tx) =>
      lockNamed(tx, {
        project_id,
        known: [two],
        tried: [four],
        found: sql`${found([one], "alone")} union all ${found([three], "shared")}`,
      }),
    );
    const asked = [one, shared(one), two, three, shared(three), voucher("3"), counter("1"), four];
    expect(asked.map((key) => locked && isHeld(locked.held, key))).toEqual([
      true,
      true,
      true,
      false,
      true,
      false,
      false,
      false,
    ]);
  });

  test("are alone where they are asked for both ways, and nobody shares first what they then want alone", async () => {
    const both = counter("both");
    const bothWays = (tx: Tx) =>
      lockNamed(tx, { project_id, known: [shared(both)], tried: [], found: found([both], "alone") });
    expect(await heldWhileWaitingFor(shared(both), bothWays, [both])).toEqual([]);
    const locked = await db.transaction(bothWays);
    expect(locked && isHeld(locked.held, both)).toBe(true);
  });

  test.each(["known before", "found"])(
    "are left alone where others have what was tried, %s: nothing is locked, and nobody waits",
    async (by) => {
      const tried = { project_id, kind: "order_in_use", id: `tried ${by}` } as const;
      const [known, other] = [voucher(`known ${by}`), voucher(`other ${by}`)];
      await db.transaction(async (holder) => {
        await lockKeys(holder, [known]);
        await tryKeys(holder, [tried]);
        await db.transaction(async (tx) => {
          const of_names = found([other], "alone");
          const asked =
            by === "found"
              ? { tried: [], found: sql`${of_names} union all ${found([tried], "tried")}` }
              : { tried: [tried], found: of_names };
          expect(await lockNamed(tx, { project_id, known: [known], ...asked })).toBeUndefined();
          expect(await heldBy(await pidOf(tx), [known, other])).toEqual({});
        });
      });
    },
  );

  test("are none where nothing is found and nothing known", async () => {
    const none = { project_id, known: [], tried: [], found: nothing };
    expect(await db.transaction((tx) => lockNamed(tx, none))).toBeUndefined();
  });
});
