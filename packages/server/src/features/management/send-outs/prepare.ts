import { type EventName, findEvents, idUnder, type StoredEvent } from "../../../events/index.js";
import type { Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import { type Payload, payloadsOf } from "../../../telling/index.js";
import { findProject, type Project } from "../../projects/index.js";
import { type CustomHeaders, findWebhooks, openHeaders } from "../webhooks/index.js";
import { type Ended, keepBodies, type Leased } from "./delivery.store.js";
import { envelopeOf } from "./envelope.js";
import { fateOf } from "./send-out.js";

/** A message that can be sent. */
export interface Ready extends Leased {
  body: string;
  target_url: string;
  secret: string;
  /** Of the project's own. */
  headers: CustomHeaders;
  is_failing: boolean;
}

type Addressed = Omit<Ready, "body"> & { body: string | null };

/** A message by its id: as it can be sent, or as one that never can. One whose lease is another's by now is missing. */
export type Prepared = ReadonlyMap<string, Ready | Ended>;

/**
 * Finds what a project's messages are sent to and signed with, as it is now, and writes the bodies of those that have none
 * yet.
 */
export async function prepare(
  context: Context,
  project_id: string,
  leased: readonly Leased[],
  instant: Instant,
): Promise<Prepared> {
  const db = context.db.of(project_id);
  const [webhooks, project] = await Promise.all([findWebhooks(db, leased), findProject(db, project_id)]);
  if (!project) return byId(leased.map((one) => hopeless(one, "the project was deleted")));
  const secret = context.seal.open(project.webhook_token_sealed);
  const ended: Ended[] = [];
  const addressed: Addressed[] = [];
  for (const one of leased) {
    const webhook = webhooks.find(({ webhook_id }) => webhook_id === one.webhook_id);
    if (!webhook) ended.push(hopeless(one, "the webhook was deleted"));
    else if (!webhook.active && !one.is_extra) ended.push(hopeless(one, "the webhook was switched off"));
    else {
      const is_failing = webhook.failing_since !== null;
      const headers = openHeaders(context, webhook.headers_sealed);
      addressed.push({ ...one, target_url: webhook.target_url, secret, headers, is_failing });
    }
  }
  return byId([...ended, ...(await withBodies(context, project, addressed, instant))]);
}

const byId = (messages: readonly (Ready | Ended)[]): Prepared => new Map(messages.map((one) => [one.id, one]));

async function withBodies(context: Context, project: Project, messages: readonly Addressed[], instant: Instant) {
  const known = messages.filter((one): one is Ready => one.body !== null);
  const fresh = messages.filter(({ body }) => body === null);
  if (fresh.length === 0) return known;
  const db = context.db.of(project.id);
  const events = new Map((await findEvents(db, fresh)).map((event) => [event.id, event]));
  const namings = fresh.flatMap(({ event_id, type }) => {
    const event = events.get(event_id);
    return event ? [{ event, name: type as EventName }] : [];
  });
  const told = await payloadsOf(context, project, namings);
  const payloads = new Map(namings.map(({ event, name }, i) => [`${event.id} ${name}`, told[i]]));
  const written = fresh.map((one) => {
    const event = events.get(one.event_id);
    if (!event) return hopeless(one, "the event is kept no more");
    const payload = payloads.get(`${one.event_id} ${one.type}`);
    return payload ? writtenOf(one, event, payload) : unwritten(one, instant);
  });
  const ready = written.filter((one): one is Ready => "secret" in one);
  const held = new Set((await keepBodies(db, ready)).map(({ id }) => id));
  return [...known, ...written.filter((one) => !("secret" in one) || held.has(one.id))];
}

function writtenOf(message: Addressed, event: StoredEvent, payload: Payload): Ready {
  const { id, type, entity_id, webhook_id, target_url } = message;
  const source = { id: webhook_id, object: "webhook" as const, target_url };
  const told = { ...event, id: idUnder(type, event.id) };
  return { ...message, body: envelopeOf(told, payload, { id, name: type, type, entity_id, source }) };
}

/** What kept it from being written is not the receiver's fault, and may pass: it counts as a try. */
function unwritten(message: Addressed, instant: Instant): Ended {
  const { is_exhausted: _, ...fate } = fateOf(message, instant, false);
  return { ...hopeless(message, "the message could not be written"), ...fate, attempts: message.attempts + 1 };
}

const hopeless = (
  { project_id, id, webhook_id, event_id, type, entity_id, created_at, body, attempts, ...rest }: Leased,
  last_error: string,
): Ended => ({
  ...{ project_id, id, webhook_id, event_id, type, entity_id, created_at, body, attempts },
  ...{ first_attempt_at: rest.first_attempt_at, is_extra: rest.is_extra, lease_token: rest.lease_token },
  status: "FAILED",
  due_at: null,
  executed_at: null,
  target_url: null,
  response_status: null,
  response_body: null,
  last_error,
});
