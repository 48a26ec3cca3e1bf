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
    // Other files of this worker may have used up the names that statements made of fragments share.
    expect([sql`select ${1} from t`.name, undefined]).toContain(names[0]);
    expect(sql`select ${1} from t`.name).toMatch(/^s[0-9a-f]{16}$/);
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
    /** A fragment, and what it says piece by piece: numbers are values. */
    type Piece = { part: Sql; said: readonly (string | number)[] };
    const { piece } = fc.letrec<{ piece: Piece; value: number }>((tie) => ({
      value: fc.integer(),
      piece: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<Piece>({ part: sql`leaf`, said: ["leaf"] }, { part: sql`other`, said: ["other"] }),
        tie("value").map((value) => ({ part: sql`[${value}]`, said: ["[", value, "]"] })),
        fc.tuple(tie("piece"), tie("piece")).map(([a, b]) => ({
          part: sql`(${a.part} ${b.part})`,
          said: ["(", ...a.said, " ", ...b.said, ")"],
        })),
        fc.tuple(tie("value"), tie("piece")).map(([value, b]) => ({
          part: sql`(${value} ${b.part})`,
          said: ["(", value, " ", ...b.said, ")"],
        })),
      ),
    }));
    fc.assert(
      fc.property(piece, ({ part, said }) => {
        let count = 0;
        const text = said.map((one) => (typeof one === "number" ? `$${++count}` : one)).join("");
        expect(written(part)).toEqual({ text, values: said.filter((one) => typeof one === "number") });
      }),
    );
  });
});
