import type { EventSource } from "../../events/index.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { jsonColumn, jsonOf, type Sql, sql } from "../../platform/db/sql.js";
import { isServed } from "../../platform/jobs/served.js";
import { type AsyncActionType, type AsyncQueue, results_kept_ms } from "./async-action.js";

/** An action and the token that its runner holds. */
export interface Leased {
  project_id: string;
  id: string;
  type: AsyncActionType;
  request_id: string;
  event_source: EventSource;
  parameters: unknown;
  state: unknown;
  done_count: number;
  failed_count: number;
  failures: number;
  lease_token: string;
}

const unfinished = sql`async_actions.status in ('ENQUEUED', 'IN_PROGRESS')`;

/** What a runner may take: its jobs' types, and whom it served before, longest ago first. */
export interface Wanted {
  types: readonly AsyncActionType[];
  instant: Instant;
  served: readonly string[];
  /** Null: every project. */
  project_ids: readonly string[] | null;
}

export interface Candidate {
  project_id: string;
  id: string;
}

const candidates_max = 8;

const mayRun = (action: Sql, { types, instant }: Pick<Wanted, "types" | "instant">) => sql`
  ${action}.type = any(${types}::text[]) and ${action}.due_at <= ${isoOf(instant)}
  and (${action}.leased_until is null or ${action}.leased_until <= ${isoOf(instant)})`;

const inQueue = (queue: AsyncQueue) =>
  queue === "bulk" ? sql`async_actions.queue = 'bulk'` : sql`async_actions.queue = 'long'`;

/** Whether an action waits that may be done; behind a head that waits for another try it is said of one that may not. */
export const someDue = (queue: AsyncQueue, { project_ids, ...wanted }: Omit<Wanted, "served">): Sql => sql`
  exists (select from async_actions
           where ${inQueue(queue)} and ${unfinished} and ${mayRun(sql`async_actions`, wanted)}
             and ${isServed(sql`async_actions.project_id`, project_ids)})`;

/** At most one action of each project that waits for a runner, the project that was served longest ago first. */
export function findDue(
  db: Queries,
  queue: AsyncQueue,
  { served, project_ids, ...wanted }: Wanted,
): Promise<Candidate[]> {
  const in_queue = inQueue(queue);
  // Of a bulk queue only the head may run, also while it waits for another try; nothing overtakes it. Of the long
  // actions whichever may run and had its turn longest ago.
  const head =
    queue === "bulk"
      ? sql`order by async_actions.position limit 1`
      : sql`and ${mayRun(sql`async_actions`, wanted)} order by async_actions.turn, async_actions.id limit 1`;
  // Steps from project to project along the index: the cost is that of the projects with work, not of the work.
  return db.many<Candidate>(sql`-- every project: the runner serves them all
    with recursive project (id) as (
      (select async_actions.project_id from async_actions
        where ${in_queue} and ${unfinished}
        order by async_actions.project_id limit 1)
      union all
      select (select async_actions.project_id from async_actions
               where ${in_queue} and ${unfinished} and async_actions.project_id > project.id
               order by async_actions.project_id limit 1)
        from project where project.id is not null
    )
    select head.project_id, head.id
      from project
      cross join lateral (
        select async_actions.* from async_actions
         where async_actions.project_id = project.id and ${in_queue} and ${unfinished} ${head}
      ) as head
     where ${mayRun(sql`head`, wanted)}
       and ${isServed(sql`head.project_id`, project_ids)}
     order by array_position(${served}::text[], head.project_id) nulls first, head.created_at, head.id
     limit ${candidates_max}`);
}

/**
 * Takes the action, if nobody has it. One whose runner is still writing is passed over, however old its lease: that
 * runner holds the row. A lease that ran out was its runner's end, and counts as a failed try.
 */
