import { type Instant, isoOf } from "../platform/clock.js";
import type { Queries, Tx } from "../platform/db/database.js";
import { column, jsonColumn, jsonOf, type Sql, sql } from "../platform/db/sql.js";
import { isServed } from "../platform/jobs/served.js";
import type { Going, Walk } from "./kind.js";

/** A walk that begins. */
interface NewWalk<State> {
  project_id: string;
  subject_id?: string;
  /** Null: the passing of time. */
  request_id?: string | null;
  state: State;
  due_at: Instant;
}

/** What is done where a walk of the same is under way: it begins anew, or goes on as it is. */
export type UnderWay = "begin anew" | "go on";

/** Begins walks of a kind, in the transaction that makes them needed. */
export async function startWalks<State>(
  tx: Tx,
  { name, size_max }: { name: string; size_max: number },
  walks: readonly NewWalk<State>[],
  under_way: UnderWay,
): Promise<void> {
  if (walks.length === 0) return;
  const rows = walks.map(({ project_id, subject_id = "", request_id = null, state, due_at }) => ({
    ...{ project_id, subject_id, request_id, state },
    due_at: isoOf(due_at),
  }));
  const again =
    under_way === "go on"
      ? sql`do nothing`
      : sql`do update set state = excluded.state, request_id = excluded.request_id, due_at = excluded.due_at`;
  await tx.run(sql`-- every project: events of several are dispatched together
    insert into walks (project_id, kind, subject_id, request_id, state, size, due_at)
    select begun.project_id, ${name}, begun.subject_id, begun.request_id, begun.state, ${size_max}, begun.due_at
      from unnest(${column(rows, "project_id")}::text[], ${column(rows, "subject_id")}::text[],
                  ${column(rows, "request_id")}::text[], ${jsonColumn(rows, "state", "jsonb")}::jsonb[],
                  ${column(rows, "due_at")}::timestamptz[])
        as begun (project_id, subject_id, request_id, state, due_at)
     order by begun.project_id, begun.subject_id
        on conflict (project_id, kind, subject_id) ${again}`);
}

const fields = sql`walks.project_id, walks.subject_id, walks.request_id, walks.state, walks.due_at, walks.size`;

/** Whether {@link findDueWalk} has one to find. */
export const someWalkDue = (name: string, instant: Instant, project_ids: readonly string[] | null): Sql => sql`
  exists (select from walks
           where walks.kind = ${name} and walks.due_at <= ${isoOf(instant)}
             and ${isServed(sql`walks.project_id`, project_ids)})`;

/** The walk that is due and waits for its turn longest. */
export const findDueWalk = <State>(
  db: Queries,
  name: string,
  instant: Instant,
  project_ids: readonly string[] | null,
) =>
  db.maybe<Walk<State>>(sql`-- every project: one schedule walks for them all
    select ${fields} from walks
     where walks.kind = ${name} and walks.due_at <= ${isoOf(instant)}
       and ${isServed(sql`walks.project_id`, project_ids)}
     order by walks.served_at nulls first, walks.project_id
     limit 1`);

/** Those of a project that are under way or wait for their time, of these subjects. */
export const findWalks = <State>(db: Queries, name: string, project_id: string, subject_ids: readonly string[]) =>
  db.many<Walk<State>>(sql`
    select ${fields} from walks
     where walks.project_id = ${project_id} and walks.kind = ${name} and walks.subject_id = any(${subject_ids}::text[])`);

const isAt = <State>(name: string, { subject_id, state }: Walk<State>) => sql`
  walks.kind = ${name} and walks.subject_id = ${subject_id}
  and walks.state = ${jsonOf(state)}::jsonb`;

/** Nobody else's until the transaction ends; undefined where somebody has it, or it is somewhere else by now. */
export const takeWalk = <State>(tx: Tx, name: string, found: Walk<State>) =>
  tx.maybe(sql`
    select walks.project_id from walks
     where walks.project_id = ${found.project_id} and ${isAt(name, found)}
       for update skip locked`);

/** Where it goes on, unless it is somewhere else by now. */
export const goOn = <State>(
  db: Queries,
  name: string,
  found: Walk<State>,
  going: Going<State>,
  { size, instant }: { size: number; instant: Instant },
) =>
  db.run(
    going === "over"
      ? sql`delete from walks where walks.project_id = ${found.project_id} and ${isAt(name, found)}`
      : sql`
    update walks
       set state = ${jsonOf(going.state)}, due_at = ${isoOf(going.due_at ?? found.due_at)}, size = ${size}, served_at = ${isoOf(instant)}
     where walks.project_id = ${found.project_id} and ${isAt(name, found)}`,
  );
