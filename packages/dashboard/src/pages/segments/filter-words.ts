import { minorOf } from "../../api/money.js";
import type { Project } from "../../api/project.js";
import { valuesIn } from "../../api/values.js";
import type { ConditionRow } from "../../parts/conditions/operands.js";
import { t } from "../../text/index.js";
import { fieldNamed, kindOf, operandsOf } from "./filter-fields.js";
import { type Filter, formOf } from "./filter-form.js";

type Writes = Pick<Project, "money" | "digits" | "dates">;

/** What a field is called; of metadata and events with the name that they have. */
export function fieldWords({ field, name }: Pick<ConditionRow, "field" | "name">): string {
  const known = fieldNamed(field);
  if (!known) return field;
  return known.named ? `${t.filter.fields[known.name]} “${name}”` : t.filter.fields[known.name];
}

/** A condition as a sentence: `City is Oslo or Rome`. */
export function sentenceOf(row: ConditionRow, project: Writes): string {
  const value = valueWords(row, project);
  return [fieldWords(row), t.conditions.operators[row.operator], value].filter((one) => one !== "").join(" ");
}

function valueWords({ field, operator, value }: ConditionRow, { money, digits, dates }: Writes): string {
  switch (operandsOf(kindOf(field), operator)) {
    case "none":
      return "";
    case "money":
      return money(minorOf(value, digits) ?? 0);
    case "days":
      return `${value} ${t.conditions.days}`;
    case "day":
      return dates.calendarDay(value, "full");
    case "values":
      return valuesIn(value).join(` ${t.conditions.or_value} `);
    default:
      return value;
  }
}

/** All of a filter in a line; what no sentence says as it is. */
export function filterWords(filter: Filter | null, project: Project): string {
  if (filter === null) return "";
  const form = formOf(filter, project);
  if (!form) return JSON.stringify(filter, null, 2);
  if (form.rows.length === 0) return t.segments.everybody;
  return form.rows.map((row) => sentenceOf(row, project)).join(` ${t.conditions.joins[form.junction]} `);
}
