import type { FastifyRequest } from "fastify";
import type { Context } from "../../platform/context.js";
import type { KeyOwner, Requested } from "../../recording/index.js";
import { sideOf } from "./visitor.js";

/** What the organization itself does to a project, by the management key: no key of the project stands behind it. */
export const causedByOwner = (
  { clock }: Pick<Context, "clock">,
  { id: request_id, keyed }: Pick<FastifyRequest, "id" | "keyed">,
  project_id: string,
): Requested => ({ project_id, request_id, event_source: { channel: "API" }, instant: clock.now(), keyed });

/** Whose the keys are by which a request may be sent again: the project's, apart for its pages, or the organization's. */
export const keyOwnerBy =
  ({ clock }: Pick<Context, "clock">) =>
  ({ call: cause, routeOptions }: FastifyRequest): KeyOwner =>
    cause
      ? { project_id: cause.project_id, side: sideOf(routeOptions.url ?? ""), instant: cause.instant, cause }
      : { project_id: "", side: "management", instant: clock.now(), cause };
