import { localTime, zoneOf } from "@guerdon/engine";
import { type Instant, isoOf } from "../../platform/clock.js";
import { instantFrom } from "../../platform/http/dates.js";
import { problems } from "../../platform/http/problems.js";
import { joined, type Sql, sql } from "../../platform/sql.js";
import type { SegmentFilters } from "./segment.schemas.js";

/** When and where a list is asked for: days are counted on the project's calendar. */
export interface Today {
  instant: Instant;
  time_zone: string;
}

type Test = (column: Sql, operands: readonly string[], path: string, today: Today) => Sql;

const day_ms = 86_400_000;
/** Some 1,900 years: the database writes no date before the year 1. */
const days_max = 700_000;

const isOneOf: Test = (column, operands) => sql`${column} = any(${operands}::text[])`;
const isNoneOf: Test = (column, operands) => sql`${column} <> all(${operands}::text[])`;
/** Every column of the list has a value, so these say the same of each segment. */
const hasValue: Test = (column) => sql`${column} is not null`;
const isUnknown: Test = (column) => sql`${column} is null`;

const matches =
  (before: "%" | "", after: "%" | ""): Test =>
  (column, operands) => {
    const patterns = operands.map((text) => before + text.replace(/[\\%_]/g, "\\$&") + after);
    return sql`${column} like any(${patterns}::text[])`;
  };

type Tests = ReadonlyMap<string, Test>;

const text_tests: Tests = new Map(
  Object.entries<Test>({
    $in: isOneOf,
    $not_in: isNoneOf,
    $is: isOneOf,
    $is_not: isNoneOf,
    $has_value: hasValue,
    $is_unknown: isUnknown,
    $starts_with: matches("", "%"),
    $ends_with: matches("%", ""),
    $contains: matches("%", "%"),
    $not_contain: (column, ...rest) => sql`not (${matches("%", "%")(column, ...rest)})`,
  }),
);

const date_tests: Tests = new Map(
  Object.entries<Test>({
    $after: (column, operands, path) => sql`${column} > ${momentOf(operands, path)}`,
    $before: (column, operands, path) => sql`${column} < ${momentOf(operands, path)}`,
    $has_value: hasValue,
    $is_unknown: isUnknown,
    $more_than: (column, operands, path, today) => sql`${column} < ${daysAgo(daysOf(operands, path), today)}`,
    $less_than: (column, operands, path, today) => sql`${column} >= ${daysAgo(daysOf(operands, path) - 1, today)}`,
  }),
);

const fields = {
  id: { column: sql`segments.id`, tests: text_tests },
  name: { column: sql`segments.name`, tests: text_tests },
  type: { column: sql`segments.type`, tests: text_tests },
  created_at: { column: sql`segments.created_at`, tests: date_tests },
};
type Field = keyof typeof fields;

/** The filters of a list as one condition (rules.md §15): AND inside a field, the junction between fields. */
export function filterCondition({ junction, ...filters }: SegmentFilters, today: Today): Sql {
  const by_field = (Object.keys(fields) as Field[]).flatMap((field) => {
    const { column, tests } = fields[field];
    const conditions = Object.entries(filters[field]?.conditions ?? {}).map(([operator, operands]) => {
      const test = tests.get(operator);
      if (!test) throw problems.invalidPayload(unknownOperator(tests));
      return test(column, [operands].flat(), `.filters.${field}.conditions.${operator}`, today);
    });
    return conditions.length === 0 ? [] : [sql`(${joined(conditions, "and")})`];
  });
  return sql`(${joined(by_field, junctionOf(junction), sql`true`)})`;
}

function junctionOf(junction = "and"): "and" | "or" {
  const word = junction.toLowerCase();
  if (word === "and" || word === "or") return word;
  throw problems.invalidPayload("Property .filter has wrong `junction` property. It must be one of: and, or");
}

const unknownOperator = (tests: Tests) =>
  `Property .parameters.filters should match either ${[...tests.keys()].join(", ")}`;

function momentOf([text = ""]: readonly string[], path: string): string {
  const moment = instantFrom(text);
  if (moment === null) {
    throw problems.invalidQuery(`Property ${path} cannot be recognized as a ISO-8601 compliant date`);
  }
  return isoOf(moment);
}

function daysOf([text = ""]: readonly string[], path: string): number {
  if (!/^\d+$/.test(text)) throw problems.invalidQuery(`Property ${path} must be integer`);
  return Math.min(Number(text), days_max);
}

/** Local midnight at which the day so many days before today began. */
function daysAgo(days: number, { instant, time_zone }: Today): string {
  const zone = zoneOf(time_zone);
  const midnight = (localTime(zone, instant).day - days) * day_ms;
  // The offset in force then, which is not known before the moment is: the second look sees past a change of the clocks.
  const near = midnight - zone.offsetAt(midnight);
  return isoOf(midnight - zone.offsetAt(near));
}
