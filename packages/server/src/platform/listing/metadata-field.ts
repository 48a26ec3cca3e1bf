import { type Sql, sql } from "../db/sql.js";
import { type Asked, anyOf, type Field, fieldOf, patternsOf, type Test } from "./field.js";
import { numbersOf, rangeTests } from "./number-fields.js";

/**
 * A property of the caller's own (rules.md §5): whatever JSON it holds, compared as text, an array by its elements. Equality
 * asks for documents that contain the property, so that an index on them serves.
 * @param document the metadata
 * @param contains the condition that a document has everything that the given JSON says
 * @param key a dot in it may be part of the name, or lead inside
 */
export function metadataField(document: Sql, contains: (json: string) => Sql, key: string): Field {
  const steps = key.split(".");
  const value = sql`nullif(coalesce(${document} -> ${key}::text, ${document} #> ${steps}::text[]), 'null')`;
  const elements = sql`jsonb_array_elements_text(
    case jsonb_typeof(${value}) when 'array' then ${value} else jsonb_build_array(${value}) end)`;
  const some = (test: Sql) => sql`exists (select from ${elements} as element where ${test})`;
  const texts =
    (before: "%" | "", after: "%" | ""): Test =>
    (asked) =>
      sql`(jsonb_typeof(${value}) in ('string', 'array')
           and ${some(anyOf(patternsOf(asked, before, after).map((pattern) => sql`element like ${pattern}`)))})`;
  const equal: Test = ({ operands }) =>
    anyOf(operands.flatMap((operand) => documentsOf(steps, key, operand).map((json) => contains(json))));
  const counted =
    (comparison: Sql): Test =>
    (asked) =>
      anyOf(numbersOf(asked).map((number) => sql`${lengthOf(value)} ${comparison} ${number}::numeric`));
  return fieldOf({
    $is: equal,
    $in: equal,
    $has_value: () => sql`${value} is not null`,
    $starts_with: texts("", "%"),
    $ends_with: texts("%", ""),
    // A text holds it as a part, an array as an element.
    $contains: (asked: Asked) =>
      sql`case jsonb_typeof(${value})
            when 'array' then ${some(sql`element = any(${asked.operands}::text[])`)}
            when 'string' then ${anyOf(patternsOf(asked, "%", "%").map((pattern) => sql`${value} #>> '{}' like ${pattern}`))}
          end`,
    ...rangeTests(
      (comparison, number) =>
        sql`(${value} is not null and ${some(sql`
        case when element ~ ${numeric} then element::numeric end ${comparison} ${number}::numeric`)})`,
    ),
    $count: counted(sql`=`),
    $count_more: counted(sql`>`),
    $count_less: counted(sql`<`),
  });
}

/** What `numeric` reads for certain, and in few digits. */
const numeric = "^[+-]?[0-9]{1,30}([.][0-9]{1,30})?(e[+-]?[0-9]{1,2})?$";

const lengthOf = (value: Sql) =>
  sql`case when ${value} is null then 0 when jsonb_typeof(${value}) = 'array' then jsonb_array_length(${value}) end`;

/** The documents that hold a text at the key: as it is, as the number or truth it spells, alone or in an array. */
function documentsOf(steps: readonly string[], key: string, operand: string): string[] {
  const spelt = operand === "true" || operand === "false" || String(Number(operand)) === operand ? [operand] : [];
  const values = [JSON.stringify(operand), ...(Number.isFinite(Number(operand)) || /^[tf]/.test(operand) ? spelt : [])];
  const written = values.flatMap((value) => [value, `[${value}]`]);
  const places = steps.length === 1 ? [[key]] : [[key], steps];
  return places.flatMap((place) =>
    written.map((value) => place.reduceRight((inner, step) => `{${JSON.stringify(step)}:${inner}}`, value)),
  );
}
