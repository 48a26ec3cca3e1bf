import { type Sql, sql } from "../db/sql.js";
import { problems } from "../http/problems.js";
import { type Asked, anyOf, type Field, fieldOf, type Test } from "./field.js";

const numeric = /^[+-]?\d{1,20}(\.\d{1,20})?$/;

/** Numbers as PostgreSQL reads them, so that none is rounded on the way. */
export function numbersOf({ operands, path }: Asked): string[] {
  return operands.map((operand) => {
    if (!numeric.test(operand)) throw problems.invalidQuery(`Property ${path} must be number`);
    return operand;
  });
}

const comparisons = {
  $more_than: sql`>`,
  $less_than: sql`<`,
  $more_than_equal: sql`>=`,
  $less_than_equal: sql`<=`,
};

/** The four comparisons with a number. */
export function rangeTests(compared: (comparison: Sql, number: string) => Sql): Record<string, Test> {
  const tests = Object.entries(comparisons).map(([operator, comparison]): [string, Test] => [
    operator,
    (asked) => anyOf(numbersOf(asked).map((number) => compared(comparison, number))),
  ]);
  return Object.fromEntries(tests);
}

export function numberField(column: Sql): Field {
  const equal: Test = (asked) => sql`${column} = any(${numbersOf(asked)}::numeric[])`;
  return fieldOf({
    $is: equal,
    $in: equal,
    $has_value: () => sql`${column} is not null`,
    ...rangeTests((comparison, number) => sql`${column} ${comparison} ${number}::numeric`),
  });
}

const small = /^\d{1,9}$/;

/** Arrays of small numbers, such as weekdays; nothing counts as empty (rules.md §5). */
export function numbersField(column: Sql): Field {
  const overlaps: Test = ({ operands, path }) => {
    if (!operands.every((operand) => small.test(operand)))
      throw problems.invalidQuery(`Property ${path} must be integer`);
    return sql`${column} && ${operands}::int[]`;
  };
  const counted =
    (comparison: Sql): Test =>
    (asked) =>
      anyOf(
        numbersOf(asked).map((number) => sql`coalesce(cardinality(${column}), 0) ${comparison} ${number}::numeric`),
      );
  return fieldOf({
    $is: overlaps,
    $in: overlaps,
    $contains: overlaps,
    $has_value: () => sql`${column} is not null`,
    $count: counted(sql`=`),
    $count_more: counted(sql`>`),
    $count_less: counted(sql`<`),
  });
}
