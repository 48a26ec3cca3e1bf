import { trackingOf } from "../../deciding/index.js";
import type { Context } from "../../platform/context.js";
import { type CustomEventBody, type CustomEventInput, recordCustomEvent } from "../custom-events/index.js";
import type { CustomerInput } from "../customers/index.js";
import { assertLets, type Call } from "../projects/index.js";
import { createPublication, type PublicationBody } from "../publications/index.js";
import { shownToPage } from "./shown-to-page.js";
import type { PagePublication, PagePublicationQuery } from "./telling.schemas.js";

/** `POST /client/v1/publish` (vouchers-and-campaigns.md §11.7). */
export function publishOnPage(
  context: Context,
  call: Call,
  { join_once = false, campaign: in_query }: PagePublicationQuery,
  body: PagePublication,
): Promise<PublicationBody> {
  const { campaign: in_body, ...rest } = body;
  const named = in_body ?? in_query;
  const campaign = typeof named === "string" ? { name: named } : named;
  const customer = behindToken(context, call, body.customer);
  return createPublication(context, call, { ...rest, campaign, customer }, join_once, (publication) =>
    shownToPage(publication, body.customer),
  );
}

/** `POST /client/v1/events` (platform.md §6); what moves points or finds who referred whom has a switch of its own. */
export function recordEventOnPage(context: Context, call: Call, input: CustomEventInput): Promise<CustomEventBody> {
  if (input.loyalty || input.referral) assertLets(call.project, "client_loyalty_events_enabled");
  const customer = behindToken(context, call, input.customer);
  return recordCustomEvent(context, call, { ...input, customer }, (event) => shownToPage(event, input.customer));
}

/** Behind a token of ours stands the source id that the customer is stored by (platform.md §5). */
function behindToken({ seal }: Context, { project_id }: Call, customer: CustomerInput): CustomerInput {
  const { source_id } = customer;
  return source_id ? { ...customer, source_id: trackingOf(seal, project_id).sourceIdOf(source_id) } : customer;
}
