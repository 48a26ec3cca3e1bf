import type { StoredEvent } from "../../../events/index.js";
import { isoOf } from "../../../platform/clock.js";

/** What a message is made of beside its event. */
export interface Addressed {
  id: string;
  type: string;
  entity_id: string;
  webhook_id: string;
  target_url: string;
}

/** The body of a message (events-and-webhooks.md §1), as it is signed and sent: compact, and never written anew. */
export function envelopeOf(
  event: StoredEvent,
  data: unknown,
  { id, type, entity_id, webhook_id, target_url }: Addressed,
): string {
  const created_at = isoOf(event.created_at);
  return JSON.stringify({
    id,
    project_id: event.project_id,
    created_at,
    type,
    data,
    source: { id: webhook_id, object: "webhook", target_url },
    event: {
      id: event.id,
      type,
      created_at,
      entity_id,
      group_id: event.group_id,
      event_source: event.event_source,
    },
  });
}
