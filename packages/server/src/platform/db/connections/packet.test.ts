import { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createLog } from "../../log.js";
import { openDatabase, type Queries } from "../database.js";
import { sql } from "../sql.js";

const db = openDatabase({ url: inject("database_url"), log: createLog("silent"), connections_max: 1, prepared: true });
beforeAll(async () => void (await db.run(sql`create table packets (text text primary key)`)));
afterAll(async () => {
  await db.run(sql`drop table if exists packets, later`);
  await db.close();
});

const note = (text: string) => sql`insert into packets (text) values (${text})`;
const noted = async () =>
  (await db.many<{ text: string }>(sql`select packets.text from packets order by packets.text`)).map(
    ({ text }) => text,
  );

describe("statements that are asked in one go", () => {
  test("go out at once, are answered in their order, and each with its own rows", async () => {
    const wrote = vi.spyOn(Socket.prototype, "_write");
    const answers = await db.together(({ many, maybe, run }) =>
      Promise.all([
        many(sql`select n, n::text as text, n::bigint as big from generate_series(1, ${2}::int) as n`),
        maybe(sql`select 1 as one where ${false}::boolean`),
        run(sql`select from generate_series(1, ${3}::int)`),
        many(sql`select null::text as text, ${"ü€"}::text as other`),
      ]),
    );
    expect(wrote.mock.calls).toHaveLength(1);
    wrote.mockRestore();
    expect(answers).toEqual([
      [
        { n: 1, text: "1", big: 1 },
        { n: 2, text: "2", big: 2 },
      ],
      undefined,
      3,
      [{ text: null, other: "ü€" }],
    ]);
  });

  test("see what those before them did, each from its own turn on", async () => {
    const seen = await db.transaction(async (tx) => {
      const count = () => tx.one<{ count: number }>(sql`select count(*) as count from packets`);
      const [before, , after] = await Promise.all([count(), tx.run(note("seen")), count()]);
      return after.count - before.count;
    });
    expect(seen).toBe(1);
  });

  test("fail together: none is done, all are told the same, and the connection goes on", async () => {
    const before = await noted();
    const outcomes = await db.together(({ run }) =>
      Promise.allSettled([run(note("first")), run(sql`select 1 / ${0}::int`), run(note("third"))]),
    );
    expect(outcomes.map((one) => one.status === "rejected" && one.reason.code)).toEqual(["22012", "22012", "22012"]);
    expect(await noted()).toEqual(before);
  });
});

describe("a statement that failed", () => {
  const later = sql`select later.n from later`;
  test.each([
    ["when it was read", later, "42P01", sql`create table later (n int)`, 0],
    ["when it was done", note("again"), "23505", sql`delete from packets`, 1],
  ])(
    "%s may be asked again under its name, and so may what stood behind it",
    async (when, statement, code, mend, rows) => {
      await db.run(sql`drop table if exists later`);
      await db.run(sql`insert into packets (text) values ('again') on conflict do nothing`);
      const both = () =>
        db.together(({ run, one }) => Promise.all([run(statement), one(sql`select ${when}::text as behind`)]));
      await expect(both()).rejects.toMatchObject({ code });
      await expect(both()).rejects.toMatchObject({ code });
      await db.run(mend);
      expect(await both()).toEqual([rows, { behind: when }]);
    },
  );

  test("says whose it was, among those that fail with it", async () => {
    const asking = ({ run }: Queries, divisor: number) => run(sql`select 1 / ${divisor}::int`);
    const asks = (queries: Queries) => [
      (async function stoodBefore() {
        await asking(queries, 1);
      })(),
      (async function askedInVain() {
        await asking(queries, 0);
      })(),
      (async function stoodBehind() {
        await asking(queries, 2);
      })(),
    ];
    const outcomes = await db.together((queries) => Promise.allSettled(asks(queries)));
    const stacks = outcomes.map((one) => (one.status === "rejected" ? one.reason.stack : ""));
    for (const stack of stacks) {
      expect(stack).toContain("askedInVain");
      expect(stack).not.toContain("stood");
    }
  });
});

test("a number beyond what JavaScript counts fails its packet, and the connection goes on", async () => {
  const big = sql`select ${"9007199254740993"}::bigint as big`;
  await expect(db.together(({ one }) => Promise.all([one(sql`select 1 as one`), one(big)]))).rejects.toThrow("2^53");
  expect(await db.one(sql`select 1 as one`)).toEqual({ one: 1 });
});
