import type { Cause } from "../../events/index.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import { wireArray } from "../../platform/db/connections/wire-arrays.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { jsonOf, sql } from "../../platform/db/sql.js";
import { type AsyncAction, type AsyncActionType, type AsyncQueue, internal_types } from "./async-action.js";

const fields = sql`
  async_actions.id, async_actions.type, async_actions.status, async_actions.operation_status, async_actions.request_id,
  async_actions.progress, async_actions.result, async_actions.created_at, async_actions.updated_at`;

const shown = sql`async_actions.type <> all(${internal_types}::text[])`;

export const findAsyncAction = (db: Queries, project_id: string, id: string) =>
  db.maybe<AsyncAction>(sql`
    select ${fields} from async_actions
     where async_actions.project_id = ${project_id} and async_actions.id = ${id} and ${shown}`);

/** Newest first. */
export const listAsyncActions = (db: Queries, project_id: string, before: Instant | null, limit: number) =>
  db.many<AsyncAction>(sql`
    select ${fields} from async_actions
     where async_actions.project_id = ${project_id} and ${shown}
       and (${isoOf(before)}::timestamptz is null or async_actions.created_at < ${isoOf(before)})
     order by async_actions.created_at desc, async_actions.id desc
     limit ${limit}`);

/** The last place given in the project's bulk queue. Runs under the queue's key. */
export async function lastPosition(tx: Tx, project_id: string): Promise<number> {
  const { position } = await tx.one<{ position: number }>(sql`
    select coalesce(max(async_actions.position), 0) as position from async_actions
     where async_actions.project_id = ${project_id} and async_actions.position is not null`);
  return position;
}

/** How many of the project's actions have not ended, as far as it is asked. */
export async function countUnfinished(tx: Tx, project_id: string, count_max: number): Promise<number> {
  // A queue at a time, as the indexes on what has not ended are.
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*) as count
      from unnest(array['bulk', 'long']) as known (queue),
           lateral (select from async_actions
                     where async_actions.project_id = ${project_id} and async_actions.queue = known.queue
                       and async_actions.status in ('ENQUEUED', 'IN_PROGRESS')
                     limit ${count_max}) as unfinished`);
  return count;
}

interface AsyncActionRow {
  id: string;
  type: AsyncActionType;
  queue: AsyncQueue;
  position: number | null;
  parameters: Record<string, unknown>;
}

export const insertAsyncAction = (tx: Tx, cause: Cause, action: AsyncActionRow) =>
  tx.run(sql`
    insert into async_actions (project_id, id, type, queue, position, status, operation_status, request_id,
                               event_source, parameters, due_at, created_at, updated_at)
    values (${cause.project_id}, ${action.id}, ${action.type}, ${action.queue}, ${action.position}, 'ENQUEUED',
            'UNKNOWN', ${cause.request_id}, ${jsonOf(cause.event_source)}, ${jsonOf(action.parameters)},
            ${isoOf(cause.instant)}, ${isoOf(cause.instant)}, ${isoOf(cause.instant)})`);

/** Forgets work of our own, whether it has ended or not; a slice that runs is waited for. */
export const deleteInternal = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`
    delete from async_actions
     where async_actions.project_id = ${project_id} and async_actions.id = ${id} and not ${shown}`);

/** Characters of items that are written together: what the driver and a statement do with them is one stretch. */
const written_together = 500_000;

/**
 * Numbered from 1, in the order of the request.
 * @param items the JSON of each
 */
export async function insertItems(
  tx: Tx,
  project_id: string,
  action_id: string,
  items: readonly string[],
): Promise<void> {
  let first = 0;
  let length = 0;
  for (const [i, item] of items.entries()) {
    length += item.length;
    if (length < written_together && i < items.length - 1) continue;
    await tx.run(sql`
      insert into async_action_items (project_id, action_id, number, item)
      select ${project_id}, ${action_id}, ${first}::bigint + sent.number, sent.item
        from unnest(${wireArray("jsonb", items.slice(first, i + 1))}::jsonb[]) with ordinality as sent (item, number)`);
    first = i + 1;
    length = 0;
  }
}

/** The action's next items after the given number, in their order. */
export const readItems = <Item>(
  db: Queries,
  { project_id, id }: { project_id: string; id: string },
  after: number,
  items_max: number,
) =>
  db.many<{ number: number; item: Item }>(sql`
    select async_action_items.number, async_action_items.item from async_action_items
     where async_action_items.project_id = ${project_id}
       and async_action_items.action_id = ${id}
       and async_action_items.number > ${after}
     order by async_action_items.number
     limit ${items_max}`);

/** The next rows of an action's result file after the given number, in their order. */
export const readResultRows = <Outcome>(
  db: Queries,
  { project_id, id }: { project_id: string; id: string },
  after: number,
  rows_max: number,
) =>
  db.many<{ number: number; outcome: Outcome }>(sql`
    select async_action_rows.number, async_action_rows.outcome from async_action_rows
     where async_action_rows.project_id = ${project_id}
       and async_action_rows.action_id = ${id}
       and async_action_rows.number > ${after}
     order by async_action_rows.number
     limit ${rows_max}`);

/**
 * What became of the other actions of this one's type that were given the same value for a parameter: whether one has not
 * ended, and whether one has failed since this one was started. Asked under a key that all of them end under.
 */
export const findBeside = (db: Queries, { project_id, id }: { project_id: string; id: string }, parameter: string) =>
  db.one<{ some_go_on: boolean; some_failed: boolean }>(sql`
    select exists (select from async_actions as other
                    where other.project_id = own.project_id and other.queue = own.queue and other.type = own.type
                      and other.status in ('ENQUEUED', 'IN_PROGRESS') and other.id <> own.id
                      and other.parameters ->> ${parameter} = own.parameters ->> ${parameter}) as some_go_on,
           exists (select from async_actions as other
                    where other.project_id = own.project_id and other.status = 'FAILED' and other.type = own.type
                      and other.updated_at >= own.created_at and other.id <> own.id
                      and other.parameters ->> ${parameter} = own.parameters ->> ${parameter}) as some_failed
      from async_actions as own
     where own.project_id = ${project_id} and own.id = ${id}`);
