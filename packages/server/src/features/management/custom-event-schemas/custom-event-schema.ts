import type { Instant } from "../../../platform/clock.js";

export const property_types = ["string", "number", "date", "datetime", "boolean"] as const;

/** What one metadata property of an event must be. A deleted one is kept, and checked no more. */
export interface PropertyDefinition {
  type: (typeof property_types)[number];
  optional: boolean;
  deleted?: boolean;
}

/** A custom event that a project knows, with what its metadata must look like (platform.md §9.5). */
export interface CustomEventSchema {
  id: string;
  name: string;
  properties: Record<string, PropertyDefinition>;
  created_at: Instant;
  updated_at: Instant | null;
}
