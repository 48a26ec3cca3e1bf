import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { change, readUnderKeys } from "../../recording/index.js";
import {
  type Customer,
  customerKeys,
  findCustomerNames,
  findKnownCustomer,
  toSimpleCustomer,
  upsertNamed,
} from "../customers/index.js";
import { knownCard } from "../loyalties/members/index.js";
import {
  assertEventMetadata,
  type CustomEventSchema,
  findCustomEventSchemaByName,
} from "../management/custom-event-schemas/index.js";
import type { Call } from "../projects/index.js";
import { knownVoucher } from "../vouchers/index.js";
import { customEvent } from "./custom-event.events.js";
import type { CustomEventData } from "./custom-event.js";
import type { CustomEventBody, CustomEventInput } from "./custom-event.schemas.js";
import { custom_event_counts } from "./custom-event-counts.store.js";

/**
 * `POST /v1/events`: stores the event, and nothing else at once. Checks in the order of platform.md §6: fields, event
 * name, metadata, customer, codes; a refused event stores nothing, not even the customer.
 */
export async function recordCustomEvent(
  context: Context,
  call: Call,
  input: CustomEventInput,
  shownOf: (event: CustomEventBody) => CustomEventBody = (event) => event,
): Promise<CustomEventBody> {
  assertCustomerNamed(input);
  const schema = await findCustomEventSchemaByName(context.db.of(call.project_id), call.project_id, input.event);
  if (!schema) throw unknownEvent(input.event);
  const metadata = input.metadata ?? {};
  assertEventMetadata(schema, metadata);
  return change(context, call, async (change) => {
    const known = await readUnderKeys(
      change.tx,
      () => findKnownCustomer(change.tx, call.project_id, input.customer),
      (found) => customerKeys(call.project_id, input.customer, found),
    );
    const customer = upsertNamed(change, known, input.customer);
    const card_code = await readCardCode(change.tx, call, input);
    const referrer_id = await referrerNamed(change.tx, call, input);
    change.add(custom_event_counts, { customer_id: customer.id, name: schema.name, sent_at: call.instant });
    change.tell(customEvent(customer.id, dataOf(schema, customer, input, { card_code, referrer_id })));
    return shownOf(toBody(schema, customer, metadata));
  });
}

function assertCustomerNamed({ customer }: CustomEventInput): void {
  if (!customer.id && !customer.source_id)
    throw problems.invalidPayload("Property .customer should have required property 'source_id'");
}

const unknownEvent = (name: string) => problems.notFound("custom_event_schema", name, "name");

/**
 * The code of the card to credit, once all that was named is known. A coupon or a gift card has no points, and is as unknown
 * here as wherever else a card is asked for.
 */
async function readCardCode(db: Queries, call: Call, { loyalty, referral }: CustomEventInput): Promise<string | null> {
  if (referral) await knownVoucher(db, call, referral.code);
  return loyalty ? (await knownCard(db, call, loyalty.code, null)).code : null;
}

/** Whose id or source id was sent: by their id, which stays when nothing else of them does. A name that nobody has stays as sent. */
async function referrerNamed(
  db: Queries,
  { project_id }: Call,
  { referral }: CustomEventInput,
): Promise<string | null> {
  const sent = referral?.referrer_id;
  if (!sent) return null;
  const named = await findCustomerNames(db, project_id, { ids: [sent], source_ids: [sent] });
  return (named.find(({ id }) => id === sent) ?? named[0])?.id ?? sent;
}

function dataOf(
  schema: CustomEventSchema,
  customer: Customer,
  { referral, metadata }: CustomEventInput,
  { card_code, referrer_id }: { card_code: string | null; referrer_id: string | null },
): CustomEventData {
  return {
    id: newId("event"),
    type: schema.name,
    event_schema: { id: schema.id, name: schema.name },
    customer_id: customer.id,
    loyalty: card_code === null ? null : { code: card_code },
    referral: referral ? { code: referral.code, referrer_id } : null,
    metadata: metadata ?? {},
  };
}

function toBody(schema: CustomEventSchema, customer: Customer, metadata: Record<string, unknown>): CustomEventBody {
  return {
    object: "event",
    type: schema.name,
    customer: toSimpleCustomer(customer),
    referral: null,
    loyalty: null,
    metadata,
  };
}
