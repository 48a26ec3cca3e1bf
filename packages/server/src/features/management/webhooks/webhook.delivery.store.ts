import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Queries } from "../../../platform/db/database.js";
import { column, type Sql, sql } from "../../../platform/db/sql.js";
import type { Webhook } from "./webhook.js";

/** One webhook among those of all projects. */
export interface WebhookPlace {
  project_id: string;
  webhook_id: string;
}

/** The webhooks of these projects that are on, and what they are told of. */
export const findSubscribed = (db: Queries, project_ids: readonly string[]) =>
  db.many<WebhookPlace & Pick<Webhook, "events">>(sql`
    select webhooks.project_id, webhooks.id as webhook_id, webhooks.events from webhooks
     where webhooks.project_id = any(${project_ids}::text[]) and webhooks.active and not webhooks.is_channel`);

/** Whether the project of an outbox's row `gone` has a webhook that is on. */
export const has_webhooks: Sql = sql`
  exists (select from webhooks
           where webhooks.project_id = gone.project_id and webhooks.active and not webhooks.is_channel)`;

const places = (webhooks: readonly WebhookPlace[]) => sql`
  unnest(${column(webhooks, "project_id")}::text[], ${column(webhooks, "webhook_id")}::text[])
    as place (project_id, webhook_id)`;

/** What whoever sends must know of them now; one that was deleted is missing. */
export const findWebhooks = (db: Queries, webhooks: readonly WebhookPlace[]) =>
  db.many<WebhookPlace & Pick<Webhook, "target_url" | "headers_sealed" | "active" | "failing_since">>(sql`
    select distinct webhooks.project_id, webhooks.id as webhook_id, webhooks.target_url, webhooks.headers_sealed,
                    webhooks.active, webhooks.failing_since
      from ${places(webhooks)}
      join webhooks on webhooks.project_id = place.project_id and webhooks.id = place.webhook_id`);

/** Their last try has failed. */
export const noteFailing = (db: Queries, webhooks: readonly WebhookPlace[], instant: Instant) =>
  db.run(sql`
    update webhooks set failing_since = ${isoOf(instant)}
      from ${places(webhooks)}
     where webhooks.project_id = place.project_id and webhooks.id = place.webhook_id and webhooks.failing_since is null`);

/** Their last try has worked. */
export const noteWorking = (db: Queries, webhooks: readonly WebhookPlace[]) =>
  db.run(sql`
    update webhooks set failing_since = null
      from ${places(webhooks)}
     where webhooks.project_id = place.project_id and webhooks.id = place.webhook_id
       and webhooks.failing_since is not null`);

/** Switches off a webhook that a message of that time could not reach, unless it was switched on since; answers whether. */
export const switchOff = async (db: Queries, { project_id, webhook_id }: WebhookPlace, of: Instant, instant: Instant) =>
  (await db.run(sql`
    update webhooks set active = false, updated_at = ${isoOf(instant)}
     where webhooks.project_id = ${project_id} and webhooks.id = ${webhook_id}
       and webhooks.active and webhooks.active_since <= ${isoOf(of)}`)) > 0;
