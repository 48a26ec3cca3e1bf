import { dayEnd, dayStart } from "../../api/days.js";
import { decimalString, minorOf } from "../../api/money.js";
import type { Project } from "../../api/project.js";
import { typedOf, valuesIn } from "../../api/values.js";
import { t } from "../../text/index.js";
import { fieldAt, fieldNamed, kindOf, type Operator, operandsOf, operatorsOf, pathOf } from "./filter-fields.js";

/** A filter as the service reads it. */
export type Filter = Record<string, unknown>;

/** One condition as it is typed. */
export interface Row {
  /** For the page alone: rows come and go. */
  key: number;
  field: string;
  /** Which metadata, which event. */
  name: string;
  operator: Operator;
  value: string;
}

export interface FilterForm {
  junction: "and" | "or";
  rows: readonly Row[];
}

export interface RowFaults {
  name?: string;
  operator?: string;
  value?: string;
}

type Writes = Pick<Project, "currency" | "digits" | "fields">;
const words = t.filter.missing;

/** What the service is sent of a condition's value; null while it cannot be read. */
function operandOf({ field, operator, value }: Row, { digits, fields: { timezone } }: Writes): unknown[] | null {
  switch (operandsOf(kindOf(field), operator)) {
    case "none":
      return [true];
    case "number": {
      const number = Number(value.trim().replace(",", "."));
      return value.trim() === "" || !Number.isFinite(number) ? null : [number];
    }
    case "money": {
      const minor = minorOf(value, digits);
      return minor === null ? null : [minor];
    }
    case "days":
      return /^\s*\d{1,5}\s*$/.test(value) ? [Number(value)] : null;
    case "day":
      if (!/^\d{4}-\d\d-\d\d$/.test(value)) return null;
      return [operator === "$after" ? dayEnd(value, timezone) : dayStart(value, timezone)];
    default: {
      const values = valuesIn(value);
      return values.length === 0 ? null : values;
    }
  }
}

const missing = (row: Row, { currency }: Writes): string => {
  const wanted = operandsOf(kindOf(row.field), row.operator);
  if (wanted === "money") return words.money(currency);
  return wanted === "number" || wanted === "days" || wanted === "day" ? words[wanted] : words.value;
};

/** What is wrong with each row; none: the filter can be sent. */
export function faultsIn({ junction, rows }: FilterForm, project: Writes): RowFaults[] {
  return rows.map((row, i) => {
    const faults: RowFaults = {};
    if (fieldNamed(row.field)?.named && row.name.trim() === "") faults.name = words.name;
    if (operandOf(row, project) === null) faults.value = missing(row, project);
    const above = rows.slice(0, i).filter((one) => pathOf(one) === pathOf(row));
    // Conditions of one field are joined by AND, whatever joins the fields; and each comparison stands once in it.
    if (junction === "or" && above.length > 0) faults.operator = words.once;
    else if (above.some(({ operator }) => operator === row.operator)) faults.operator = words.twice;
    return faults;
  });
}

/** The filter that the rows say; null while one of them is not complete. */
export function filterOf(form: FilterForm, project: Writes): Filter | null {
  if (form.rows.length === 0 || faultsIn(form, project).some((faults) => Object.keys(faults).length > 0)) return null;
  const filter: Record<string, { conditions: Record<string, unknown> }> = {};
  for (const row of form.rows) {
    const path = pathOf(row);
    const conditions = filter[path]?.conditions ?? {};
    filter[path] = { conditions: { ...conditions, [row.operator]: operandOf(row, project) } };
  }
  return { junction: form.junction, ...filter };
}

/** The rows that say a filter; null where no rows say exactly that: it is shown as it is then, and never rewritten. */
export function formOf(filter: Filter, project: Writes): FilterForm | null {
  const { junction: written, ...fields } = filter;
  const junction = typeof written === "string" ? written.toLowerCase() : "";
  if (junction !== "and" && junction !== "or") return null;
  const rows: Row[] = [];
  for (const [path, definition] of Object.entries(fields)) {
    const conditions = (definition as { conditions?: unknown } | null)?.conditions;
    const found = fieldAt(path);
    if (!found || typeof conditions !== "object" || conditions === null) return null;
    for (const [operator, operands] of Object.entries(conditions)) {
      const row = rowOf(rows.length, found, operator, [operands].flat(), project);
      if (!row) return null;
      rows.push(row);
    }
  }
  const form: FilterForm = { junction, rows };
  // Only what comes out again as it went in has been understood.
  const again = rows.length === 0 ? { junction } : filterOf(form, project);
  return again !== null && canonical(again) === canonical(filter) ? form : null;
}

function rowOf(
  key: number,
  { field, inner: name }: { field: string; inner: string },
  operator: string,
  operands: readonly unknown[],
  { digits, fields: { timezone } }: Writes,
): Row | null {
  const kind = kindOf(field);
  const known = operatorsOf(kind).find((one) => one === operator);
  if (!known) return null;
  const [first] = operands;
  const row = { key, field, name, operator: known };
  switch (operandsOf(kind, known)) {
    case "none":
      return { ...row, value: "" };
    case "money":
      return Number.isSafeInteger(Number(first)) ? { ...row, value: decimalString(Number(first), digits) } : null;
    case "day": {
      const at = Date.parse(String(first));
      return Number.isNaN(at) ? null : { ...row, value: dayIn(at, timezone) };
    }
    case "values":
      return { ...row, value: typedOf(operands.map(String)) };
    default:
      return { ...row, value: String(first) };
  }
}

const dayIn = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(at);

/** Two ways to write the same: a value alone or in a list, a number as text, what is asked of nothing, the case of the junction. */
function canonical(filter: Filter): string {
  const { junction, ...fields } = filter;
  const written = Object.entries(fields).map(([path, definition]) => {
    const conditions = Object.entries((definition as { conditions: object }).conditions);
    return [
      path,
      conditions.map(([operator, operands]) => [operator, takesNothing(operator) ? [] : [operands].flat().map(String)]),
    ];
  });
  return JSON.stringify([String(junction).toLowerCase(), written]);
}

const takesNothing = (operator: string) => operandsOf("text", operator as Operator) === "none";
