import type { Tx } from "../../../platform/db/database.js";
import { sql } from "../../../platform/db/sql.js";
import { upsertInto } from "../../../platform/db/table.js";
import type { Webhook } from "./webhook.js";
import { webhooks } from "./webhook.store.js";

/** Where an automation's messages go, under the automation's id. */
export const writeChannel = (
  tx: Tx,
  project_id: string,
  channel: Pick<
    Webhook,
    "id" | "target_url" | "headers_sealed" | "active" | "active_since" | "failing_since" | "created_at" | "updated_at"
  >,
) => tx.run(upsertInto(webhooks, project_id, [{ ...channel, events: [], is_channel: true }], ["created_at"]));

/** What waits to be sent there ends as failed. */
export const deleteChannel = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`
    delete from webhooks where webhooks.project_id = ${project_id} and webhooks.id = ${id} and webhooks.is_channel`);
