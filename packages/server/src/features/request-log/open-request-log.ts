import type { FastifyRequest } from "fastify";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { head_bytes_max } from "../../platform/http/bodies/head.js";
import { type Buffered, buffered } from "../../platform/jobs/buffered.js";
import type { Call } from "../projects/index.js";
import { customersIn, type LoggedRequest, masked, maskedPath, pause_ms, waiting_chars_max } from "./request-log.js";
import { insertRequests } from "./request-log.store.js";

declare module "fastify" {
  interface FastifyRequest {
    /** How the answer begins, where the request is logged. */
    answer_head: string | null;
  }
}

/** A request as it waits: what is to be masked and decoded is so when it is written, by whoever has time. */
interface Waiting {
  call: Call;
  request: Pick<LoggedRequest, "method" | "operation" | "route" | "status" | "duration_ms"> & { url: string };
  sent: Buffer | null;
  answered: string | null;
}

const row_chars = 600;

/** Logs every authenticated call of the API of projects that want it; nobody waits for it, and under load it is the first to go. */
export function logRequests(app: App, { db, log }: Pick<Context, "db" | "log">): Buffered<Waiting> {
  const waiting = buffered<Waiting>({
    name: "requests",
    write: async (rows) => {
      await insertRequests(db, rows.map(toRow));
    },
    sizeOf: ({ sent, answered }) => row_chars + (sent?.length ?? 0) + (answered?.length ?? 0),
    chars_max: waiting_chars_max,
    pause_ms,
    log,
  });
  app.decorateRequest("answer_head", null);
  app.addHook("onSend", (request, reply, payload, done) => {
    // Bytes are a picture, a file or a large answer.
    const is_bytes = Buffer.isBuffer(payload) && /\bjson\b/.test(String(reply.getHeader("content-type")));
    const is_written = typeof payload === "string" || is_bytes;
    if (isLogged(request) && is_written && payload.length > 0) request.answer_head = headOf(payload);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { call, method, url, routeOptions, body_head: sent, answer_head: answered } = request;
    if (call && isLogged(request)) {
      const operation = (routeOptions.schema as { operationId?: string } | undefined)?.operationId ?? null;
      const route = routeOptions.url ?? null;
      const [status, duration_ms] = [reply.statusCode, Math.round(reply.elapsedTime)];
      waiting.add({ call, request: { method, url, operation, route, status, duration_ms }, sent, answered });
    }
    done();
  });
  return waiting;
}

/** Pages of ours read much, and what they read says nothing of what callers do. */
function isLogged({ call, method, routeOptions: { url = "" } }: FastifyRequest): boolean {
  if (!call?.project.request_log_enabled || url.startsWith("/dashboard/")) return false;
  return call.caller.kind !== "user_session" || method !== "GET";
}

/** Whose bodies hold nothing but credentials, or somebody who asked to be forgotten. */
const without_bodies = /^\/v1\/oauth\/|\/permanent-deletion$/;

function toRow({ call, request: { url, ...request }, sent, answered }: Waiting): LoggedRequest {
  const has_bodies = !without_bodies.test(url.split("?")[0] ?? "");
  const request_body = has_bodies && sent ? storable(sent.toString("utf8")) : null;
  const response_body = has_bodies && answered ? storable(answered) : null;
  const path = maskedPath(url);
  return {
    ...request,
    ...{ project_id: call.project_id, id: call.request_id, path, request_body, response_body },
    event_source: call.event_source,
    label: call.label,
    customer_ids: customersIn(path, request_body, response_body),
    created_at: call.instant,
  };
}

/** A body that was refused may hold what PostgreSQL cannot. */
const storable = (text: string) => masked(text).replaceAll("\u0000", "").toWellFormed();

/** A copy, where it is cut: a part of a text holds the whole. */
const headOf = (payload: string | Buffer): string =>
  typeof payload === "string" && payload.length <= head_bytes_max
    ? payload
    : Buffer.from(payload.slice(0, head_bytes_max)).toString();
