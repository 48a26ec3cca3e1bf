import { type Instant, isoOf } from "../clock.js";
import { joined, type Sql, sql } from "../db/sql.js";
import { instantFrom } from "../http/dates.js";
import { problems } from "../http/problems.js";

/** When and where a list is asked for: days are counted on the project's calendar. */
export interface Today {
  instant: Instant;
  time_zone: string;
}

/** One operator of a query with what it is given. */
export interface Asked {
  operands: readonly string[];
  /** Where it stands in the query, for refusals. */
  path: string;
  today: Today;
}

/** What an operator says of a record, as a condition that may be null where the record has no value. */
export type Test = (asked: Asked) => Sql;

/** The operators that a field takes. */
export type Field = ReadonlyMap<string, Test>;

/** The operators that say what another does not: they let through what has no value (rules.md §5). */
const negations: Readonly<Record<string, string>> = {
  $is: "$is_not",
  $in: "$not_in",
  $contains: "$not_contain",
  $has_value: "$is_unknown",
};

const denials = new Set(Object.values(negations));

/** A field by what it affirms; what it denies follows. */
export function fieldOf(affirmations: Readonly<Record<string, Test>>): Field {
  const tests = new Map<string, Test>();
  for (const [operator, test] of Object.entries(affirmations)) {
    tests.set(operator, test);
    const negation = negations[operator];
    if (negation) tests.set(negation, (asked) => sql`(${test(asked)}) is not true`);
  }
  return tests;
}

/** Each pattern is matched against every row that is looked at. */
const patterns_max = 20;

export function patternsOf({ operands, path }: Asked, before: "%" | "", after: "%" | ""): string[] {
  if (operands.length > patterns_max) {
    throw problems.invalidQuery(`Property ${path} must not have more than ${patterns_max} items`);
  }
  return operands.map((text) => before + text.replace(/[\\%_]/g, "\\$&") + after);
}

/** A text that is matched as a part of others. */
export interface Part {
  /** One of them is enough. */
  texts: readonly string[];
  /** The same for `like`: each begins with `%`, and ends with one unless the part is to be the end. */
  patterns: readonly string[];
  at_end: boolean;
}

/** One comparison a pattern: of an array of them no index knows where to begin. */
export const isLike = (column: Sql, patterns: readonly string[]): Sql =>
  anyOf(patterns.map((pattern) => sql`${column} like ${pattern}`));

export const anyOf = (conditions: readonly Sql[]): Sql => sql`(${joined(conditions, "or", sql`false`)})`;

/** A single value is compared alone: an index then gives the rows in their order. */
export function isOneOf(column: Sql, values: readonly string[]): Sql {
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values}::text[])`;
}

/**
 * Texts, compared as they are.
 * @param column in the collation "C" wherever an index shall serve `$starts_with`
 * @param fold what was done to the stored text, such as the folding of codes
 * @param holds where somebody knows better than to compare each text with the part
 */
export function textField(
  column: Sql,
  fold: (text: string) => string = (text) => text,
  holds: (part: Part) => Sql = ({ patterns }) => isLike(column, patterns),
): Field {
  const folded = (asked: Asked): Asked => ({ ...asked, operands: asked.operands.map(fold) });
  const part =
    (at_end: boolean): Test =>
    (asked) => {
      const wanted = folded(asked);
      return holds({ texts: wanted.operands, patterns: patternsOf(wanted, "%", at_end ? "" : "%"), at_end });
    };
  const equal: Test = (asked) => isOneOf(column, folded(asked).operands);
  return fieldOf({
    $in: equal,
    $is: equal,
    $has_value: () => sql`${column} is not null`,
    $starts_with: (asked) => isLike(column, patternsOf(folded(asked), "", "%")),
    $ends_with: part(true),
    $contains: part(false),
  });
}

/** A field that stands in one of several places; each with the condition under which it is that one's turn. */
export function fieldInEither(places: readonly { field: Field; when?: Sql }[]): Field {
  const affirmed = [...(places[0]?.field.keys() ?? [])].filter((operator) => !denials.has(operator));
  const tests = affirmed.map((operator): [string, Test] => [
    operator,
    (asked) =>
      anyOf(
        places.map(({ field, when }) => {
          const held = field.get(operator)?.(asked) ?? sql`false`;
          return when ? sql`(${held} and ${when})` : held;
        }),
      ),
  ]);
  return fieldOf(Object.fromEntries(tests));
}

/**
 * A field of another table.
 * @param inner the field there
 * @param holds the condition on a record of the list that one there satisfies the given one
 * @param has_value where it is told without looking there
 */
export function fieldThrough(inner: Field, holds: (condition: Sql) => Sql, has_value?: Sql): Field {
  const affirmed = [...inner].filter(([operator]) => !denials.has(operator));
  const tests = affirmed.map(([operator, test]): [string, Test] => [operator, (asked) => holds(test(asked))]);
  return fieldOf({ ...Object.fromEntries(tests), ...(has_value ? { $has_value: () => has_value } : {}) });
}

const words: Readonly<Record<string, boolean>> = { true: true, false: false };

/** True and false in any letter case. What was never said is false. */
export function booleanField(column: Sql): Field {
  const equal: Test = ({ operands, path }) => {
    const wanted = operands.map((word) => {
      const value = words[word.toLowerCase()];
      if (value === undefined) throw problems.invalidQuery(`Property ${path} must be boolean`);
      return value;
    });
    if (wanted.includes(true) && wanted.includes(false)) return sql`true`;
    // As the partial index on what is true is written; of what is false there is much.
    return wanted[0] === true ? sql`${column}` : wanted[0] === false ? sql`${column} is not true` : sql`false`;
  };
  return fieldOf({ $is: equal, $in: equal, $has_value: () => sql`${column} is not null` });
}

/** States of a record at the instant of the request, such as `$active`. The operand is true or says nothing. */
export function stateField(states: Readonly<Record<string, (instant: string) => Sql>>): Field {
  const tests = Object.entries(states).map(([operator, state]): [string, Test] => [
    operator,
    ({ operands, path, today }) => {
      const [operand = ""] = operands;
      const condition = state(isoOf(today.instant));
      if (["", "true"].includes(operand.toLowerCase())) return condition;
      if (operand.toLowerCase() === "false") return sql`(${condition}) is not true`;
      throw problems.invalidQuery(`Property ${path} must be boolean`);
    },
  ]);
  return new Map(tests);
}

/** Whether there is anything; of what cannot be compared. */
export const presenceField = (column: Sql): Field => fieldOf({ $has_value: () => sql`${column} is not null` });

export function momentOf(text: string, path: string): string {
  const moment = instantFrom(text);
  if (moment !== null) return isoOf(moment);
  throw problems.invalidQuery(`Property ${path} cannot be recognized as a ISO-8601 compliant date`);
}
