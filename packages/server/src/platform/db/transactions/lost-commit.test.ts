import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createLog } from "../../log.js";
import { openDatabase } from "../database.js";
import { migrate } from "../migrate.js";
import { sql } from "../sql.js";
import { assertCommitted, newToken, tokenOf } from "./lost-commit.js";
import { purgeTransactionTokens } from "./purge-tokens.js";

// A database of its own: the tokens of the whole run would be counted and purged with those of this file.
const log = createLog("silent");
const shared = openDatabase({ url: inject("database_url"), log, connections_max: 1, prepared: true });
await shared.run(sql`create database transaction_tokens`);
const own = new URL(inject("database_url"));
own.pathname = "transaction_tokens";
const url = own.href;
await migrate(url);
const db = openDatabase({ url, log, connections_max: 4, prepared: true });
afterAll(async () => {
  await db.close();
  await shared.run(sql`drop database transaction_tokens with (force)`);
  await shared.close();
});

describe("the token of a transaction", () => {
  const tokens = async () =>
    (await db.one<{ count: number }>(sql`select count(*) as count from transaction_tokens`)).count;
  const insertToken = (token: string) =>
    sql`insert into transaction_tokens (token, is_void, keys_as) values (${token}, false, 1)`;

  test("cannot be written by processes that lock the same keys in another way: they are told to begin anew", async () => {
    const asBefore = (token: string) => sql`insert into transaction_tokens (token, is_void) values (${token}, false)`;
    const by_others = db.transaction((tx) => tx.run(asBefore(newToken())));
    await expect(by_others).rejects.toMatchObject({
      cause: { code: "40001", hint: expect.stringContaining("Replace") },
    });
  });

  test("is written by whoever writes, and by nobody who only reads", async () => {
    const before = await tokens();
    await db.transaction((tx) => tx.one(sql`select pg_advisory_xact_lock(1), count(*) as count from projects`));
    expect(await tokens()).toBe(before);
    await db.transaction((tx) => tx.run(sql`select pg_current_xact_id()`));
    expect(await tokens()).toBe(before + 1);
  });

  describe("is written however the transaction wrote", () => {
    beforeAll(async () => {
      await db.run(sql`create table notes (text text)`);
      await db.run(sql`create sequence numbers`);
      await db.run(sql`insert into notes (text) values ('the first')`);
      await db.run(
        sql`create function note(text) returns void language sql volatile as 'insert into notes values ($1)'`,
      );
    });
    test.each([
      ["in a function that a select calls", sql`select note('a')`],
      ["in a part of a select", sql`with noted as (insert into notes (text) values ('b') returning 1) select 1`],
      ["behind a savepoint", sql`do $$ begin begin perform note('c'); exception when others then null; end; end $$`],
      ["a lock on a row", sql`select notes.text from notes where notes.text = 'the first' for update`],
      ["a number of a sequence", sql`select nextval('numbers')`],
    ])("%s", async (_, statement) => {
      const before = await tokens();
      await db.transaction((tx) => tx.run(statement));
      expect(await tokens()).toBe(before + 1);
    });
  });

  // Longer than the one that asks waits for a lock: it asks again, and the lock time-out is no answer.
  test.each([
    ["commits", 3_500],
    ["fails", 3_500],
    ["commits", 50],
    ["fails", 50],
  ])(
    "is waited for while its transaction is under way: it %s %i ms later, and that is the outcome",
    async (end, ms) => {
      const token = newToken();
      let is_written = false;
      const slow = db.transaction(async (tx) => {
        await tx.run(insertToken(token));
        is_written = true;
        await pause(ms);
        if (end === "fails") throw new Error("it fails");
      });
      slow.catch(() => undefined);
      await vi.waitUntil(() => is_written, 20_000);
      const outcome = await assertCommitted(url, token, 10_000).then(
        () => "commits",
        ({ code }) => (code === "40001" ? "fails" : code),
      );
      expect(outcome).toBe(end);
    },
  );

  test("is void once it was asked for in vain, for every later question and for the transaction itself", async () => {
    const token = newToken();
    const ask = () => assertCommitted(url, token, 1_000);
    await expect(ask()).rejects.toMatchObject({ code: "40001" });
    await expect(ask()).rejects.toMatchObject({ code: "40001" });
    await expect(db.run(insertToken(token))).rejects.toMatchObject({ code: "23505" });
  });

  test("keeps a COMMIT from taking place once it is void", async () => {
    const token = newToken();
    await expect(assertCommitted(url, token, 1_000)).rejects.toMatchObject({ code: "40001" });
    const late = new pg.Client({ connectionString: url });
    await late.connect();
    await late.query("create table late ()");
    await late.query("begin; insert into late default values");
    const { text, values } = tokenOf(token);
    await expect(late.query({ text, values: [...values] })).rejects.toMatchObject({ code: "23505" });
    await late.query("rollback");
    expect((await late.query("select from late")).rowCount).toBe(0);
    await late.end();
  });

  test("ends after an hour", async () => {
    const now = Date.now();
    await db.run(insertToken(newToken()));
    expect(await purgeTransactionTokens(db, now + 3_590_000)).toBe(false);
    expect(await tokens()).toBeGreaterThan(0);
    expect(await purgeTransactionTokens(db, now + 3_700_000)).toBe(false);
    expect(await tokens()).toBe(0);
  });
});
