import { type Instant, isoOf } from "../../../platform/clock.js";
import { wireArray } from "../../../platform/db/connections/wire-arrays.js";
import type { Queries } from "../../../platform/db/database.js";
import { column, type Sql, sql, textColumn } from "../../../platform/db/sql.js";
import { isAmong } from "../../../platform/jobs/served.js";
import { customersNamedIn } from "../../../terms/index.js";
import type { WebhookPlace } from "../webhooks/index.js";
import type { SendOutStatus } from "./send-out.js";
import type { DueWebhook, Share } from "./shares.js";

interface Asking {
  instant: Instant;
  /** Null: every project. */
  project_ids: readonly string[] | null;
}

/** Whether any message is due. */
export const someDue = ({ instant, project_ids }: Asking): Sql => sql`
  exists (select from send_outs where send_outs.due_at <= ${isoOf(instant)} and ${isAmong(sql`send_outs.project_id`, project_ids)})`;

/**
 * Webhooks with messages that are due, from the one behind `after` on. It steps from webhook to webhook along the index:
 * the cost is that of the webhooks with messages, not of the messages.
 */
export const findDueWebhooks = (
  db: Queries,
  {
    instant,
    project_ids,
    after,
    webhooks_max,
    due_max,
  }: Asking & { after: WebhookPlace; webhooks_max: number; due_max: number },
) =>
  db.many<DueWebhook>(sql`-- every project: whoever sends serves them all
    with recursive place (project_id, webhook_id) as (
      select ${after.project_id}::text collate "C", ${after.webhook_id}::text collate "C"
      union all
      select next.project_id, next.webhook_id
        from place
       cross join lateral (
         select send_outs.project_id, send_outs.webhook_id from send_outs
          where (send_outs.project_id, send_outs.webhook_id) > (place.project_id, place.webhook_id)
            and send_outs.due_at is not null and ${isAmong(sql`send_outs.project_id`, project_ids)}
          order by send_outs.project_id, send_outs.webhook_id
          limit 1
       ) as next
    )
    select place.project_id, place.webhook_id, counted.due, coalesce(webhooks.failing_since is not null, false) as is_failing
      from place
     cross join lateral (
       select count(*) as due
         from (select from send_outs
                where send_outs.project_id = place.project_id and send_outs.webhook_id = place.webhook_id
                  and send_outs.due_at <= ${isoOf(instant)}
                limit ${due_max}) as waiting
     ) as counted
      left join webhooks on webhooks.project_id = place.project_id and webhooks.id = place.webhook_id
     where counted.due > 0
       and (place.project_id, place.webhook_id) > (${after.project_id}, ${after.webhook_id})
     limit ${webhooks_max}`);

/** A message that is this process's for the length of a lease. */
export interface Leased extends WebhookPlace {
  id: string;
  event_id: string;
  type: string;
  entity_id: string;
  created_at: Instant;
  body: string | null;
  attempts: number;
  first_attempt_at: Instant;
  is_extra: boolean;
  lease_token: string;
}

/** Takes messages that are due, oldest first; what somebody else is just taking is passed over. */
export const leaseDue = (
  db: Queries,
  shares: readonly Share[],
  { instant, token, until }: { instant: Instant; token: string; until: Instant },
) =>
  db.many<Leased>(sql`-- every project: whoever sends serves them all
    with taken as materialized (
      select mine.*
        from unnest(${column(shares, "project_id")}::text[], ${column(shares, "webhook_id")}::text[],
                    ${column(shares, "rows_max")}::int[]) as share (project_id, webhook_id, rows_max)
       cross join lateral (
         select send_outs.project_id, send_outs.created_at, send_outs.id from send_outs
          where send_outs.project_id = share.project_id and send_outs.webhook_id = share.webhook_id
            and send_outs.due_at <= ${isoOf(instant)}
          order by send_outs.due_at
          limit share.rows_max
            for update skip locked
       ) as mine
    )
    update send_outs
       set due_at = ${isoOf(until)}, lease_token = ${token},
           first_attempt_at = coalesce(send_outs.first_attempt_at, ${isoOf(instant)})
      from taken
     where send_outs.project_id = taken.project_id and send_outs.created_at = taken.created_at and send_outs.id = taken.id
    returning send_outs.project_id, send_outs.id, send_outs.webhook_id, send_outs.event_id, send_outs.type,
              send_outs.entity_id, send_outs.created_at, send_outs.body, send_outs.attempts, send_outs.first_attempt_at,
              send_outs.is_extra, send_outs.lease_token`);

const places = (rows: readonly Pick<Leased, "project_id" | "id" | "created_at" | "lease_token">[]): Sql => {
  const created = rows.map(({ created_at }) => isoOf(created_at));
  return sql`
    ${column(rows, "project_id")}::text[], ${column(rows, "id")}::text[], ${created}::timestamptz[],
    ${column(rows, "lease_token")}::text[]`;
};

const isHeld: Sql = sql`
  send_outs.project_id = told.project_id and send_outs.created_at = told.created_at and send_outs.id = told.id
  and send_outs.lease_token = told.lease_token`;

/** More than any message of ours names. */
const named_max = 100;

const othersIn = ({ body }: Leased) => JSON.stringify(customersNamedIn(body).slice(0, named_max));

/** Keeps bodies before anybody has seen them, so that every try sends the same; answers whose lease still holds. */
export const keepBodies = (db: Queries, rows: readonly Leased[]) =>
  db.many<{ id: string }>(sql`-- every project: each row brings its project_id
    update send_outs
       set body = told.body,
           named_customer_ids = array_remove(array(select json_array_elements_text(told.named)), send_outs.customer_id)
      from unnest(${places(rows)}, ${textColumn(rows, "body")}::text[], ${wireArray("json", rows.map(othersIn))}::json[])
             as told (project_id, id, created_at, lease_token, body, named)
     where ${isHeld}
    returning send_outs.id`);

/** What became of a message that was leased. */
export interface Ended extends Leased {
  status: SendOutStatus;
  due_at: Instant | null;
  /** Null where it was not tried. */
  executed_at: Instant | null;
  target_url: string | null;
  response_status: number | null;
  response_body: string | null;
  last_error: string | null;
}

/** Writes what became of messages, and hands them back; nothing happens where somebody else has them by now. */
export const recordEnds = (db: Queries, ends: readonly Ended[]) => {
  const times = (name: "due_at" | "executed_at") => ends.map((end) => isoOf(end[name]));
  return db.run(sql`-- every project: each row brings its project_id
    update send_outs
       set status = told.status, attempts = told.attempts, due_at = told.due_at, is_extra = false, lease_token = null,
           executed_at = coalesce(told.executed_at, send_outs.executed_at),
           target_url = coalesce(told.target_url, send_outs.target_url),
           response_status = told.response_status, response_body = told.response_body, last_error = told.last_error
      from unnest(${places(ends)}, ${column(ends, "status")}::text[], ${column(ends, "attempts")}::int[],
                  ${times("due_at")}::timestamptz[], ${times("executed_at")}::timestamptz[],
                  ${column(ends, "target_url")}::text[], ${column(ends, "response_status")}::int[],
                  ${column(ends, "response_body")}::text[], ${column(ends, "last_error")}::text[])
             as told (project_id, id, created_at, lease_token, status, attempts, due_at, executed_at, target_url,
                      response_status, response_body, last_error)
     where ${isHeld}`);
};
