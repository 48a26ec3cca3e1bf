import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { describe, expect, inject, test } from "vitest";
import { createLog } from "../log.js";
import { openDatabase } from "./database.js";
import { isPassing, Unavailable } from "./database-errors.js";
import { sql } from "./sql.js";

const log = createLog("silent");
const told = (code: string) => Object.assign(new Error("as the server says it"), { code });

describe("what may be otherwise in a while is no fault of the request", () => {
  test.each([
    ["08006", "the connection failed"],
    ["40001", "another transaction was first"],
    ["53100", "the disk is full"],
    ["53200", "the memory is full"],
    ["53300", "too many connections"],
    ["57P01", "the server is being stopped"],
    ["57P03", "the server is starting up"],
    ["55P03", "a lock was not to be had"],
    ["57014", "the statement took too long"],
    ["28P01", "the password is being changed"],
    ["3D000", "the database is being restored"],
    ["25006", "the server has become a standby"],
    ["58030", "the disk fails"],
    ["ECONNREFUSED", "nobody listens"],
    ["ECONNRESET", "cut off"],
    ["ENOTFOUND", "the name is unknown"],
    ["EMFILE", "no file is left"],
  ])("%s: %s", (code) => expect(isPassing(told(code))).toBe(true));

  test.each([
    "timeout exceeded when trying to connect",
    "timeout expired",
    "Connection terminated unexpectedly",
    "Connection terminated due to connection timeout",
    "Client has encountered a connection error and is not queryable",
    "Client was closed and is not queryable",
  ])("%s", (text) => expect(isPassing(new Error(text))).toBe(true));

  test.each(["22001", "22P05", "23505", "23514", "42P01", "54000", "08P01", ""])("but %j is", (code) =>
    expect(isPassing(told(code))).toBe(false),
  );
});

describe("a database that cannot be reached is told as unavailable by a statement, reads together and a transaction", () => {
  const elsewhere = (change: (url: URL) => void) => {
    const url = new URL(inject("database_url"));
    change(url);
    return url.href;
  };
  const ask = sql`select 1 as one`;

  test.each([
    ["because nobody listens", elsewhere((url) => (url.port = "1"))],
    ["because the password is another", elsewhere((url) => (url.password = "hush"))],
    ["because the database is not there", elsewhere((url) => (url.pathname = "nowhere"))],
  ])("%s", async (_, url) => {
    const db = openDatabase({ url, log, connections_max: 2, prepared: true });
    await expect(db.one(ask)).rejects.toThrow(Unavailable);
    await expect(db.together((queries) => queries.one(ask))).rejects.toThrow(Unavailable);
    await expect(db.transaction((tx) => tx.one(ask))).rejects.toThrow(Unavailable);
    await db.close();
  });

  test("because it has no connection left", async () => {
    const url = inject("database_url");
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query("create role crowded login password 'crowded' connection limit 0");
    const db = openDatabase({
      url: elsewhere((as) => Object.assign(as, { username: "crowded", password: "crowded" })),
      log,
      connections_max: 2,
      prepared: true,
    });
    await expect(db.one(ask)).rejects.toThrow(Unavailable);
    await expect(db.transaction((tx) => tx.one(ask))).rejects.toThrow(Unavailable);
    await db.close();
    await admin.query("drop role crowded");
    await admin.end();
  });

  test("because a statement takes longer than it may; the next one on the same connection does not", async () => {
    const url = inject("database_url");
    const db = openDatabase({ url, log, connections_max: 1, prepared: true, statement_ms_max: 200 });
    const long = sql`select pg_sleep(10)`;
    await expect(db.one(long)).rejects.toThrow(Unavailable);
    await expect(db.together((queries) => queries.one(long))).rejects.toThrow(Unavailable);
    expect(await db.one(ask)).toEqual({ one: 1 });
    await db.close();
  });

  test("because an answer does not come, where a pooler has kept the bound from the server", async () => {
    const db = openDatabase({
      url: inject("database_url"),
      log,
      connections_max: 1,
      prepared: true,
      statement_ms_max: 400,
    });
    const long = sql`select pg_sleep(10)`;
    await db.run(sql`set statement_timeout = 0`);
    await expect(db.one(long)).rejects.toThrow(Unavailable);
    await db.run(sql`set statement_timeout = 0`);
    await expect(db.together((queries) => queries.one(long))).rejects.toThrow(Unavailable);
    expect(await db.one(ask)).toEqual({ one: 1 });
    await db.close();
  });

  test("not because it was asked nothing for as long", async () => {
    const url = inject("database_url");
    const db = openDatabase({ url, log, connections_max: 1, prepared: true, statement_ms_max: 100 });
    const connection = () => db.one(sql`select pg_backend_pid() as pid`);
    const first = await connection();
    await pause(400);
    expect(await connection()).toEqual(first);
    // Its clock has rung meanwhile, and goes on.
    await db.run(sql`set statement_timeout = 0`);
    await expect(db.one(sql`select pg_sleep(10)`)).rejects.toThrow(Unavailable);
    await db.close();
  });

  test("because a statement outside of transactions took too long, or the disk is full", async () => {
    const db = openDatabase({ url: inject("database_url"), log, connections_max: 1, prepared: true });
    for (const code of ["57014", "53100"]) {
      const text = `do $$ begin raise exception 'no' using errcode = '${code}'; end $$`;
      const statement = { ...sql``, text, values: [], name: undefined };
      await expect(db.run(statement)).rejects.toThrow(Unavailable);
      await expect(db.together((queries) => queries.run(statement))).rejects.toThrow(Unavailable);
      await expect(db.transaction((tx) => tx.run(statement))).rejects.toThrow(Unavailable);
    }
    await db.close();
  });
});

test("a transaction fails with what failed first, though a statement sent behind it be heard of before", async () => {
  const db = openDatabase({ url: inject("database_url"), log, connections_max: 1, prepared: true });
  const text = "do $$ begin raise exception 'no room' using errcode = '53100'; end $$";
  const failing = { ...sql``, text, values: [], name: undefined };
  const both = db.transaction((tx) =>
    Promise.all([
      tx.run(failing).catch((error) => pause(20).then(() => Promise.reject(error))),
      tx.one(sql`select 1 as one`),
    ]),
  );
  await expect(both).rejects.toThrow(Unavailable);
  await db.close();
});
