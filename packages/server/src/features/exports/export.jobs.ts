import type { Context } from "../../platform/context.js";
import { type CsvCell, csvText } from "../../platform/csv/write.js";
import type { Tx } from "../../platform/db/database.js";
import { joined, type Sql, sql, verbatim } from "../../platform/db/sql.js";
import { Problem } from "../../platform/http/problems.js";
import { areMany, type Order, orderOf, readSlice, type Seen, walkInOrder } from "../../platform/listing/index.js";
import type { Change } from "../../recording/index.js";
import { type AsyncJob, CannotGoOn, type RunningAction } from "../async-actions/index.js";
import { findProject } from "../projects/index.js";
import { type WantedRows, wantedRows } from "./asked.js";
import { type ExportColumn, type ExportRow, kept_bytes_max, part_bytes } from "./export.js";
import { countExports, holdExport, insertParts, recordExport, recordExportError } from "./export.store.js";
import type { ExportedObject, ExportField, ExportProject, ExportRows, Showing } from "./exported-object.js";

type Parameters = { export_id: string };
interface State {
  after: Seen;
  /** So many rows that they are read in the order of an index, however well a filter's own would find them. */
  are_many: boolean;
}

/** Writes files piece by piece, each in the transaction that says how far the export is. */
export function exportJob(objects: readonly ExportedObject[]): AsyncJob {
  const by_name = new Map(objects.map((object) => [object.name, object]));
  const job: AsyncJob<Parameters, State> = {
    type: "EXPORTS.WRITE",
    rows: { start: 500, max: 2_000 },
    async slice(change, action, { seal, turns }) {
      const { project_id } = action;
      const found = await holdExport(change.tx, project_id, action.parameters.export_id);
      // Deleted, or expired before its turn.
      if (!found) return { done: true, result: {} };
      const object = by_name.get(found.exported_object);
      const project = await findProject(change.tx, project_id);
      if (!object || !project) throw new CannotGoOn("What is to be exported is not known.");
      const showing = { project_id, seal, public_url: found.plan.public_url };
      const read = await readRows(change, action, found, object.of(project), { project, showing, turns });
      const rows = action.state === null ? [found.plan.columns.map(({ title }) => title), ...read.rows] : read.rows;
      const written = await append(change, action, found, Buffer.from(csvText(rows, found.plan.formulas)));
      await recordExport(change.tx, project_id, written, read.is_last ? "DONE" : "IN_PROGRESS");
      const counted = { done_count: read.rows.length };
      if (read.is_last) return { ...counted, done: true, result: {} };
      return { ...counted, done: false, progress: 0, state: read.state };
    },
    failed: ({ tx }, { project_id, parameters }, reason) =>
      recordExportError(tx, project_id, parameters.export_id, reason),
  };
  return job as AsyncJob;
}

async function readRows(
  { tx }: Change,
  { state, rows_max }: RunningAction<Parameters, State>,
  { parameters, plan, created_at }: ExportRow,
  rows: ExportRows,
  { project, showing, turns }: { project: ExportProject; showing: Showing; turns: Context["turns"] },
) {
  const { table, joins = {}, metadata, orders } = rows;
  const { columns } = plan;
  const asked = columns.map(({ field }) => fieldOf(rows, field));
  const has_keys = columns.some(({ metadata_key }) => metadata_key !== undefined);
  const values = asked.flatMap((field, i) => (field ? sql`${field.value} as ${verbatim(`cell_${i}`)}` : []));
  const needed = new Set(asked.map((field) => field?.from));
  const joined_with = Object.entries(joins).flatMap(([name, join]) => (needed.has(name) ? join : []));
  const document = has_keys && metadata ? [sql`${metadata.document} as document`] : [];
  const wanted = wantedRows(rows, { ...parameters, ...plan }, project, created_at);
  const are_many = state?.are_many ?? (await areMany(tx, project.id, { table }, wanted.conditions));
  if (are_many) await walkInOrder(tx);
  const read = await nextRows(tx, rows, wanted, {
    ...{ project, turns, instant: created_at, after: state?.after ?? null, rows_max },
    ...{ joins: joined_with, fields: joined([...values, ...document], ","), order: orderOf(parameters.order, orders) },
  });
  const cellsOf = (row: Record<string, unknown>) =>
    columns.map(({ metadata_key }, i): CsvCell => {
      const field = asked[i];
      if (!field) return plainCell((row.document as Record<string, unknown> | null)?.[metadata_key ?? ""]);
      const value = row[`cell_${i}`];
      return field.cell ? field.cell(value, showing) : plainCell(value);
    });
  const { after, is_last } = read;
  return { rows: read.rows.map(cellsOf), state: { after, are_many } satisfies State, is_last };
}

