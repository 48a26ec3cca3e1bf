import { bounds } from "../../platform/bounds.js";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { LockKey } from "../../platform/db/locks.js";
import { instantOrNull } from "../../platform/http/dates.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { type Change, holding } from "../../recording/index.js";
import { refusals } from "../../terms/index.js";
import type { Call } from "../projects/index.js";
import { type AsyncAction, type AsyncActionType, queueOf } from "./async-action.js";
import { withReportUrls } from "./async-action.report.js";
import type { AsyncActionBody, AsyncActionList, AsyncActionListed, AsyncActionQuery } from "./async-action.schemas.js";
import {
  countUnfinished,
  findAsyncAction,
  insertAsyncAction,
  insertItems,
  lastPosition,
  listAsyncActions,
} from "./async-action.store.js";

export interface NewAsyncAction {
  /** Where something of it is stored under its id already. */
  id?: string;
  type: AsyncActionType;
  /** Small; every slice reads it. */
  parameters: Record<string, unknown>;
  /** What a bulk request was sent, in its order, the JSON of each; a slice reads its own part with `readItems`. */
  items?: readonly string[];
}

/**
 * Starts an action in the change of the request that asks for it; answers the id for `async_action_id`.
 *
 * A bulk action takes the project's {@link bulkQueueKey} until the transaction ends. A caller with keys of its own
 * includes that key among them, so that all are taken in one order; taking it again here costs nothing.
 */
export async function startAsyncAction(
  { tx, cause, ring }: Change,
  { id = newId("aa"), type, parameters, items = [] }: NewAsyncAction,
): Promise<string> {
  const { project_id } = cause;
  const { async_actions_max } = bounds();
  // Nobody waits for others to count: of requests at once some may pass together.
  if ((await countUnfinished(tx, project_id, async_actions_max)) >= async_actions_max)
    throw refusals.asyncActionsLimitExceeded(async_actions_max);
  const queue = queueOf(type);
  let position: number | null = null;
  if (queue === "bulk") {
    // A number drawn from a sequence is in the order of drawing, and a transaction may draw first and commit last.
    // Under the key, whoever has the next number began to read only after the one before was committed.
    position = (await holding(tx, [bulkQueueKey(project_id)], () => lastPosition(tx, project_id))) + 1;
  }
  await insertAsyncAction(tx, cause, { id, type, queue, position, parameters });
  await insertItems(tx, project_id, id, items);
  ring("async_actions");
  return id;
}

/** The key under which places in a project's bulk queue are given. */
export function bulkQueueKey(project_id: string): LockKey {
  return { project_id, kind: "name", id: "bulk queue" };
}

export async function readAsyncAction(context: Context, { project_id }: Call, id: string): Promise<AsyncActionBody> {
  const action = await findAsyncAction(context.db, project_id, id);
  if (!action) throw problems.notFound("async_action", id);
  const result = withReportUrls(context, project_id, action);
  return {
    ...toListed(action),
    processing_time: Math.max(0, action.updated_at - action.created_at),
    result: result ?? null,
  };
}

export async function readAsyncActions({ db }: Context, call: Call, query: AsyncActionQuery): Promise<AsyncActionList> {
  const { limit = 10, end_date } = query;
  // One more than asked for tells whether there are more.
  const actions = await listAsyncActions(db, call.project_id, instantOrNull(end_date), limit + 1);
  return {
    object: "list",
    data_ref: "async_actions",
    async_actions: actions.slice(0, limit).map(toListed),
    has_more: actions.length > limit,
  };
}

function toListed({ result, created_at, updated_at, ...shown }: AsyncAction): AsyncActionListed {
  return { ...shown, created_at: isoOf(created_at), updated_at: isoOf(updated_at), object: "async_action" };
}
