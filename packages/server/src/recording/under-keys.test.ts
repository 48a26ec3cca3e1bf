import { describe, expect, test, vi } from "vitest";
import { aContextApart } from "../../test/harness/database.js";
import type { Tx } from "../platform/db/database.js";
import { HeldTooLittle } from "../platform/db/database-errors.js";
import { type LockKey, lockNamed } from "../platform/db/locks.js";
import { sql } from "../platform/db/sql.js";
import { holding, readUnderKeys, underKeys } from "./under-keys.js";

const keyOf = (id: string): LockKey => ({ project_id: "proj_a", kind: "name", id });

/** Names that mean something, which others may change. */
async function aDirectory() {
  const { db } = await aContextApart();
  await db.run(sql`create table directory (name text primary key, id text not null, hits int not null default 0)`);
  await db.run(sql`insert into directory (name, id) values ('it', 'one')`);
  let looked_up = 0;
  const find = (tx: Tx) =>
    tx.one<{ id: string; hits: number }>(
      sql`-- every project: of this test alone
        select directory.id, directory.hits from directory where directory.name = 'it'`,
    );
  return {
    db,
    find,
    lock: (tx: Tx) =>
      readUnderKeys(
        tx,
        () => find(tx),
        ({ id }) => [keyOf(id)],
      ),
    /** In one statement, by the name. */
    lockAtOnce: (tx: Tx, { finds = "name:" } = {}) =>
      underKeys(tx, {
        lockNamed: () =>
          lockNamed(tx, {
            project_id: "proj_a",
            known: [],
            tried: [],
            found: sql`-- every project: of this test alone
              select ${finds} || directory.id, 'alone' from directory where directory.name = 'it' and ${finds} <> 'nothing'`,
          }),
        resolve: async () => {
          looked_up += 1;
          return find(tx);
        },
        keysOf: ({ id }) => [keyOf(id)],
        read: () => find(tx),
      }),
    lookedUp: () => looked_up,
    /** Whether some connection waits for a key. */
    someWait: async () =>
      (
        await db.one<{ waiting: boolean }>(
          sql`select exists (select from pg_locks where pg_locks.locktype = 'advisory' and not pg_locks.granted
                and pg_locks.database = (select oid from pg_database where datname = current_database())) as waiting`,
        )
      ).waiting,
  };
}

describe.each(["lock", "lockAtOnce"] as const)("what is read under keys that are taken by %s", (way) => {
  test("is read anew when its name means something else once the key is held", async () => {
    const { db, someWait, ...directory } = await aDirectory();
    const found: string[] = [];
    let tries = 0;
    let second: Promise<void> | undefined;
    await db.transaction(async (first) => {
      await directory.lock(first);
      second = db.transaction(async (tx) => {
        tries += 1;
        found.push((await directory[way](tx)).id);
      });
      await vi.waitFor(async () => expect(await someWait()).toBe(true), 20_000);
      await first.run(sql`update directory set id = 'two' where directory.name = 'it'`);
    });
    await second;
    expect(found).toEqual(["two"]);
    expect(tries).toBe(2);
  });

  test("is as new as the lock, not as the wait for it: of two that add neither is lost", async () => {
    const { db, find, ...directory } = await aDirectory();
    const add = async (tx: Tx) => {
      const { hits } = await directory[way](tx);
      await tx.run(sql`update directory set hits = ${hits + 1} where directory.name = 'it'`);
    };
    await Promise.all(Array.from({ length: 12 }, () => db.transaction(add)));
    expect((await db.transaction(find)).hits).toBe(12);
    expect(directory.lookedUp()).toBe(0);
  });

  test("is asked for behind the lock, which the server has been sent by then", async () => {
    const { db, ...directory } = await aDirectory();
    const asked: string[] = [];
    await db.transaction((tx) =>
      directory[way]({
        ...tx,
        one(statement) {
          asked.push(statement.text.includes("pg_advisory_xact_lock") ? "lock" : "read");
          return tx.one(statement);
        },
        flush() {
          asked.push("sent");
          tx.flush();
        },
      }),
    );
    expect(asked.slice(-3)).toEqual(["lock", "sent", "read"]);
  });
});

test("what is read may be read under keys that are known from the start", async () => {
  const { db, find } = await aDirectory();
  const add = async (tx: Tx) => {
    const { hits } = await holding(tx, [keyOf("known")], () => find(tx));
    await tx.run(sql`update directory set hits = ${hits + 1} where directory.name = 'it'`);
  };
  await Promise.all(Array.from({ length: 12 }, () => db.transaction(add)));
  expect((await db.transaction(find)).hits).toBe(12);
});

describe("what is found and locked at once", () => {
  test("is not decided on where another key is needed than was found", async () => {
    const { db, lockAtOnce } = await aDirectory();
    const with_too_little = db.transaction((tx) => lockAtOnce(tx, { finds: "voucher:" }));
    await expect(with_too_little).rejects.toMatchObject({ cause: expect.any(HeldTooLittle) });
  });

  test("is looked up first where nothing could be locked so, in the same try", async () => {
    const { db, lockAtOnce, lookedUp } = await aDirectory();
    let tries = 0;
    const found = await db.transaction((tx) => {
      tries += 1;
      return lockAtOnce(tx, { finds: "nothing" });
    });
    expect([found.id, lookedUp(), tries]).toEqual(["one", 1, 1]);
  });
});
