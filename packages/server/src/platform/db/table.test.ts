import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import type { Tx } from "./database.js";
import { plannedEachTime, sql } from "./sql.js";
import {
  bool,
  date,
  insertAlike,
  insertInto,
  int4s,
  int8,
  json,
  jsonb,
  sets,
  table,
  text,
  timestamptz,
  upsertInto,
} from "./table.js";

const { context } = await startService();

interface Coin {
  id: string;
  face: string;
  back: string;
  value: number | null;
  is_rare: boolean;
  struck: string | null;
  days: readonly number[] | null;
  notes: Record<string, unknown> | null;
  letter: unknown;
  found_at: number;
}

const coins = table<Coin>("coins", {
  id: text,
  face: text,
  back: text,
  value: int8,
  is_rare: bool,
  struck: date,
  days: int4s,
  notes: jsonb,
  letter: json,
  found_at: timestamptz,
});

const noon = Date.parse("2026-03-02T12:00:00.123Z");
const aCoin = (id: string, more: Partial<Coin> = {}): Coin => ({
  id,
  face: "queen",
  back: 'a "ship", {at sea} \\ and more',
  value: 200,
  is_rare: false,
  struck: "1999-12-31",
  days: [1, 0, 6],
  notes: { worn: ["a,b", null] },
  letter: { b: 1, a: 2 },
  found_at: noon,
  ...more,
});

/** Works on a table that is gone again afterwards. */
const withCoins = <Answer>(work: (tx: Tx) => Promise<Answer>) =>
  context.db.transaction(async (tx) => {
    await tx.run(sql`
      create temporary table coins (project_id text, id text, face text, back text, value bigint, is_rare boolean,
        struck date, days int[], notes jsonb, letter json, found_at timestamptz, primary key (project_id, id))
        on commit drop`);
    return work(tx);
  });
const all = (tx: Tx) => tx.many<Coin>(sql`select ${coins.fields} from coins order by coins.project_id, coins.id`);

/** Of a column, in one form or the other. */
const isList = (value: unknown) => Array.isArray(value) || Buffer.isBuffer(value);

