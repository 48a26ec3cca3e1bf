import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joined, plannedEachTime, type Sql, sql, verbatim } from "./sql.js";

const written = ({ text, values }: Sql) => ({ text, values });

describe("a statement", () => {
  test("numbers its values through its fragments, from left to right", () => {
    const condition = (value: unknown) => sql`a.b = ${value}`;
    const both = joined([condition(1), condition(2)], "and");
    expect(written(sql`select ${0} where ${both} limit ${3}`)).toEqual({
      text: "select $1 where a.b = $2 and a.b = $3 limit $4",
      values: [0, 1, 2, 3],
    });
  });

  test("is known by its text, whichever values it has, and wherever it is written", () => {
    const one = (value: unknown, fragment: Sql) => sql`select ${value} from ${fragment}`;
    const other = (value: unknown, fragment: Sql) => sql`select ${value} from ${fragment}`;
    const names = [one(1, sql`t`), one("x", sql`t`), other(null, sql`t`)].map(({ name }) => name);
    expect(new Set(names).size).toBe(1);
    expect(sql`select ${1}`.name).toMatch(/^s[0-9a-f]{16}$/);
  });

  test("is another one where a value stands in place of a fragment, or another fragment", () => {
    const of = (part: unknown) => sql`select ${part} from t`;
    const all = [of(1), of(sql`1`), of(sql`2`), of(sql`${1}`), of(sql`${sql`1`}`), of(verbatim("one"))];
    expect(all.map(({ text }) => text)).toEqual([
      "select $1 from t",
      "select 1 from t",
      "select 2 from t",
      "select $1 from t",
      "select 1 from t",
      "select one from t",
    ]);
  });

  test("has no name where it is planned for its values", () => {
    const asked = sql`select ${1} from ${sql`t`}`;
    expect({ ...plannedEachTime(asked) }).toMatchObject({ name: undefined, text: "select $1 from t", values: [1] });
  });

  test("says what its fragments say, however they are nested and in whatever order they were seen", () => {
    const pieces = fc.letrec<{ part: Sql; value: unknown }>((tie) => ({
      value: fc.integer(),
      part: fc.oneof(
        { maxDepth: 4 },
        fc.constant(0).map(() => sql`leaf`),
        tie("value").map((value) => sql`[${value}]`),
        fc.tuple(tie("part"), tie("part")).map(([a, b]) => sql`(${a} ${b})`),
        fc.tuple(tie("value"), tie("part")).map(([a, b]) => sql`<${a} ${b}>`),
      ),
    }));
    fc.assert(
      fc.property(pieces.part, (part) => {
        const { text, values } = part;
        const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
        expect(numbers).toEqual(values.map((_, i) => i + 1));
        // Put together once more, of the fragments alone, it is the same.
        expect(written(sql`${part}`)).toEqual({ text, values });
      }),
    );
  });
});
