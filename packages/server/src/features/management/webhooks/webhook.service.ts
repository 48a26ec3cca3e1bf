import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries } from "../../../platform/db/database.js";
import { listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { whyNoTarget } from "../../../platform/outbound/index.js";
import { change, type Requested } from "../../../recording/index.js";
import { refusals } from "../../../terms/index.js";
import { knownProject, underProjectKey } from "../../projects/index.js";
import { headerNames, headersAfter, headersIn } from "./custom-headers.js";
import { eventsIn, subscribedTo } from "./subscriptions.js";
import { type Webhook, webhooks_max } from "./webhook.js";
import type { WebhookBody, WebhookInput } from "./webhook.schemas.js";
import {
  deleteWebhook,
  findWebhook,
  findWebhookForUpdate,
  insertWebhook,
  listWebhooks,
  updateWebhook,
} from "./webhook.store.js";

export async function createWebhook(context: Context, cause: Requested, input: WebhookInput): Promise<WebhookBody> {
  assertTarget(context, input);
  const headers = headersIn(input);
  const { project_id, instant } = cause;
  return change(context, cause, (change) =>
    underProjectKey(change, async () => {
      const { tx } = change;
      if ((await listWebhooks(tx, project_id)).length >= webhooks_max) throw refusals.tooManyWebhooks(webhooks_max);
      const webhook: Webhook = {
        id: newId("wh"),
        target_url: input.target_url,
        events: subscribedTo(input.events),
        headers_sealed: headersAfter(context, headers),
        active: input.active ?? true,
        active_since: instant,
        failing_since: null,
        created_at: instant,
        updated_at: null,
        is_channel: false,
      };
      await insertWebhook(tx, project_id, webhook);
      return toBody(context, webhook);
    }),
  );
}

export async function readWebhooks(context: Context, project_id: string) {
  const { db } = context;
  await knownProject(db, project_id);
  const webhooks = await listWebhooks(db, project_id);
  return listBody(
    "data",
    webhooks.map((webhook) => toBody(context, webhook)),
    webhooks.length,
  );
}

export async function readWebhook(context: Context, project_id: string, id: string): Promise<WebhookBody> {
  await knownProject(context.db, project_id);
  return toBody(context, await knownWebhook(context.db, project_id, id));
}

/** `active: true` begins anew, whether it was off or not: what has failed so far does not switch it off (platform.md §10). */
export async function changeWebhook(
  context: Context,
  cause: Requested,
  id: string,
  input: WebhookInput,
): Promise<WebhookBody> {
  assertTarget(context, input);
  const headers = headersIn(input);
  const { project_id, instant } = cause;
  return change(context, cause, async ({ tx }) => {
    await knownProject(tx, project_id);
    const stored = await findWebhookForUpdate(tx, project_id, id);
    if (!stored) throw problems.notFound("webhook", id);
    const webhook: Webhook = {
      ...stored,
      target_url: input.target_url,
      events: subscribedTo(input.events),
      headers_sealed: headersAfter(context, headers, stored.headers_sealed),
      active: input.active ?? stored.active,
      ...(input.active === true ? { active_since: instant, failing_since: null } : {}),
      updated_at: instant,
    };
    await updateWebhook(tx, project_id, webhook);
    return toBody(context, webhook);
  });
}

export async function removeWebhook(context: Context, cause: Requested, id: string): Promise<void> {
  const { project_id } = cause;
  await change(context, cause, async ({ tx }) => {
    await knownProject(tx, project_id);
    if ((await deleteWebhook(tx, project_id, id)) === 0) throw problems.notFound("webhook", id);
  });
}

/** The webhook with this id; an unknown one is the caller's mistake. */
async function knownWebhook(db: Queries, project_id: string, id: string): Promise<Webhook> {
  const webhook = await findWebhook(db, project_id, id);
  if (!webhook) throw problems.notFound("webhook", id);
  return webhook;
}

/**
 * What a name stands for is looked up with each connection, and not here: it may stand for something else by then.
 * @param path where the address stands in what was sent
 */
export function assertTarget({ config }: Context, { target_url }: Pick<WebhookInput, "target_url">, path = ""): void {
  const why = whyNoTarget(target_url, { allow_private: config.webhook_allow_private ?? false });
  if (why !== null) throw problems.invalidPayload(`Property ${path}.target_url ${why}`);
}

const toBody = (
  context: Context,
  { id, target_url, events, headers_sealed, active, created_at }: Webhook,
): WebhookBody => ({
  id,
  object: "webhook",
  target_url,
  events: eventsIn(events),
  custom_header_names: headerNames(context, headers_sealed),
  active,
  created_at: isoOf(created_at),
});
