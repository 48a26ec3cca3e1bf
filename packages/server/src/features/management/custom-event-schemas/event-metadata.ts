import { type MetadataDefinition, MetadataSchemas } from "../../../terms/index.js";
import type { CustomEventSchema } from "./custom-event-schema.js";

/** Refuses metadata that breaks the event's schema; keys that it does not define are kept (rules.md §16). */
export function assertEventMetadata({ properties }: CustomEventSchema, metadata: Record<string, unknown>): void {
  const definitions = Object.entries(properties).map(([name, definition]): [string, MetadataDefinition] => [
    name,
    { ...definition, array: false },
  ]);
  const schema = { properties: Object.fromEntries(definitions), allow_defined_only: false };
  new MetadataSchemas([{ related_object: "event", ...schema }]).assertFits("event", metadata, { is_made: true });
}
