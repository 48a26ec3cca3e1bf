import type { Instant } from "../../platform/clock.js";

/** A place on the globe (vouchers-and-campaigns.md §18). */
export interface LocationRow {
  id: string;
  name: string;
  shape: Record<string, unknown>;
  created_at: Instant;
  updated_at: Instant | null;
}

/** Of a project, and the JSON of all their shapes: filters may name them all, and then they are in memory together. */
export const locations_max = 10_000;
export const shapes_bytes_max = 4_194_304;

const operators = ["$in_location", "$not_in_location"];

/** The locations that filters of segments or collections name (rules.md §15). */
export function locationsNamedIn(filters: readonly unknown[]): string[] {
  const ids = filters.flatMap((filter) =>
    Object.values(filter ?? {}).flatMap((asked) => {
      const conditions = (asked as { conditions?: Record<string, unknown> } | null)?.conditions ?? {};
      return operators.flatMap((operator) => [conditions[operator] ?? []].flat());
    }),
  );
  return [...new Set(ids.filter((id) => typeof id === "string"))];
}