export const lease = (db: Queries, { project_id, id }: Candidate, token: string, instant: Instant, until: Instant) =>
  db.maybe<Leased>(sql`
    with mine as (
      select async_actions.project_id, async_actions.id from async_actions
       where async_actions.project_id = ${project_id} and async_actions.id = ${id} and ${unfinished}
         and async_actions.due_at <= ${isoOf(instant)}
         and (async_actions.leased_until is null or async_actions.leased_until <= ${isoOf(instant)})
         for update skip locked
    )
    update async_actions
       set status = 'IN_PROGRESS', lease_token = ${token}, leased_until = ${isoOf(until)}, updated_at = ${isoOf(instant)},
           failures = async_actions.failures + (async_actions.lease_token is not null)::int,
           turn = 1 + (select coalesce(max(other.turn), 0) from async_actions as other
                        where other.project_id = ${project_id} and other.queue = 'long'
                          and other.status in ('ENQUEUED', 'IN_PROGRESS'))
      from mine
     where async_actions.project_id = mine.project_id and async_actions.id = mine.id
    returning async_actions.project_id, async_actions.id, async_actions.type, async_actions.request_id,
              async_actions.event_source, async_actions.parameters, async_actions.state, async_actions.done_count,
              async_actions.failed_count, async_actions.failures, async_actions.lease_token`);

/** Whether the token still holds; if so the action is nobody else's until the transaction ends. */
export async function holdLease(tx: Tx, { project_id, id, lease_token }: Leased): Promise<boolean> {
  const held = await tx.maybe(sql`
    select async_actions.id from async_actions
     where async_actions.project_id = ${project_id} and async_actions.id = ${id}
       and async_actions.lease_token = ${lease_token} and ${unfinished}
       for update`);
  return held !== undefined;
}

export async function insertRows(
  tx: Tx,
  { project_id, id }: Leased,
  rows: readonly { number: number; outcome: unknown }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(sql`
    insert into async_action_rows (project_id, action_id, number, outcome)
    select ${project_id}, ${id}, row.number, row.outcome
      from unnest(${rows.map((row) => row.number)}::bigint[], ${jsonColumn(rows, "outcome", "jsonb")}::jsonb[])
             as row (number, outcome)`);
}

export interface Progress {
  done_count: number;
  failed_count: number;
  progress: number;
  state: unknown;
  instant: Instant;
}

/** Writes how far the action is and hands the lease back. Answers how many rows the token held: one. */
export const recordProgress = (tx: Tx, { project_id, id, lease_token }: Leased, now: Progress) =>
  tx.run(sql`
    update async_actions
       set done_count = ${now.done_count}, failed_count = ${now.failed_count}, progress = ${now.progress},
           state = ${jsonOf(now.state)}, failures = 0, lease_token = null, leased_until = null,
           updated_at = ${isoOf(now.instant)}
     where async_actions.project_id = ${project_id} and async_actions.id = ${id}
       and async_actions.lease_token = ${lease_token}`);

export interface Ending {
  status: "DONE" | "FAILED";
  operation_status: "SUCCESS" | "FAILED";
  done_count: number;
  failed_count: number;
  /** 100 when done; null leaves what it was. */
  progress: number | null;
  result: Record<string, unknown>;
  instant: Instant;
}

/** Ends the action and forgets what it was sent. Answers how many rows the token held: one. */
export async function recordEnd(tx: Tx, { project_id, id, lease_token }: Leased, end: Ending): Promise<number> {
  await tx.run(sql`
    delete from async_action_items
     where async_action_items.project_id = ${project_id} and async_action_items.action_id = ${id}`);
  return tx.run(sql`
    update async_actions
       set status = ${end.status}, operation_status = ${end.operation_status}, done_count = ${end.done_count},
           failed_count = ${end.failed_count}, progress = coalesce(${end.progress}, async_actions.progress),
           result = ${jsonOf(end.result)}, results_until = ${isoOf(end.instant + results_kept_ms)}, state = null, lease_token = null, leased_until = null,
           updated_at = ${isoOf(end.instant)}
     where async_actions.project_id = ${project_id} and async_actions.id = ${id}
       and async_actions.lease_token = ${lease_token}`);
}

/** Hands the action back after a failed try. */
export const recordTry = (tx: Tx, { project_id, id, lease_token }: Leased, failures: number, due_at: Instant) =>
  tx.run(sql`
    update async_actions
       set failures = ${failures}, due_at = ${isoOf(due_at)}, lease_token = null, leased_until = null
     where async_actions.project_id = ${project_id} and async_actions.id = ${id}
       and async_actions.lease_token = ${lease_token}`);
