import type { Sql } from "../../platform/db/sql.js";
import { Problem, problems } from "../../platform/http/problems.js";
import { type Filterable, filterCondition, type Today } from "../../platform/listing/index.js";
import { type MetadataSchemas, refusals } from "../../terms/index.js";
import { columns_max, type ExportColumn, type ExportPlan, type Within } from "./export.js";
import type { ExportedObject, ExportProject, ExportRows, Filters } from "./exported-object.js";

const metadata_prefix = "metadata.";

/** The columns of the fields that are asked for; one that the object does not have is refused. */
export function columnsOf(
  { default_fields }: Pick<ExportedObject, "default_fields">,
  { fields, metadata }: ExportRows,
  asked: readonly string[] | undefined,
  schemas: MetadataSchemas,
): ExportColumn[] {
  const columns = (asked?.length ? asked : default_fields).flatMap((name): ExportColumn[] => {
    if (Object.hasOwn(fields, name)) return [{ title: titleOf(name), field: name }];
    if (metadata && name === "metadata") {
      const keys = schemas.keysOf(metadata.object);
      // Without a schema nobody can say which keys there are: one column has them all.
      return keys?.map((key) => ({ title: key, metadata_key: key })) ?? [{ title: titleOf(name), field: name }];
    }
    if (metadata && name.startsWith(metadata_prefix) && name !== metadata_prefix) {
      const key = name.slice(metadata_prefix.length);
      return [{ title: key, metadata_key: key }];
    }
    throw refusals.invalidExportFields([...Object.keys(fields), ...(metadata ? ["metadata"] : [])]);
  });
  if (columns.length <= columns_max) return columns;
  throw problems.invalidPayload(`Property .parameters.fields must not make more than ${columns_max} columns`);
}

/** `source_id` is shown as `Source ID` (vouchers-and-campaigns.md §10.4). */
const titleOf = (name: string): string =>
  name
    .split("_")
    .map((word) => (word === "id" ? "ID" : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(" ");

/** The order, as one of those that the object has. */
export function checkOrder({ orders }: ExportRows, order: string): string {
  const allowed = Object.keys(orders).flatMap((name) => [name, `-${name}`]);
  if (allowed.includes(order)) return order;
  throw problems.invalidPayload(
    `Property .parameters.order should be equal to one of the allowed values [${allowed.join(", ")}]`,
  );
}

/** Which rows are asked for: what they must satisfy, and what is told of each alone. */
export interface WantedRows {
  conditions: Sql[];
  judged: Filters | null;
}

/** Which rows are asked for, on the calendar and clock of the request, however late they are read. */
export function wantedRows(
  rows: ExportRows,
  { filters = {}, scope }: { filters?: Filters | undefined; scope: ExportPlan["scope"] },
  project: ExportProject,
  instant: number,
): WantedRows {
  const only = Object.entries(scope).map(([name, value]) => {
    const condition = rows.only?.[name];
    if (!condition) throw problems.invalidPayload(`Property .parameters.${name} is not supported`);
    return condition(value);
  });
  const conditions = [...(rows.conditions ?? []), ...only];
  if (rows.judged?.asks(filters)) {
    rows.judged.check(filters);
    return { conditions, judged: filters };
  }
  const filtered = filteredBy(filters, rows.filterable, { instant, time_zone: project.timezone });
  return { conditions: [...conditions, ...(filtered ? [filtered] : [])], judged: null };
}

/**
 * Filters as the answer shows them: what the address names stands among them as `$in` of one, as the contract's shape
 * has it, beside whatever else was asked of that field.
 */
export function withinFilters(filters: Filters = {}, { field, name }: Within): Filters {
  const asked = (filters[field] ?? {}) as { conditions?: object };
  return { ...filters, [field]: { conditions: { ...(asked.conditions ?? asked), $in: [name] } } };
}

/** A field that is not known is refused: without it the file would have rows that nobody asked for. */
function filteredBy(filters: unknown, filterable: Filterable, today: Today): Sql | null {
  try {
    return filterCondition(filters, { ...filterable, unknown: problems.invalidQuery }, today);
  } catch (error) {
    if (!(error instanceof Problem) || error.body.key !== "invalid_query_params") throw error;
    throw problems.invalidPayload((error.body.details ?? "").replace(".filters", ".parameters.filters"));
  }
}
