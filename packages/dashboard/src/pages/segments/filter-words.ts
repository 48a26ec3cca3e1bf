import { minorOf } from "../../api/money.js";
import type { Project } from "../../api/project.js";
import { valuesIn } from "../../api/values.js";
import { t } from "../../text/index.js";
import { fieldNamed, kindOf, operandsOf } from "./filter-fields.js";
import type { Row } from "./filter-form.js";

type Writes = Pick<Project, "money" | "digits" | "dates">;

/** What a field is called; of metadata and events with the name that they have. */
export function fieldWords({ field, name }: Pick<Row, "field" | "name">): string {
  const known = fieldNamed(field);
  if (!known) return field;
  return known.named ? `${t.filter.fields[known.name]} “${name}”` : t.filter.fields[known.name];
}

/** A condition as a sentence: `City is Oslo or Rome`. */
export function sentenceOf(row: Row, project: Writes): string {
  const value = valueWords(row, project);
  return [fieldWords(row), t.filter.operators[row.operator], value].filter((one) => one !== "").join(" ");
}

function valueWords({ field, operator, value }: Row, { money, digits, dates }: Writes): string {
  switch (operandsOf(kindOf(field), operator)) {
    case "none":
      return "";
    case "money":
      return money(minorOf(value, digits) ?? 0);
    case "days":
      return `${value} ${t.filter.days}`;
    case "day":
      return dates.calendarDay(value, "full");
    case "values":
      return valuesIn(value).join(` ${t.filter.or_value} `);
    default:
      return value;
  }
}
