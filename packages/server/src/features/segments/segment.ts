import type { Instant } from "../../platform/clock.js";

export const segment_types = ["static", "passive", "auto-update"] as const;
type SegmentType = (typeof segment_types)[number];

/** A group of customers as stored (rules.md §14). */
export interface SegmentRow {
  id: string;
  name: string;
  type: SegmentType;
  /** Null: static, its members are listed. */
  filter: Record<string, unknown> | null;
  created_at: Instant;
  updated_at: Instant | null;
}

/** The fields of a customer that a filter names, as it writes them (rules.md §14.1, §15). */
export const pathsOf = (filter: SegmentRow["filter"]): string[] =>
  Object.keys(filter ?? {}).filter((field) => field !== "junction");
