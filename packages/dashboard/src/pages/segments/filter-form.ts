import type { Project } from "../../api/project.js";
import {
  type ConditionRow,
  missingOf,
  type Operator,
  operandsIn,
  type RowFaults,
  typedOperands,
} from "../../parts/conditions/operands.js";
import { t } from "../../text/index.js";
import { fieldAt, fieldNamed, kindOf, operandsOf, operatorsOf, pathOf } from "./filter-fields.js";

/** A filter as the service reads it. */
export type Filter = Record<string, unknown>;

export interface FilterForm {
  junction: "and" | "or";
  rows: readonly ConditionRow[];
}

type Writes = Pick<Project, "currency" | "digits" | "fields">;
const words = t.filter.missing;

const takes = ({ field, operator }: ConditionRow) => operandsOf(kindOf(field), operator);
const operandOf = (row: ConditionRow, project: Writes) => operandsIn(row.value, takes(row), row.operator, project);

/** What is wrong with each row; none: the filter can be sent. */
export function faultsIn({ junction, rows }: FilterForm, project: Writes): RowFaults[] {
  return rows.map((row, i) => {
    const faults: RowFaults = {};
    if (fieldNamed(row.field)?.named && row.name.trim() === "") faults.name = t.conditions.missing.name;
    if (operandOf(row, project) === null) faults.value = missingOf(takes(row), project);
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
  const rows: ConditionRow[] = [];
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
  project: Writes,
): ConditionRow | null {
  const known = operatorsOf(kindOf(field)).find((one) => one === operator);
  const value = known ? typedOperands(operands, operandsOf(kindOf(field), known), project) : null;
  return known && value !== null ? { key, field, name, operator: known, value } : null;
}

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
