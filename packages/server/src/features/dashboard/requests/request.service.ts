import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import { instantOrNull } from "../../../platform/http/dates.js";
import { problems } from "../../../platform/http/problems.js";
import { type Call, changeProject } from "../../projects/index.js";
import { findRequest, listRequests, type RequestLine } from "../../request-log/index.js";
import { cursorOf, seenAt } from "../cursor.js";
import type { RequestQuery } from "./request.schemas.js";
import { listEventsOfRequest } from "./request.store.js";

/** What callers asked in the last thirty days, newest first. */
export async function readRequests({ db }: Context, { project_id, project, instant }: Call, query: RequestQuery) {
  const { status, method = null, path = null, key = null, limit = 20, after } = query;
  const filter = {
    ...{ project_id, instant, method, path, key },
    has_failed: status === undefined ? null : status === "failure",
    since: instantOrNull(query.since),
    until: instantOrNull(query.until),
  };
  const found = await listRequests(db, filter, { seen: seenAt(after), rows_max: limit + 1 });
  const shown = found.slice(0, limit);
  const { request_log_enabled } = project;
  return { data: shown.map(toLine), next: cursorOf(found, limit), request_log_enabled };
}

/** Whether the project wants its requests kept: from the next one on. */
export async function switchRequestLog(context: Context, call: Call, wanted: { request_log_enabled: boolean }) {
  const { request_log_enabled } = await changeProject(context, call, wanted);
  return { request_log_enabled };
}

/** One request, with what was sent and answered and what it caused. */
export async function readRequest({ db }: Context, { project_id, instant }: Call, id: string) {
  const found = await findRequest(db, project_id, id, instant);
  if (!found) throw problems.notFound("request", id);
  const { request_body, response_body, ...line } = found;
  const events = await listEventsOfRequest(db, project_id, found);
  return { ...toLine(line), request_body, response_body, events };
}

const toLine = ({ project_id: _project_id, event_source, created_at, ...line }: RequestLine) => ({
  ...line,
  event_source: { ...event_source },
  created_at: isoOf(created_at),
});
