import { createHash } from "node:crypto";
import { afterAll, expect, inject, test } from "vitest";
import { createLog } from "../log.js";
import { openDatabase } from "./database.js";
import { type LockKey, lockKeys } from "./locks.js";
import { sql } from "./sql.js";

const log = createLog("silent");
const db = openDatabase({ url: inject("database_url"), log, connections_max: 1, prepared: true });
afterAll(() => db.close());

/** What processes of every version take for a key. */
const numberOf = ({ project_id, kind, id }: LockKey) =>
  createHash("sha1").update(`${project_id}\n${kind}\n${id}`).digest().readBigInt64BE(0);

const keys = Array.from(
  { length: 60 },
  (_, i): LockKey => ({
    project_id: "proj_locks",
    kind: i % 2 === 0 ? "voucher" : "customer",
    id: `${i}`,
  }),
);

test("keys are held under the numbers that other versions know them by, and alone where anybody asks for that", async () => {
  const [first, second, third] = keys as [LockKey, LockKey, LockKey];
  const asked = [first, { ...second, shared: true }, second, { ...third, shared: true }, { ...third, shared: true }];
  const held = await db.transaction(async (tx) => {
    await lockKeys(tx, asked);
    return tx.many<{ number: string; mode: string }>(sql`
      select ((pg_locks.classid::bigint << 32) | pg_locks.objid::bigint)::text as number, pg_locks.mode
        from pg_locks
       where pg_locks.locktype = 'advisory' and pg_locks.pid = pg_backend_pid()`);
  });
  const expected = [first, second, third].map((key) => ({
    number: String(numberOf(key)),
    mode: key === third ? "ShareLock" : "ExclusiveLock",
  }));
  expect(new Set(held)).toEqual(new Set(expected));
});

test("keys are taken in the order of their numbers, those below zero first", async () => {
  const taken: string[] = [];
  await db.transaction(async (tx) => {
    await lockKeys({ ...tx, goFor: (names) => void taken.push(...names) }, keys);
  });
  const numbers = keys.map(numberOf).sort((a, b) => (a < b ? -1 : 1));
  expect(taken).toEqual(numbers.map(String));
});
