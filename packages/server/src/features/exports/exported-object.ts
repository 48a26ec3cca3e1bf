import { type Instant, isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { CsvCell } from "../../platform/csv/write.js";
import type { Queries } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import type { Filterable, SortKey } from "../../platform/listing/index.js";
import type { Seal } from "../../platform/secrets.js";
import type { MetadataObject } from "../../terms/index.js";
import type { Project } from "../projects/index.js";

/** What reading and filtering ask of a project. */
export type ExportProject = Pick<Project, "id" | "timezone" | "case_sensitive_codes">;

/** What cells are made with beside the row: where clients reach the service, and what seals the ids of assets. */
export interface Showing {
  project_id: string;
  seal: Seal;
  public_url: string;
}

/** One field of an exported object: what is read of a row, and how it is written where it does not stand as it is. */
export interface ExportField {
  value: Sql;
  /** The join that it is read from; one that no field of a file needs is not made. */
  from?: string | undefined;
  cell?(value: unknown, showing: Showing): CsvCell;
}

export type Filters = Readonly<Record<string, unknown>>;

/** Whom filters are asked about, and when. */
export interface Judging {
  db: Queries;
  turns: Context["turns"];
  project: ExportProject;
  instant: Instant;
  filters: Filters;
}

/** Filters that are told by looking at each row alone, where no statement finds those that satisfy them. */
export interface JudgedFilters {
  /** Whether they have a field that is told so; then the whole of them is. */
  asks(filters: Filters): boolean;
  /** Refuses what cannot be asked. */
  check(filters: Filters): void;
  /** Those of the rows that satisfy them, by their ids. */
  held(judging: Judging, ids: readonly string[]): Promise<string[]>;
}

/** Where rows come from and what each may show. */
export interface ExportRows {
  /** The table that is walked over; it has `project_id`. */
  table: Sql;
  /** What may stand behind it in the `from`, by names of its own, in their order; each leaves the number of rows as it is. */
  joins?: Readonly<Record<string, Sql>>;
  /** Which rows there are at all. */
  conditions?: readonly Sql[];
  fields: Readonly<Record<string, ExportField>>;
  orders: Readonly<Record<string, SortKey>>;
  filterable: Filterable;
  judged?: JudgedFilters;
  /** Parameters beside filters, each a condition on its value. */
  only?: Readonly<Record<string, (value: string) => Sql>>;
  /** Whose keys are the columns of `metadata`. */
  metadata?: { object: MetadataObject; document: Sql };
}

/**
 * What can be exported (vouchers-and-campaigns.md §10.2), declared by the feature that owns it and plugged in by the
 * composition: the exports know no object by name.
 */
export interface ExportedObject {
  /** As `exported_object` names it. */
  name: string;
  default_fields: readonly string[];
  default_order: string;
  of(project: ExportProject): ExportRows;
}

/** Stands as it is read: texts, numbers, truths, and lists of them. */
export const asItIs = (value: Sql, from?: string): ExportField => ({ value, from });

/** ISO 8601 in UTC. */
export const moment = (value: Sql, from?: string): ExportField => ({
  value,
  from,
  cell: (at) => (at === null ? null : isoOf(at as number)),
});

/** Minor units, shown in major ones with two decimals (§10.4). */
export const money = (value: Sql, from?: string): ExportField => ({
  value,
  from,
  cell: (minor) => (minor === null ? null : moneyCell(Number(minor))),
});

/** A document, as JSON text. */
export const json = (value: Sql, from?: string): ExportField => ({
  value,
  from,
  cell: (document) => (document === null ? null : JSON.stringify(document)),
});

/** The same text in every row. */
export const always = (text: string): ExportField => asItIs(sql`${text}::text`);

export function moneyCell(minor: number): CsvCell {
  // A discount may be a fraction of the smallest unit.
  if (!Number.isInteger(minor)) return { number: String(minor / 100) };
  const digits = String(Math.abs(minor)).padStart(3, "0");
  return { number: `${minor < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}` };
}