/** How far a file is, and what is read for it. */
interface Reading {
  project: ExportProject;
  turns: Context["turns"];
  /** When the file was asked for. */
  instant: number;
  after: Seen;
  rows_max: number;
  joins: readonly Sql[];
  fields: Sql;
  order: Order;
}

/** The next rows that are wanted; fewer than were walked over where each is asked about alone. */
async function nextRows(tx: Tx, rows: ExportRows, { conditions, judged }: WantedRows, reading: Reading) {
  const { table } = rows;
  const { project, turns, instant, after, rows_max, joins, fields, order } = reading;
  const slice = { order, after, rows_max };
  if (judged === null || !rows.judged) {
    const read = await readSlice<Record<string, unknown>>(
      tx,
      project.id,
      { table, joins, fields },
      { conditions, ...slice },
    );
    return { ...read, is_last: read.rows.length < rows_max };
  }
  const walked = await readSlice<{ id: string }>(
    tx,
    project.id,
    { table, joins: [], fields: sql`${table}.id` },
    { conditions, ...slice },
  );
  const ids = walked.rows.map(({ id }) => id);
  const held = await rows.judged.held({ db: tx, turns, project, instant, filters: judged }, ids).catch(cannotGoOn);
  const { rows: found } = await readSlice<Record<string, unknown>>(
    tx,
    project.id,
    { table, joins, fields },
    { conditions: [sql`${table}.id = any(${held}::text[])`], ...slice, after: null },
  );
  return { rows: found, after: walked.after, is_last: ids.length < rows_max };
}

/** Of somebody more is asked than anybody may be: no further try helps. */
function cannotGoOn(error: unknown): never {
  throw error instanceof Problem ? new CannotGoOn(error.body.details ?? error.message) : error;
}

function fieldOf({ fields, metadata }: ExportRows, name: ExportColumn["field"]): ExportField | undefined {
  if (name === undefined) return undefined;
  const field = fields[name] ?? (name === "metadata" && metadata ? { value: metadata.document } : undefined);
  // A file that was asked for before the service lost a field.
  if (!field) throw new CannotGoOn(`There is no field ${name} by now.`);
  return field;
}

/** A value as it is; what is no list of plain values is written as JSON. */
function plainCell(value: unknown): CsvCell {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value) && value.every((one) => typeof one === "string" || typeof one === "number")) return value;
  return JSON.stringify(value);
}

/** Writes the text behind what there is of the file; answers how far that is. */
async function append(
  { tx }: Change,
  { project_id, instant }: RunningAction<Parameters, State>,
  found: ExportRow,
  text: Buffer,
) {
  const { bytes_max } = found.plan;
  const pieces = Array.from({ length: Math.ceil(text.length / part_bytes) }, (_none, i) =>
    text.subarray(i * part_bytes, (i + 1) * part_bytes),
  );
  const written = { id: found.id, parts: found.parts + pieces.length, bytes: found.bytes + text.length };
  if (written.bytes > bytes_max) throw new CannotGoOn(`The file would be larger than ${bytes_max} bytes.`);
  const kept = (await countExports(tx, project_id, instant)).bytes + text.length;
  const project_bytes_max = Math.max(kept_bytes_max, bytes_max);
  if (kept > project_bytes_max) {
    throw new CannotGoOn(`The files of the project would have more than ${project_bytes_max} bytes.`);
  }
  await insertParts(tx, project_id, found, pieces);
  return written;
}
