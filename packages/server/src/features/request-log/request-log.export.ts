import { type Sql, sql } from "../../platform/db/sql.js";
import { dateField, numberField, textField } from "../../platform/listing/index.js";
import { asItIs, type ExportedObject, type ExportField, type ExportRows, moment } from "../exports/index.js";

const id = sql`api_requests.id`;
const created_at = sql`api_requests.created_at`;
const status = sql`api_requests.status`;
const method = sql`api_requests.method`;
const channel = sql`api_requests.event_source ->> 'channel'`;

/** The key that called, where it was one for this part of the API. */
const keyOn = (part: "API" | "CLIENT_API"): Sql =>
  sql`case when ${channel} = ${part}::text then api_requests.event_source -> 'api_key' ->> 'app_id' end`;
const app_id = keyOn("API");
const client_app_id = keyOn("CLIENT_API");

/** `POST_v1_vouchers_import_csv`: the operation, whatever it was asked of (platform.md §14). */
const endpoint: ExportField = {
  value: sql`${method} || ' ' || api_requests.route`,
  cell: (asked) => (asked === null ? null : endpointOf(String(asked))),
};

function endpointOf(asked: string): string {
  const [method, route = ""] = asked.split(" ");
  const words = route.split("/").filter((word) => word !== "" && !word.startsWith(":"));
  const snake = words.map((word) =>
    word
      .replace(/([a-z])([A-Z]+)/g, "$1_$2")
      .replaceAll("-", "_")
      .toLowerCase(),
  );
  return [method, ...snake].join("_");
}

const fields: ExportRows["fields"] = {
  id: asItIs(id),
  created_at: moment(created_at),
  status: asItIs(status),
  // Two names of one thing: a request is logged under its own id.
  request_id: asItIs(id),
  channel: asItIs(channel),
  // Beside the channel, which is one of a few words: what the caller calls itself (platform.md §11.7).
  label: asItIs(sql`api_requests.label`),
  method: asItIs(method),
  endpoint,
  url: asItIs(sql`api_requests.path`),
  user_email: asItIs(sql`(
    -- every project: people belong to the organization
    select users.email from users where users.id = api_requests.event_source -> 'user' ->> 'id')`),
  app_id: asItIs(app_id),
  client_app_id: asItIs(client_app_id),
  request_duration: asItIs(sql`api_requests.duration_ms`),
  request_body: asItIs(sql`api_requests.request_body`),
  response_body: asItIs(sql`api_requests.response_body`),
};

/** What callers asked and were answered, where the project keeps it; bodies as far as they are kept (platform.md §14, ADR 76). */
const requestExport: ExportedObject = {
  name: "api_log",
  default_fields: ["id", "created_at", "status", "channel", "method", "endpoint", "url"],
  default_order: "-created_at",
  of: () => ({
    table: sql`api_requests`,
    fields,
    orders: { created_at: { keys: [created_at, id] } },
    filterable: {
      fields: {
        created_at: dateField(created_at),
        status: numberField(status),
        channel: textField(channel),
        app_id: textField(app_id),
        client_app_id: textField(client_app_id),
      },
    },
  }),
};

export const exported = [requestExport];
