import type { Cause } from "../../events/index.js";
import type { Context } from "../../platform/context.js";

/** What the organization itself does to a project, by the management key: no key of the project stands behind it. */
export const causedByOwner = (
  { clock }: Pick<Context, "clock">,
  { id: request_id }: { id: string },
  project_id: string,
): Cause => ({ project_id, request_id, event_source: { channel: "API" }, instant: clock.now() });
