import type { Instant } from "../../platform/clock.js";
import type { CsvFormulas } from "../../platform/csv/write.js";

export const export_statuses = ["SCHEDULED", "IN_PROGRESS", "DONE", "ERROR"] as const;
export type ExportStatus = (typeof export_statuses)[number];

/** What was asked for, as it was sent; the order is filled in. */
export interface ExportParameters {
  order: string;
  fields?: string[];
  filters?: Record<string, unknown>;
  [more: string]: unknown;
}

/** A column of the file: a field of the object, or a key of its metadata. */
export interface ExportColumn {
  title: string;
  field?: string;
  metadata_key?: string;
}

/** What was settled when the export was asked for, so that every slice, whoever writes it, writes alike. */
export interface ExportPlan {
  columns: readonly ExportColumn[];
  formulas: CsvFormulas;
  public_url: string;
  /** Of which one thing the rows must be, by the names of parameters, whatever filters say beside it. */
  scope: Readonly<Record<string, string>>;
  /** As they were sent: the parameters show the scope among them. Exports that are older have them there alone. */
  filters?: Readonly<Record<string, unknown>>;
  bytes_max: number;
}

/** The one thing that the address of an export names. */
export interface Within {
  field: string;
  id: string;
  /** As the filters of the answer say it: the contract writes a card's code under the name of its id (§10.5). */
  name: string;
}

/** An export as stored. */
export interface ExportRow {
  id: string;
  exported_object: string;
  status: ExportStatus;
  channel: string;
  /** Who was signed in and asked for it. */
  user_id: string | null;
  parameters: ExportParameters;
  plan: ExportPlan;
  /** The asynchronous action that writes it. */
  action_id: string;
  /** Pieces and bytes of the file so far. */
  parts: number;
  bytes: number;
  /** Why there is no file. */
  error: string | null;
  created_at: Instant;
  /** From then on it is gone, file and all. */
  expires_at: Instant;
}

/** Exports of a project that wait or are being written, and those that are kept. */
export const under_way_max = 20;
export const kept_max = 1_000;
/** Bytes of all files that a project keeps, unless one alone may be larger. */
export const kept_bytes_max = 4 * 2 ** 30;
/** Columns of a file, and fields that one may be asked for. */
export const columns_max = 1_000;
export const fields_max = 200;
/** Bytes of a piece: what a download holds in memory at once. */
export const part_bytes = 2 ** 20;
