import fc from "fast-check";
import { afterAll, describe, expect, inject, test } from "vitest";
import { createLog } from "../../log.js";
import { openDatabase } from "../database.js";
import { sql } from "../sql.js";
import { parameterOf } from "./parameters.js";
import { wireArray, wireInstants } from "./wire-arrays.js";

const db = openDatabase({
  url: inject("database_url"),
  log: createLog("silent"),
  connections_max: 1,
  prepared: true,
});
afterAll(() => db.close());

const asSent = { text: sql`::text[]`, json: sql`::json[]`, jsonb: sql`::jsonb[]` };

/** What PostgreSQL has of an array of ours, and what it says of it. */
const read = (type: keyof typeof asSent, values: readonly (string | null)[]) =>
  db.one<{ values: unknown[]; type: string; count: number }>(sql`
    select array(select to_jsonb(sent.value) from unnest(${wireArray(type, values)}${asSent[type]}) with ordinality as sent (value, place)
                  order by sent.place) as values,
           pg_typeof(${wireArray(type, values)}${asSent[type]})::text as type,
           cardinality(${wireArray(type, values)}${asSent[type]}) as count`);

// PostgreSQL keeps no NUL, in a text or in a document.
const texts = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", ""));
const awkward = fc.constantFrom("", "NULL", '"', "\\", "{a,b}", "\n", "ß", "😀", "\u202e");

describe("an array of ours is read by PostgreSQL as it was sent", () => {
  test.each(["text", "json", "jsonb"] as const)("%s", async (type) => {
    const value = fc.option(fc.oneof(texts, awkward), { nil: null });
    await fc.assert(
      fc.asyncProperty(fc.array(value, { maxLength: 20 }), async (values) => {
        const sent =
          type === "text" ? values : values.map((one) => (one === null ? null : JSON.stringify({ is: one })));
        const expected = values.map((one) => (one === null || type === "text" ? one : { is: one }));
        expect(await read(type, sent)).toEqual({ values: expected, type: `${type}[]`, count: values.length });
      }),
      { numRuns: 60 },
    );
  });
});

test.each([
  ["small", 5_000],
  ["as large as what it is written in, in bytes", 21_837],
  ["larger", 30_000],
])("one that is %s is read whole", async (_, signs) => {
  const values = ["ż𝒳€".repeat(signs / 4), null, "a", ""];
  expect(await read("text", values)).toMatchObject({ values, count: 4 });
});

test("what PostgreSQL cannot hold is refused as it is in other values", async () => {
  await expect(read("text", ["a\0b"])).rejects.toMatchObject({ code: "22021" });
  await expect(read("jsonb", ['"a\\u0000b"'])).rejects.toMatchObject({ code: "22P05" });
  await expect(read("jsonb", ["no document"])).rejects.toMatchObject({ code: "22P02" });
});

test("what is no text is not sent as nothing", () => {
  expect(() => wireArray("text", [1 as unknown as string])).toThrow(TypeError);
});

test("instants of ours are read by PostgreSQL as they were sent, and what is none is left to go as text", async () => {
  const between = { noInvalidDate: true, min: new Date("0001-01-01"), max: new Date("9999-12-31") };
  const instants = fc.array(fc.option(fc.date(between), { nil: null }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(instants, async (dates) => {
      const sent = wireInstants(dates.map((date) => date?.getTime() ?? null));
      const said = dates.map((date) => date?.toISOString() ?? null);
      const { is_same } = await db.one<{ is_same: boolean }>(
        sql`select ${sent}::timestamptz[] is not distinct from ${said}::timestamptz[] as is_same`,
      );
      expect(is_same).toBe(true);
    }),
    { numRuns: 60 },
  );
  for (const value of [1.5, "2026-03-01", Number.NaN]) expect(wireInstants([1, value])).toBeUndefined();
});

test("a list that goes as text is read by PostgreSQL as it was sent", async () => {
  const value = fc.option(fc.oneof(texts, awkward), { nil: null });
  await fc.assert(
    fc.asyncProperty(
      fc.array(value, { maxLength: 20 }),
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })),
      async (listed, numbers) => {
        const read = await db.one<{ texts: unknown; numbers: unknown }>(sql`
        select array_to_json(${listed}::text[]) as texts, ${numbers}::float8[] as numbers`);
        expect(read.texts).toEqual(listed);
        expect(read.numbers).toEqual(numbers.map((one) => one + 0));
      },
    ),
    { numRuns: 60 },
  );
  expect(parameterOf([["a"], ["b"]])).toBe('{{"a"},{"b"}}');
  expect(parameterOf([true, null])).toBe('{"true",NULL}');
});