describe("a table whose columns are written once", () => {
  test("gives back every value as it was inserted, nulls and empty lists too", async () => {
    const empty = aCoin("3", { value: null, struck: null, days: null, notes: null, letter: null });
    const rows = [aCoin("1"), aCoin("2", { days: [], letter: "text", face: "back", back: "face" }), empty];
    const found = await withCoins(async (tx) => {
      await tx.run(insertInto(coins, "proj_1", rows));
      return all(tx);
    });
    expect(found).toEqual(rows);
  });

  test("sends once what is the same in all rows", async () => {
    const { notes, found_at, days, ...own } = aCoin("1");
    const rows = [own, { ...own, id: "2", face: "king" }];
    const found = await withCoins(async (tx) => {
      const statement = insertInto(coins, "proj_1", rows, { notes, found_at, days });
      await tx.run(sql`${statement} on conflict do nothing`);
      return all(tx);
    });
    expect(found).toEqual(rows.map((row) => ({ ...row, notes, found_at, days })));
  });

  test("sends once what its rows mostly have in common, in two texts: where all have all of it, and for any others", async () => {
    const alike = table("coins", coins.columns, ["back", "struck", "notes"]);
    const upserted = (rows: readonly Coin[]) => upsertInto(alike, "proj_1", rows, ["found_at"]);
    const same = [
      aCoin("1", { struck: null }),
      aCoin("2", { struck: null, face: "king", notes: { worn: ["a,b", null] } }),
    ];
    const others = [same[0] as Coin, aCoin("2", { struck: null, notes: null })];
    expect(insertInto(alike, "proj_1", same).values.filter(isList)).toHaveLength(7);
    expect(insertInto(alike, "proj_1", others).values.filter(isList)).toHaveLength(10);
    for (const rows of [same, others, same.slice(0, 1), []]) {
      const found = await withCoins(async (tx) => {
        await tx.run(insertInto(alike, "proj_1", rows));
        const inserted = await all(tx);
        await tx.run(upserted(rows.map((row) => ({ ...row, back: "harp", value: null }))));
        return [inserted, await all(tx)];
      });
      expect(found).toEqual([rows, rows.map((row) => ({ ...row, back: "harp", value: null }))]);
    }
  });

  test("sends one row value by value, and no list", async () => {
    const alike = table("coins", coins.columns, ["back", "struck", "notes"]);
    const { notes, found_at, days, ...own } = aCoin("1", { value: null, letter: null });
    const [one, two] = [
      insertInto(alike, "proj_1", [own], { notes, found_at, days }),
      upsertInto(alike, "p", [aCoin("2")], []),
    ];
    expect([...one.values, ...two.values].filter(isList)).toEqual([]);
    expect(insertInto(alike, "proj_2", [aCoin("3")]).name).toBe(insertInto(alike, "proj_1", [aCoin("4")]).name);
    const found = await withCoins(async (tx) => {
      await tx.run(sql`${one} on conflict do nothing`);
      return all(tx);
    });
    expect(found).toEqual([aCoin("1", { value: null, letter: null })]);
  });

  test("sends once what many rows turn out to have alike, nulls too, under no name", async () => {
    const day = { days: [1, 2] as readonly number[] };
    const rows = [
      aCoin("1", { ...day, value: null, struck: null }),
      aCoin("2", { ...day, value: null, struck: null, face: "king", notes: null }),
      aCoin("3", { days: null, value: null, struck: null }),
    ];
    const statement = insertAlike(coins, "proj_1", rows);
    // The project, then back, value, is_rare, struck and found_at once, then arrays of the others; a list is none.
    expect(statement.values.filter(isList)).toHaveLength(5);
    const found = await withCoins(async (tx) => {
      await tx.run(plannedEachTime(statement));
      return all(tx);
    });
    expect(found).toEqual(rows);
    for (const few of [rows.slice(0, 1), []]) {
      expect(
        await withCoins(async (tx) => {
          await tx.run(plannedEachTime(insertAlike(coins, "proj_1", few)));
          return all(tx);
        }),
      ).toEqual(few);
    }
  });

  test("writes rows over those with the same id, but for the columns that stay", async () => {
    const found = await withCoins(async (tx) => {
      await tx.run(insertInto(coins, "proj_1", [aCoin("1")]));
      await tx.run(insertInto(coins, "proj_2", [aCoin("1")]));
      await tx.run(upsertInto(coins, "proj_1", [aCoin("1", { face: "king", found_at: 0 }), aCoin("2")], ["found_at"]));
      return all(tx);
    });
    expect(found).toEqual([aCoin("1", { face: "king" }), aCoin("2"), aCoin("1")]);
  });

  test("changes the named columns and no others", async () => {
    const found = await withCoins(async (tx) => {
      await tx.run(insertInto(coins, "proj_1", [aCoin("1")]));
      const changed = aCoin("1", { face: "king", back: "queen", notes: null, days: [3], value: 7 });
      await tx.run(
        sql`update coins set ${sets(coins, changed, ["back", "face", "notes", "days"])} where coins.id = '1'`,
      );
      return all(tx);
    });
    expect(found).toEqual([aCoin("1", { face: "king", back: "queen", notes: null, days: [3] })]);
  });

  test("makes each of its texts once, so that it is prepared under one name", () => {
    const [first, second] = [insertInto(coins, "proj_1", [aCoin("1"), aCoin("2")]), insertInto(coins, "proj_2", [])];
    expect(first.name).toMatch(/^s[0-9a-f]{16}$/);
    expect(second.text).toBe(first.text);
    expect(second.name).toBe(first.name);
    expect(upsertInto(coins, "proj_1", [], []).name).not.toBe(first.name);
    expect(upsertInto(coins, "proj_1", [], ["face"]).name).not.toBe(upsertInto(coins, "proj_1", [], []).name);
  });

  test("does not compile with a column that is missing, unknown or of another type", () => {
    interface Pair {
      id: string;
      count: number;
    }
    // @ts-expect-error: count is missing
    table<Pair>("pairs", { id: text });
    // @ts-expect-error: a text cannot hold a number
    table<Pair>("pairs", { id: text, count: text });
    // @ts-expect-error: no row has colours
    table<Pair>("pairs", { id: text, count: int8, colour: text });
    // @ts-expect-error: a row without its back
    insertInto(coins, "proj_1", [{ ...aCoin("1"), back: undefined }]);
  });
});
