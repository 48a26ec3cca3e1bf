import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { column, jsonColumn, sql } from "../../platform/db/sql.js";
import type { ExplainedRefusal } from "./refusal-log.js";
import { kept_ms } from "./validation-log.js";

/** A project that was deleted before the log was written has none. */
export const insertRefusals = (db: Queries, rows: readonly ExplainedRefusal[]) =>
  db.run(sql`-- every project: each row brings its project_id
    insert into explained_refusals (project_id, id, object, object_id, name, asked_for, customer_id, group_id, event_source,
                                    key, message, explanation, "order", created_at)
    select refused.*
      from unnest(${column(rows, "project_id")}::text[], ${column(rows, "id")}::text[], ${column(rows, "object")}::text[],
                  ${column(rows, "object_id")}::text[], ${column(rows, "name")}::text[],
                  ${column(rows, "asked_for")}::text[], ${column(rows, "customer_id")}::text[],
                  ${column(rows, "group_id")}::text[], ${jsonColumn(rows, "event_source", "json")}::json[],
                  ${column(rows, "key")}::text[], ${column(rows, "message")}::text[],
                  ${jsonColumn(rows, "explanation", "json")}::json[], ${jsonColumn(rows, "order", "json")}::json[],
                  ${rows.map(({ created_at }) => isoOf(created_at))}::timestamptz[])
        as refused (project_id, id, object, object_id, name, asked_for, customer_id, group_id, event_source, key, message,
                    explanation, "order", created_at)
      join projects on projects.id = refused.project_id and projects.deleted_at is null`);

/** The latest refusal of a voucher or tier that the log still knows. */
export const findLastRefusal = (db: Queries, project_id: string, object_id: string, instant: Instant) =>
  db.maybe<ExplainedRefusal>(sql`
    select explained_refusals.project_id, explained_refusals.id, explained_refusals.object, explained_refusals.object_id,
           explained_refusals.name, explained_refusals.asked_for, explained_refusals.customer_id,
           explained_refusals.group_id, explained_refusals.event_source, explained_refusals.key,
           explained_refusals.message, explained_refusals.explanation, explained_refusals."order",
           explained_refusals.created_at
      from explained_refusals
     where explained_refusals.project_id = ${project_id} and explained_refusals.object_id = ${object_id}
       and explained_refusals.created_at > ${isoOf(instant - kept_ms)}
     order by explained_refusals.created_at desc, explained_refusals.id desc limit 1`);

/** Drops those of a customer who is deleted for good. */
export const deleteRefusalsOf = (tx: Tx, project_id: string, customer_id: string) =>
  tx.run(sql`
    delete from explained_refusals
     where explained_refusals.project_id = ${project_id} and explained_refusals.customer_id = ${customer_id}`);
