import type { Cause, EventSource } from "../../events/index.js";
import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Change } from "../../recording/index.js";

/** Every kind of asynchronous work (vouchers-and-campaigns.md §7.1). */
export const async_action_types = [
  "CAMPAIGN.VOUCHERS_IMPORT",
  "CAMPAIGN.VOUCHERS_IMPORT_CSV",
  "CAMPAIGN.VOUCHERS_UPDATE",
  "CAMPAIGN.VOUCHERS_DELETE",
  "CAMPAIGN.VOUCHERS_GENERATE",
  "CAMPAIGNS.METADATA_KEY_PURGE",
  "CUSTOMERS.IMPORT_CSV",
  "CUSTOMERS.BULK_UPDATE",
  "CUSTOMERS.METADATA_UPDATE",
  "CUSTOMERS.METADATA_KEY_PURGE",
  "PRODUCTS.BULK_UPDATE",
  "PRODUCTS.METADATA_UPDATE",
  "PRODUCTS.METADATA_KEY_PURGE",
  "PRODUCTS.IMPORT_CSV",
  "SKUS.IMPORT_CSV",
  "VOUCHERS.IMPORT",
  "VOUCHERS.IMPORT_CSV",
  "VOUCHERS.BULK_UPDATE",
  "VOUCHERS.METADATA_UPDATE",
  "VOUCHERS.METADATA_KEY_PURGE",
  "ORDERS.IMPORT",
  "ORDERS.METADATA_KEY_PURGE",
] as const;

/** Work of our own, which has the same queue and is never shown as an asynchronous action. */
export const internal_types = ["EXPORTS.WRITE"] as const;

/** Those that are shown. */
type ShownType = (typeof async_action_types)[number];
export type AsyncActionType = ShownType | (typeof internal_types)[number];

const long_types: readonly AsyncActionType[] = ["CAMPAIGN.VOUCHERS_GENERATE", "EXPORTS.WRITE"];

export const async_action_statuses = ["ENQUEUED", "IN_PROGRESS", "DONE", "FAILED"] as const;
export const operation_statuses = ["UNKNOWN", "SUCCESS", "FAILED"] as const;

/** `bulk`: one at a time in a project, in the order of the requests. `long`: in slices, in turn with the others. */
export type AsyncQueue = "bulk" | "long";
export const async_queues = ["bulk", "long"] as const;

/**
 * The queue of each type (§7.2). Not said by the job: a node that only answers requests knows no jobs, and gives
 * the place in the queue all the same.
 */
export function queueOf(type: AsyncActionType): AsyncQueue {
  return long_types.includes(type) ? "long" : "bulk";
}

/** How long the rows of a result are kept after the end; the action itself is kept for ever (platform.md §10). */
export const results_kept_ms = 30 * 24 * 60 * 60_000;

/** An action as stored. */
export interface AsyncAction {
  id: string;
  type: ShownType;
  status: (typeof async_action_statuses)[number];
  operation_status: (typeof operation_statuses)[number];
  request_id: string;
  progress: number;
  result: Record<string, unknown> | null;
  created_at: Instant;
  updated_at: Instant;
}

/** An action in the hands of a runner, as a job sees it. It is the {@link Cause} of what the job tells. */
export interface RunningAction<Parameters = unknown, State = unknown> extends Cause {
  id: string;
  type: AsyncActionType;
  event_source: EventSource;
  /** What the request that started it handed over. */
  parameters: Parameters;
  /** What the slice before left for this one; null before the first. */
  state: State | null;
  /** Counted by the slices before. */
  done_count: number;
  failed_count: number;
  /** The instant of this slice. */
  instant: Instant;
  /** How many rows this slice may take on; moves with the time that slices took, so that none takes 2 s. */
  rows_max: number;
}

/** What one slice did. Written together with the slice's own rows. */
export type Slice = {
  /** Rows of this slice alone. */
  done_count?: number;
  failed_count?: number;
  /** Rows of the result file; the number is the item's. */
  rows?: readonly { number: number; outcome: unknown }[];
} & (
  | { done: false /** 0 to 99. */; progress: number; state?: unknown }
  | { done: true; result: Record<string, unknown> /** Ends as FAILED; what was written stays. */; is_aborted?: boolean }
);

/** How one type of action is done: a bounded step at a time, each in a transaction of its own. */
export interface AsyncJob<Parameters = unknown, State = unknown> {
  type: AsyncActionType;
  /** The rows that a first slice takes, and the most that any may take. */
  rows: { start: number; max: number };
  /**
   * The next step, in the change that also writes what it answers. What it throws rolls back and is tried again, but for
   * {@link CannotGoOn}. It takes its keys once, like any other change.
   */
  slice(
    change: Change,
    action: RunningAction<Parameters, State>,
    tools: Pick<Context, "seal" | "turns">,
  ): Promise<Slice>;
  /** Told in the change that makes the action FAILED. */
  failed?(change: Change, action: RunningAction<Parameters, State>, reason: string): Promise<void>;
}

/** Thrown by a job that no further try can help; the message is shown to the caller. */
export class CannotGoOn extends Error {}
