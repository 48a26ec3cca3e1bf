import type { FastifyRequest } from "fastify";
import type { Context } from "../../platform/context.js";
import { problems } from "../../platform/http/problems.js";
import type { KeyOwner, Requested } from "../../recording/index.js";
import { sideOf } from "./visitor.js";

/**
 * Who stands behind an operation of the management API: the organization itself, by whose key no key of the project is named, or
 * somebody who is signed in and does it for the project of the path.
 */
export function causedByManagement(
  { clock }: Pick<Context, "clock">,
  { id: request_id, keyed, call }: Pick<FastifyRequest, "id" | "keyed" | "call">,
  project_id: string,
): Requested {
  if (!call) return { project_id, request_id, event_source: { channel: "API" }, instant: clock.now(), keyed };
  // The door has compared them; what nobody has compared is none of a person's.
  if (call.project_id !== project_id) throw problems.missingPermission();
  return { project_id, request_id, event_source: call.event_source, instant: call.instant, keyed };
}

/** Whose the keys are by which a request may be sent again: the project's, apart for its pages, or the organization's. */
export const keyOwnerBy =
  ({ clock }: Pick<Context, "clock">) =>
  ({ call: cause, routeOptions }: FastifyRequest): KeyOwner =>
    cause
      ? { project_id: cause.project_id, side: sideOf(routeOptions.url ?? ""), instant: cause.instant, cause }
      : { project_id: "", side: "management", instant: clock.now(), cause };
