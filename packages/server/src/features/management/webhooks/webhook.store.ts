import type { Queries, Tx } from "../../../platform/db/database.js";
import { sql } from "../../../platform/db/sql.js";
import { bool, type Column, insertInto, sets, table, text, timestamptz } from "../../../platform/db/table.js";
import type { Subscription } from "./subscriptions.js";
import type { Webhook } from "./webhook.js";

/** An array of arrays would have to be rectangular, so each travels as a text. */
const texts: Column<readonly Subscription[]> = {
  type: "text[]",
  sent_as: "text",
  sent: (names) => `{${names.join()}}`,
};

const bytea: Column<Buffer> = { type: "bytea", sent_as: "bytea", sent: (bytes) => bytes };

export const webhooks = table<Webhook>("webhooks", {
  id: text,
  target_url: text,
  events: texts,
  headers_sealed: bytea,
  active: bool,
  active_since: timestamptz,
  failing_since: timestamptz,
  created_at: timestamptz,
  updated_at: timestamptz,
  is_channel: bool,
});
const { fields } = webhooks;

export const findWebhook = (db: Queries, project_id: string, id: string) =>
  db.maybe<Webhook>(sql`
    select ${fields} from webhooks
     where webhooks.project_id = ${project_id} and webhooks.id = ${id} and not webhooks.is_channel`);

/** Locks the row, so that of two edits at once the later one is made of what the earlier one left. */
export const findWebhookForUpdate = (tx: Tx, project_id: string, id: string) =>
  tx.maybe<Webhook>(sql`
    select ${fields} from webhooks
     where webhooks.project_id = ${project_id} and webhooks.id = ${id} and not webhooks.is_channel
       for update`);

/** In the order in which they were made. */
export const listWebhooks = (db: Queries, project_id: string) =>
  db.many<Webhook>(sql`
    select ${fields} from webhooks
     where webhooks.project_id = ${project_id} and not webhooks.is_channel
     order by webhooks.created_at, webhooks.id`);

export const insertWebhook = (tx: Tx, project_id: string, webhook: Webhook) =>
  tx.run(insertInto(webhooks, project_id, [webhook]));

export const updateWebhook = (tx: Tx, project_id: string, webhook: Webhook) =>
  tx.run(sql`
    update webhooks
       set ${sets(webhooks, webhook, ["target_url", "events", "headers_sealed", "active", "active_since", "failing_since", "updated_at"])}
     where webhooks.project_id = ${project_id} and webhooks.id = ${webhook.id}`);

/** Answers how many there were. */
export const deleteWebhook = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`
    delete from webhooks
     where webhooks.project_id = ${project_id} and webhooks.id = ${id} and not webhooks.is_channel`);
