import { type Cause, findEvents, type StoredEvent } from "../../../events/index.js";
import type { Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import { Problem } from "../../../platform/http/problems.js";
import { change, holding } from "../../../recording/index.js";
import { type Naming, type Payload, payloadsOf } from "../../../telling/index.js";
import { customersNamedIn, eventSourceOf, originOf, the_service } from "../../../terms/index.js";
import { customerBesideKey, findCustomersByIds } from "../../customers/index.js";
import { publishAlone } from "../../publications/index.js";
import { takeCall, tellOfTaken } from "../../usage/index.js";
import { findVouchersByIds } from "../../vouchers/index.js";
import { envelopeOf, insertSendOuts, newSendOutId, send_outs_bell } from "../send-outs/index.js";
import type { Message } from "./automation.js";
import type { Run } from "./plan.js";
import { beginStep, findGiven, keepGiven, type Step } from "./step.store.js";
import { compileTemplate } from "./template.js";

/** What an event says, and what was given for it. */
type Told = Payload & { campaign?: { id: string } | null };

/** Does what an automation says for an event, each step once however often it is called: first the code, then the message. */
export async function run(context: Context, one: Run, instant: Instant): Promise<void> {
  const { automation, event } = one;
  const [stored] = await findEvents(context.db.of(event.project_id), [{ ...event, event_id: event.id }]);
  // It went with its customer.
  if (!stored) return;
  const told: Told = await payloadOf(context, one, { event: stored, name: event.type });
  if (automation.campaign_id !== null && told.campaign?.id !== automation.campaign_id) return;
  const gives = automation.published_campaign_id !== null;
  const given = gives ? await give(context, one, stored, instant) : {};
  if (!given || !automation.message) return;
  await send(context, one, automation.message, { ...told, ...given }, instant);
}

async function payloadOf(context: Context, { project }: Run, naming: Naming): Promise<Payload> {
  const [payload] = await payloadsOf(context, project, [naming]);
  if (!payload) throw new Error(`${naming.event.id} could not be told as ${naming.name}`);
  return payload;
}

/** The service does it, because of the request that caused the event. */
const causeOf = ({ event }: Run, instant: Instant): Cause => ({
  project_id: event.project_id,
  request_id: event.group_id,
  event_source: eventSourceOf(the_service),
  instant,
});

const stepOf = ({ event, automation }: Run, step: Step["step"], instant: Instant): Step => ({
  ...{ event_id: event.id, automation_id: automation.id, step },
  ...{ publication_id: null, voucher_id: null, follows: null, created_at: instant },
});

/**
 * What a code may be given for once: of what the service does by itself because of a request, whatever the automation is set off by
 * for that customer. Giving a code may move memberships of segments, which may give a code: that stops here. What somebody asked
 * for sets it off each time.
 */
const followsOf = ({ event, customer_id }: Run): string | null =>
  event.event_source.channel === "INTERNAL" ? `${event.group_id} ${customer_id}` : null;

/** Gives the customer a code, and answers what that says; null where there is none to give, or it was not to be done. */
async function give(context: Context, one: Run, stored: StoredEvent, instant: Instant): Promise<Payload | null> {
  const { project, automation, event, customer_id } = one;
  const { project_id } = event;
  const cause = causeOf(one, instant);
  const place = { event_id: event.id, automation_id: automation.id };
  const step = { ...stepOf(one, "PUBLISH", instant), follows: followsOf(one) };
  const { id: distribution_id } = automation;
  const request = {
    customer: { id: customer_id },
    ...{ campaign_id: automation.published_campaign_id, code: null, source_id: null },
    // As the contract has it: whose publication it is, that nobody asked for.
    metadata: { source_type: "distribution", source_id: distribution_id, distribution_id },
    ...{ channel: originOf(the_service), join_once: false, count: 1 },
  };
  try {
    await change(context, cause, async (change) => {
      if (!(await beginStep(change.tx, project_id, step))) return;
      const given = await publishAlone(change, { ...cause, project }, request);
      if (given instanceof Problem) return;
      const [{ id: voucher_id }] = given.vouchers;
      await keepGiven(change.tx, project_id, place, { publication_id: given.publication.id, voucher_id });
    });
  } catch (refused) {
    if (!(refused instanceof Problem)) throw refused;
    // The campaign is gone, or has no code left to make: another time of the same event finds it so too.
    const { key, message } = refused.body;
    context.log.warn({ project_id, ...place, key }, `an automation could not give a code: ${message}`);
    return null;
  }
  const db = context.db.of(project_id);
  const given = await findGiven(db, project_id, place);
  if (!given?.publication_id || !given.voucher_id) return null;
  const { publication_id, voucher_id } = given;
  const [[voucher], [customer]] = await Promise.all([
    findVouchersByIds(db, project_id, [voucher_id], { bin_too: true }),
    findCustomersByIds(db, project_id, [customer_id]),
  ]);
  if (!voucher || !customer) return null;
  const data = { publication_id, campaign_id: voucher.campaign_id, voucher, customer };
  const publishing: StoredEvent = { ...stored, type: "publication.succeeded", data };
  const said = await payloadOf(context, one, { event: publishing, name: "publication.succeeded" });
  return { campaign: said.campaign, voucher: said.voucher, publication: said.publication };
}

/** Leaves a message for whoever sends. */
async function send(context: Context, one: Run, message: Message, told: Told, instant: Instant): Promise<void> {
  const { automation, event, customer_id } = one;
  const { project_id, entity_id, group_id, created_at } = event;
  const id = newSendOutId();
  const body = bodyOf(one, id, message, told);
  if (body === null) {
    const place = { project_id, automation_id: automation.id, event_id: event.id };
    context.log.warn(place, "an automation's message would be too long");
    return;
  }
  const taken = await change(context, causeOf(one, instant), async ({ tx, ring }) => {
    // The profile is in the body: a deletion for good that came meanwhile has taken the event, and finds no more to take.
    await holding(tx, [customerBesideKey(project_id, customer_id)], async () => undefined);
    const place = { project_id, event_id: event.id, created_at };
    if ((await findEvents(tx, [place])).length === 0) return [];
    if (!(await beginStep(tx, project_id, stepOf(one, "SEND", instant)))) return [];
    const taken = await takeCall(context, tx, one.project, instant);
    if (!taken) return null;
    const sent = { project_id, id, webhook_id: automation.id, event_id: event.id, type: message.event_name };
    // A template may say something of somebody and leave the id out.
    const named_customer_ids = customersNamedIn(JSON.stringify(told));
    const written = { ...sent, entity_id, customer_id, group_id, body, named_customer_ids, created_at };
    await insertSendOuts(tx, [written], instant);
    ring(send_outs_bell);
    return taken;
  });
  if (taken) return tellOfTaken(context, taken);
  // The step is done all the same: a message of yesterday is nothing to begin a new day's calls with.
  const place = { project_id, automation_id: automation.id, event_id: event.id };
  context.log.warn(place, "an automation's message is not sent: the project has made the calls that it may make");
}

/** As it is signed and sent; null where its template comes to too much. */
function bodyOf({ automation, event }: Run, id: string, { event_name, payload, is_raw }: Message, told: Told) {
  const data = payload === null ? told : designed(payload, told);
  if (data === undefined) return null;
  if (is_raw) return JSON.stringify(data);
  const { target_url } = automation;
  return envelopeOf(event, data, {
    ...{ id, name: event.type, type: event_name, entity_id: event.entity_id },
    source: { id: automation.id, object: "distribution", target_url: target_url ?? "" },
  });
}

function designed(payload: string, told: Told): unknown {
  const compiled = compileTemplate(payload);
  return "fill" in compiled ? compiled.fill(told) : undefined;
}
