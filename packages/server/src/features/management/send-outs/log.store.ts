import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Database, Queries, Tx } from "../../../platform/db/database.js";
import { type Sql, sql } from "../../../platform/db/sql.js";
import { type Between, isBetween } from "../../../platform/http/lists.js";
import { type Page, readList } from "../../../platform/listing/index.js";
import type { WebhookPlace } from "../webhooks/index.js";
import { log_ms, type SendOutStatus } from "./send-out.js";

/** A message as the log shows it. */
export interface LoggedSendOut extends Pick<WebhookPlace, "webhook_id"> {
  id: string;
  status: SendOutStatus;
  type: string;
  event_id: string;
  entity_id: string;
  group_id: string | null;
  target_url: string | null;
  attempts: number;
  executed_at: Instant | null;
  due_at: Instant | null;
  last_error: string | null;
  response_status: number | null;
  response_body: string | null;
  created_at: Instant;
}

const fields = sql`
  send_outs.id, send_outs.webhook_id, send_outs.status, send_outs.type, send_outs.event_id, send_outs.entity_id,
  send_outs.group_id, send_outs.target_url, send_outs.attempts, send_outs.executed_at, send_outs.due_at,
  send_outs.last_error, send_outs.response_status, send_outs.response_body, send_outs.created_at`;

const isKept = (instant: Instant): Sql => sql`send_outs.created_at > ${isoOf(instant - log_ms)}`;

interface Wanted {
  status: SendOutStatus | null;
  type: string | null;
  webhook_id: string | null;
  created_at: Between;
}

/** Newest first. */
export const listSendOuts = (db: Database, project_id: string, wanted: Wanted, page: Page, instant: Instant) =>
  readList<LoggedSendOut>(
    db,
    project_id,
    { table: sql`send_outs`, fields },
    {
      conditions: [
        isKept(instant),
        ...(wanted.status === null ? [] : [sql`send_outs.status = ${wanted.status}`]),
        ...(wanted.type === null ? [] : [sql`send_outs.type = ${wanted.type}`]),
        ...(wanted.webhook_id === null ? [] : [sql`send_outs.webhook_id = ${wanted.webhook_id}`]),
        ...isBetween(sql`send_outs.created_at`, wanted.created_at),
      ],
      order: { keys: [sql`send_outs.created_at`, sql`send_outs.id`], descending: true, nullable: false },
      page,
    },
  );

export const findSendOut = (db: Queries, project_id: string, id: string, instant: Instant) =>
  db.maybe<LoggedSendOut & { body: string | null }>(sql`
    select ${fields}, send_outs.body from send_outs
     where send_outs.project_id = ${project_id} and send_outs.id = ${id} and ${isKept(instant)}`);

/** Makes a message that has ended due once more; one that has not stays as it is, and none is answered. */
export const sendAgain = (tx: Tx, project_id: string, id: string, instant: Instant) =>
  tx.maybe<LoggedSendOut & { body: string | null }>(sql`
    update send_outs set status = 'RETRYING', is_extra = true, due_at = ${isoOf(instant)}
     where send_outs.project_id = ${project_id} and send_outs.id = ${id} and ${isKept(instant)}
       and send_outs.due_at is null
    returning ${fields}, send_outs.body`);
