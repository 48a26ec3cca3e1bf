import { type Instant, isoOf } from "../../platform/clock.js";
import type { Database, Queries, Tx } from "../../platform/db/database.js";
import { column, jsonColumn, plannedEachTime, type Sql, sql, textColumn } from "../../platform/db/sql.js";
import { all } from "../../platform/http/lists.js";
import { readBounded } from "../../platform/listing/index.js";
import { kept_ms, type LoggedRequest } from "./request-log.js";

/** A project that was deleted before the log was written has none. */
export const insertRequests = (db: Queries, rows: readonly LoggedRequest[]) =>
  db.run(sql`-- every project: each row brings its project_id
    insert into api_requests (project_id, id, method, path, operation, route, status, duration_ms, event_source, label,
                              customer_ids, request_body, response_body, created_at)
    select logged.project_id, logged.id, logged.method, logged.path, logged.operation, logged.route, logged.status,
           logged.duration_ms, logged.event_source, logged.label, array(select json_array_elements_text(logged.customer_ids)),
           logged.request_body, logged.response_body, logged.created_at
      from unnest(${column(rows, "project_id")}::text[], ${column(rows, "id")}::text[], ${column(rows, "method")}::text[],
                  ${column(rows, "path")}::text[], ${column(rows, "operation")}::text[], ${column(rows, "route")}::text[],
                  ${column(rows, "status")}::smallint[], ${column(rows, "duration_ms")}::integer[],
                  ${jsonColumn(rows, "event_source", "json")}::json[], ${column(rows, "label")}::text[],
                  ${jsonColumn(rows, "customer_ids", "json")}::json[],
                  ${textColumn(rows, "request_body")}::text[], ${textColumn(rows, "response_body")}::text[],
                  ${rows.map(({ created_at }) => isoOf(created_at))}::timestamptz[])
        as logged (project_id, id, method, path, operation, route, status, duration_ms, event_source, label, customer_ids,
                   request_body, response_body, created_at)
      join projects on projects.id = logged.project_id and projects.deleted_at is null
    on conflict do nothing`);

const narrow = sql`
  api_requests.project_id, api_requests.id, api_requests.method, api_requests.path, api_requests.operation,
  api_requests.status, api_requests.duration_ms, api_requests.event_source, api_requests.label,
  api_requests.created_at`;

/** A request without what was sent and answered. */
export type RequestLine = Omit<LoggedRequest, "route" | "customer_ids" | "request_body" | "response_body">;

/** Which requests are asked for. */
export interface RequestFilter {
  project_id: string;
  instant: Instant;
  has_failed: boolean | null;
  method: string | null;
  /** How the path begins. */
  path: string | null;
  /** The key's id. */
  key: string | null;
  since: Instant | null;
  until: Instant | null;
}

const isAskedFor = ({ project_id, instant, has_failed, method, path, key, since, until }: RequestFilter): Sql =>
  all([
    sql`api_requests.project_id = ${project_id}`,
    sql`api_requests.created_at > ${isoOf(Math.max(instant - kept_ms, since ?? 0))}`,
    ...(until === null ? [] : [sql`api_requests.created_at <= ${isoOf(until)}`]),
    ...(has_failed === null ? [] : [has_failed ? sql`api_requests.status >= 400` : sql`api_requests.status < 400`]),
    ...(method === null ? [] : [sql`api_requests.method = ${method}`]),
    ...(path === null ? [] : [sql`starts_with(api_requests.path, ${path})`]),
    ...(key === null ? [] : [sql`api_requests.event_source -> 'api_key' ->> 'app_id' = ${key}`]),
  ]);

/** The latest, or those before the one that was seen. */
export const listRequests = (
  db: Database,
  filter: RequestFilter,
  { seen, rows_max }: { seen: { created_at: Instant; id: string } | null; rows_max: number },
): Promise<RequestLine[]> =>
  readBounded(db, (queries) =>
    queries.many<RequestLine>(
      plannedEachTime(sql`
        select ${narrow} from api_requests
         where api_requests.project_id = ${filter.project_id} and ${isAskedFor(filter)}
           and ${seen ? sql`(api_requests.created_at, api_requests.id) < (${isoOf(seen.created_at)}::timestamptz, ${seen.id}::text collate "C")` : sql`true`}
         order by api_requests.created_at desc, api_requests.id desc limit ${rows_max}`),
    ),
  );

export const findRequest = (db: Queries, project_id: string, id: string, instant: Instant) =>
  db.maybe<RequestLine & Pick<LoggedRequest, "request_body" | "response_body">>(
    plannedEachTime(sql`
      select ${narrow}, api_requests.request_body, api_requests.response_body from api_requests
       where api_requests.project_id = ${project_id} and api_requests.id = ${id}
         and api_requests.created_at > ${isoOf(instant - kept_ms)}
       limit 1`),
  );

/** What a customer may be named by. */
type Named = { id: string } & Partial<Record<"source_id" | "email" | "phone", string | null>>;

/** Forgets requests that name a customer. */
export function forgetRequestsAbout(tx: Tx, project_id: string, { id, source_id, email, phone }: Named) {
  const names = [id, source_id, email, phone].flatMap((name) => name || []);
  return tx.run(sql`
    delete from api_requests
     where api_requests.project_id = ${project_id} and api_requests.customer_ids && ${names}::text[]
       and api_requests.customer_ids <> '{}'`);
}
