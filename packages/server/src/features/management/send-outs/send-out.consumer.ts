import { type Consumer, consumerOf, type EventName } from "../../../events/index.js";
import { findSubscribed, has_webhooks, isAskedFor, webhook_events } from "../webhooks/index.js";
import { newSendOutId } from "./send-out.js";
import { insertSendOuts } from "./send-out.store.js";

/** What is told by nobody yet may be subscribed to, and comes as soon as somebody tells it. */
const names = webhook_events as readonly string[] as readonly EventName[];

/** One message for each webhook that is on and subscribed; what happens while none is, is sent to nobody (events-and-webhooks.md §6). */
const subscriptions = consumerOf({
  name: "webhooks",
  names,
  is_told: has_webhooks,
  when: "dispatch",
  async take(tx, events, { instant }) {
    const project_ids = [...new Set(events.map(({ project_id }) => project_id))];
    const webhooks = await findSubscribed(tx, project_ids);
    if (webhooks.length === 0) return undefined;
    const sent = events.flatMap(({ project_id, id: event_id, type, entity_id, customer_id, group_id, created_at }) =>
      webhooks
        .filter((webhook) => webhook.project_id === project_id && isAskedFor(webhook.events, type))
        .map(({ webhook_id }) => ({
          ...{ project_id, webhook_id, event_id, type, entity_id, customer_id, group_id, created_at },
          id: newSendOutId(),
          body: null,
          named_customer_ids: [],
        })),
    );
    if (sent.length > 0) await insertSendOuts(tx, sent, instant);
    return undefined;
  },
});

export const consumers: readonly Consumer[] = [subscriptions];
