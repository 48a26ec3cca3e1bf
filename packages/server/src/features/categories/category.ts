import { type Instant, isoOf } from "../../platform/clock.js";

/** A label of campaigns, tiers and vouchers; the lower its hierarchy, the earlier it counts (vouchers-and-campaigns.md §16). */
export interface Category {
  id: string;
  name: string;
  hierarchy: number;
  created_at: Instant;
  updated_at: Instant | null;
}

/** A category as every answer shows it. */
export function toCategoryBody({ id, name, hierarchy, created_at, updated_at }: Category) {
  return {
    id,
    name,
    hierarchy,
    object: "category" as const,
    created_at: isoOf(created_at),
    ...(updated_at === null ? {} : { updated_at: isoOf(updated_at) }),
  };
}
