import { findEvents } from "../../../events/index.js";
import type { Context } from "../../../platform/context.js";
import { findProject } from "../../projects/index.js";
import { findWebhooks } from "../webhooks/index.js";
import { type Ended, keepBodies, type Leased } from "./delivery.store.js";
import { envelopeOf } from "./envelope.js";

/** A message that can be sent. */
export interface Ready extends Leased {
  body: string;
  target_url: string;
  secret: string;
  is_failing: boolean;
}

/** Messages that can be sent, and those that never can. */
export interface Prepared {
  ready: Ready[];
  hopeless: Ended[];
}

/** Finds what messages are sent to and signed with, as it is now, and writes the bodies of those that have none yet. */
export async function prepare(context: Context, leased: readonly Leased[]): Promise<Prepared> {
  const { db } = context;
  const [webhooks, secrets] = await Promise.all([findWebhooks(db, leased), secretsOf(context, leased)]);
  const addressed = leased.map((one) => {
    const webhook = webhooks.find(
      ({ project_id, webhook_id }) => project_id === one.project_id && webhook_id === one.webhook_id,
    );
    const secret = secrets.get(one.project_id);
    if (!webhook || secret === undefined) return hopeless(one, "the webhook was deleted");
    const { target_url, active, failing_since } = webhook;
    if (!active && !one.is_extra) return hopeless(one, "the webhook was switched off");
    return { ...one, target_url, secret, is_failing: failing_since !== null };
  });
  const written = await withBodies(
    context,
    addressed.filter((one): one is Addressable => "secret" in one),
  );
  const all = [...addressed.filter((one): one is Ended => "status" in one), ...written];
  return {
    ready: all.filter((one): one is Ready => "secret" in one),
    hopeless: all.filter((one): one is Ended => "status" in one),
  };
}

type Addressable = Omit<Ready, "body"> & { body: string | null };

async function withBodies({ db, log }: Context, messages: readonly Addressable[]): Promise<(Ready | Ended)[]> {
  const fresh = messages.filter(({ body }) => body === null);
  const events = fresh.length === 0 ? [] : await findEvents(db, fresh);
  const written = messages.map((one): Ready | Ended => {
    if (one.body !== null) return { ...one, body: one.body };
    const event = events.find(({ project_id, id }) => project_id === one.project_id && id === one.event_id);
    if (!event) return hopeless(one, "the event is kept no more");
    try {
      return { ...one, body: envelopeOf(event, one) };
    } catch (err) {
      const { project_id, event_id, type } = one;
      log.error({ project_id, event_id, type, err }, "a message could not be written");
      return hopeless(one, "the message could not be written");
    }
  });
  const new_bodies = written.filter((one, i): one is Ready => messages[i]?.body === null && one.body !== null);
  if (new_bodies.length > 0) await keepBodies(db, new_bodies);
  return written;
}

async function secretsOf({ db, seal }: Context, leased: readonly Leased[]): Promise<Map<string, string>> {
  const ids = [...new Set(leased.map(({ project_id }) => project_id))];
  const projects = await Promise.all(ids.map((id) => findProject(db, id)));
  return new Map(
    projects.flatMap((project) => (project ? [[project.id, seal.open(project.webhook_token_sealed)]] : [])),
  );
}

const hopeless = (leased: Leased, last_error: string): Ended => ({
  ...leased,
  status: "FAILED",
  due_at: null,
  executed_at: null,
  target_url: null,
  response_status: null,
  response_body: null,
  last_error,
});
