import { bounds, isNoLarger, largerThan } from "../../platform/bounds.js";
import type { Context } from "../../platform/context.js";
import { type Problem, problems } from "../../platform/http/problems.js";
import { slices } from "../../platform/sharing/slices.js";
import { type Change, change, type Requested } from "../../recording/index.js";
import { type MetadataObject, type MetadataSchemas, refusals } from "../../terms/index.js";
import type { AsyncActionType, AsyncJob, RunningAction, Slice } from "./async-action.js";
import { type BulkError, type BulkOutcome, bulkResult, errors_max } from "./async-action.report.js";
import { startAsyncAction } from "./async-action.service.js";
import { readItems } from "./async-action.store.js";

/** The most bytes that entries which are changed together may bring, so that reading and writing them is no long stretch; one alone may be larger. */
const bytes_max = 128_000;

type Metadata = Readonly<Record<string, unknown>>;

/** Some entries of a bulk request, one item of its action. An item an entry would be half a million rows. */
interface Chunk<Entry> {
  /** The number of the first, from 1, in the order of the request. */
  first: number;
  entries: Entry[];
}

/** How many resources a bulk request names in all; a metadata update brings the one change of all. */
export interface BulkParameters {
  count: number;
  metadata?: Record<string, unknown>;
}

interface BulkRequest<Entry> {
  type: AsyncActionType;
  entries: readonly Entry[];
  /** Entries that are changed together at most. */
  together_max: number;
  /** Of a metadata update: what each entry brings; else an entry brings itself. */
  metadata?: Record<string, unknown>;
}

/** Starts a bulk request: its entries are taken in their order, once those before it have ended (vouchers-and-campaigns.md §8). */
export async function startBulk<Entry>(
  context: Context,
  call: Requested,
  { type, entries, metadata, together_max }: BulkRequest<Entry>,
): Promise<{ async_action_id: string }> {
  const parameters = { count: entries.length, ...(metadata === undefined ? {} : { metadata }) };
  const action = { type, parameters, items: await chunksOf({ entries, metadata, together_max }) };
  return change(context, call, async (change) => ({ async_action_id: await startAsyncAction(change, action) }));
}

/** Cuts the entries where the next one would make too many or too much; answers the JSON of each {@link Chunk}. */
async function chunksOf<Entry>({
  entries,
  metadata,
  together_max,
}: Pick<BulkRequest<Entry>, "entries" | "metadata" | "together_max">): Promise<string[]> {
  const each = metadata && JSON.stringify(metadata).length;
  const chunks: string[] = [];
  const breathe = slices();
  let texts: string[] = [];
  let bytes = 0;
  const cut = (end: number) => {
    chunks.push(`{"first":${end - texts.length + 1},"entries":[${texts.join(",")}]}`);
    texts = [];
    bytes = 0;
  };
  for (const [i, entry] of entries.entries()) {
    const text = JSON.stringify(entry);
    const brought = each ?? text.length;
    if (texts.length === together_max || (texts.length > 0 && bytes + brought > bytes_max)) cut(i);
    texts.push(text);
    bytes += brought;
    await breathe();
  }
  if (texts.length > 0) cut(entries.length);
  return chunks;
}

/** Where the next slice begins, and what the report's reader is told at once. */
interface BulkState {
  after: number;
  errors: BulkError[];
}

type BulkAction = RunningAction<BulkParameters, BulkState>;

/** What became of one entry, under the name that its resource has in the request. */
export type NamedOutcome = BulkOutcome & ({ code: string } | { source_id: string });

interface BulkJob<Entry> {
  type: AsyncActionType;
  /** Chunks that a slice takes. */
  rows: { start: number; max: number };
  /** Changes the resources, in the order of their entries; answers what became of each. */
  apply(change: Change, action: BulkAction, entries: readonly Entry[]): Promise<NamedOutcome[]>;
}

/** A bulk request as a job: a slice takes some chunks, and writes their rows of the report with them. */
export function bulkJob<Entry>({ type, rows, apply }: BulkJob<Entry>): AsyncJob<BulkParameters, BulkState> {
  return { type, rows, slice };

  async function slice(change: Change, action: BulkAction): Promise<Slice> {
    const { parameters, state, rows_max, done_count, failed_count } = action;
    const items = await readItems<Chunk<Entry>>(change.tx, action, state?.after ?? 0, rows_max);
    const outcomes = await apply(
      change,
      action,
      items.flatMap(({ item }) => item.entries),
    );
    const numbers = items.flatMap(({ item }) => item.entries.map((_, i) => item.first + i));
    const failed = outcomes.flatMap((outcome) => (outcome.error ? toldOf(type, outcome, outcome.error) : []));
    const errors = [...(state?.errors ?? []), ...failed].slice(0, errors_max);
    const done = {
      done_count: outcomes.length - failed.length,
      failed_count: failed.length,
      rows: outcomes.map((outcome, i) => ({ number: numbers[i] ?? 0, outcome })),
    };
    const total = done_count + failed_count + outcomes.length;
    const after = items.at(-1)?.number;
    if (total < parameters.count && after !== undefined) {
      return { ...done, done: false, progress: (100 * total) / parameters.count, state: { after, errors } };
    }
    const counts = { done_count: done_count + done.done_count, failed_count: failed_count + done.failed_count };
    return { ...done, done: true, result: bulkResult(counts, errors, action.instant) };
  }
}

/** With the name of the resource where the request gave each its own change (§8). */
function toldOf(type: AsyncActionType, { code, source_id }: NamedOutcome, error: BulkError): BulkError {
  if (type.endsWith(".METADATA_UPDATE")) return error;
  return code === undefined ? { ...error, source_id } : { ...error, code };
}

/** A refusal as the error of one resource. */
export function bulkError({ body }: Problem): BulkError {
  const { key = "", message, details = "" } = body;
  return { key, message, details };
}

/** Why an entry's metadata is not taken: it is off its schema, or merged into what is there more than may be held. */
export function metadataError(
  schemas: MetadataSchemas,
  object: MetadataObject,
  { sent, merged, is_made }: { sent: Metadata | null | undefined; merged: Metadata; is_made: boolean },
): BulkError | null {
  const fault = schemas.faultOf(object, sent, { is_made });
  if (fault !== null) return bulkError(refusals.invalidMetadata(fault));
  const { metadata_bytes_max } = bounds();
  if (isNoLarger(merged, metadata_bytes_max)) return null;
  return bulkError(problems.invalidPayload(`Property .metadata ${largerThan(metadata_bytes_max)}`));
}
