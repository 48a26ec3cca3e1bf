import { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { createLog } from "../../log.js";
import { type Database, openDatabase, type Tx } from "../database.js";
import { migrate } from "../migrate.js";
import { exactly, sql } from "../sql.js";

// A database of its own: its defaults are changed.
const log = createLog("silent");
const open = (url: string) => openDatabase({ url, log, connections_max: 1, prepared: true, lock_ms_max: 50 });
const shared = open(inject("database_url"));
await shared.run(sql`create database transactions`);
const url = new URL(inject("database_url"));
url.pathname = "transactions";
await migrate(url.href);
const db = open(url.href);
const other = open(url.href);
await db.run(sql`create table notes (text text primary key)`);
afterAll(async () => {
  await Promise.all([db.close(), other.close()]);
  await shared.run(sql`drop database transactions with (force)`);
  await shared.close();
});

const note = (text: string) => sql`insert into notes (text) values (${text})`;
const noted = async () =>
  (await other.many<{ text: string }>(sql`select notes.text from notes`)).map(({ text }) => text);
beforeEach(async () => void (await other.run(sql`truncate notes`)));

describe("a transaction", () => {
  const ways = sql`select current_setting('transaction_isolation') as isolation, current_setting('synchronous_commit') as commit`;
  const waysOf = async (of: Database) => ({
    outside: await of.one(ways),
    inside: await of.transaction((tx) => tx.one(ways)),
  });

  test("reads what others committed and is on disk when it is answered, whatever is usual in the database", async () => {
    await db.run(sql`alter database transactions set default_transaction_isolation = 'repeatable read'`);
    await db.run(sql`alter database transactions set synchronous_commit = off`);
    const changed = open(url.href);
    expect(await waysOf(changed)).toEqual({
      outside: { isolation: "repeatable read", commit: "off" },
      inside: { isolation: "read committed", commit: "on" },
    });
    await changed.close();
  });

  test("leaves a stricter way to commit as it is", async () => {
    await db.run(sql`alter database transactions set synchronous_commit = remote_apply`);
    const changed = open(url.href);
    expect((await waysOf(changed)).inside).toMatchObject({ commit: "remote_apply" });
    await changed.close();
  });

  test("sends in one packet what it asks in one go", async () => {
    const wrote = vi.spyOn(Socket.prototype, "_write");
    await db.transaction((tx) => Promise.all(["a", "b", "c"].map((text) => tx.run(note(text)))));
    // BEGIN goes with the three, and the token with COMMIT.
    expect(wrote.mock.calls).toHaveLength(2);
    wrote.mockRestore();
    expect(await noted()).toHaveLength(3);
  });

  test("sends what comes last in one packet with the COMMIT", async () => {
    const wrote = vi.spyOn(Socket.prototype, "_write");
    await db.transaction(async (tx) => {
      await tx.run(note("first"));
      wrote.mockClear();
      tx.send([note("second")]);
      tx.send([note("third")]);
    });
    expect(wrote.mock.calls).toHaveLength(1);
    wrote.mockRestore();
    expect(await noted()).toEqual(["first", "second", "third"]);
  });

  test("has the server begin with what is flushed, in the packet that ends with the COMMIT", async () => {
    const sent: string[] = [];
    const wrote = vi.spyOn(Socket.prototype, "_write");
    const texts = ["second", "third"];
    const meanwhile = vi.fn();
    await db.transaction(async (tx) => {
      await tx.run(note("first"));
      wrote.mockClear();
      for (const text of texts) {
        tx.flush();
        tx.send([note(text)]);
      }
      tx.meanwhile(() => {
        sent.push(...wrote.mock.calls.map(([bytes]) => String(bytes)));
        meanwhile();
      });
      expect(meanwhile).not.toHaveBeenCalled();
    });
    wrote.mockRestore();
    expect(meanwhile).toHaveBeenCalledTimes(1);
    const syncs = sent.map((bytes) => bytes.endsWith("S\0\0\0\u0004"));
    expect(syncs).toEqual([false, true]);
    expect(await noted()).toEqual(["first", ...texts]);
  });

  test("of which the second of three last statements fails writes none, says why, and leaves the connection to others", async () => {
    const failing = db.transaction(async (tx) => tx.send(["once", "once", "never"].map(note)));
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    await db.run(note("kept"));
    expect(await noted()).toEqual(["kept"]);
  });

  test("that has failed writes nothing more, though a branch of its work goes on", async () => {
    let going_on: Promise<unknown> | undefined;
    const failing = db.transaction(async (tx) => {
      going_on = pause(50).then(() => tx.run(note("on its own")));
      await Promise.all([going_on, Promise.reject(new Error("it fails"))]);
    });
    await expect(failing).rejects.toThrow("it fails");
    await expect(going_on).rejects.toThrow("it fails");
    expect(await noted()).toEqual([]);
  });

  test("that has committed writes nothing more, though its work did not wait for all of it", async () => {
    let going_on: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await tx.run(note("in time"));
      going_on = pause(50).then(() => tx.run(note("too late")));
      going_on.catch(() => undefined);
    });
    await expect(going_on).rejects.toThrow("the transaction has ended");
    expect(await noted()).toEqual(["in time"]);
  });

  test("whose work hides that a statement failed is not answered, and wrote nothing", async () => {
    const hiding = db.transaction(async (tx) => {
      await tx.run(note("once"));
      await tx.run(note("once")).catch(() => undefined);
    });
    await expect(hiding).rejects.toMatchObject({ code: "25P02" });
    expect(await noted()).toEqual([]);
  });

  test.each<[string, (tx: Tx) => Promise<unknown>]>([
    ["its work", () => Promise.reject(new Error("it fails"))],
    ["a statement", (tx) => tx.run(note("lost"))],
    [
      "its work, behind a statement that fails with it",
      async (tx) => {
        tx.send([note("lost")]);
        throw new Error("it fails");
      },
    ],
    ["a lock that it does not get", (tx) => tx.run(sql`select pg_advisory_xact_lock(77)`)],
  ])("that fails by %s leaves a connection on which what comes next is kept, alone", async (_, fail) => {
    const connection = () => db.one(sql`select pg_backend_pid() as pid`);
    const before = await connection();
    await other.run(sql`select pg_advisory_lock(77)`);
    const failing = db.transaction(async (tx) => {
      await tx.run(note("lost"));
      await fail(tx);
    });
    await expect(failing).rejects.toThrow();
    await other.run(sql`select pg_advisory_unlock(77)`);
    await db.run(note("kept"));
    expect(await connection()).toEqual(before);
    expect(await noted()).toEqual(["kept"]);
  });
});

describe("a statement that must touch so many rows", () => {
  test("of a transaction that ends with it fails all of it otherwise, and says what is missing", async () => {
    const touching = (rows: number) =>
      db.transaction(async (tx) => {
        await tx.run(note("before"));
        const change = sql`update notes set text = notes.text || '!' where notes.text = 'before'`;
        tx.send([exactly(rows, "notes that were there", change), note("behind")]);
      });
    await expect(touching(2)).rejects.toThrow("notes that were there: 1 instead of 2");
    expect(await noted()).toEqual([]);
    await touching(1);
    expect((await noted()).sort()).toEqual(["before!", "behind"]);
  });
});
