import type { StoredEvent } from "../../../events/index.js";
import { isoOf } from "../../../platform/clock.js";

/** What a message is made of beside its event. */
export interface Addressed {
  id: string;
  /** The name that the event is told under. */
  name: string;
  /** What the receiver calls it: of a webhook the same, of an automation what it says. */
  type: string;
  entity_id: string;
  source: { id: string; object: "webhook" | "distribution"; target_url: string };
}

/** The body of a message (events-and-webhooks.md §1), as it is signed and sent: compact, and never written anew. */
export function envelopeOf(
  event: Pick<StoredEvent, "id" | "project_id" | "group_id" | "event_source" | "created_at">,
  data: unknown,
  { id, name, type, entity_id, source }: Addressed,
): string {
  const created_at = isoOf(event.created_at);
  return JSON.stringify({
    id,
    project_id: event.project_id,
    created_at,
    type,
    data,
    source,
    event: {
      id: event.id,
      type: name,
      created_at,
      entity_id,
      group_id: event.group_id,
      event_source: event.event_source,
    },
  });
}
