import type { SegmentRow } from "../segment.js";

/** Operators that say the same of a value on every day, and ranges, which on a date count the days since. */
const timeless = [
  ...["$is", "$is_not", "$in", "$not_in", "$has_value", "$is_unknown", "$after", "$before"],
  ...["$contains", "$not_contain", "$starts_with", "$ends_with", "$count", "$count_less", "$count_more"],
  ...["$in_location", "$not_in_location"],
];
const ranges = /^\$(greater|more|less)_than(_or)?(_equal)?$/;
/** Fields of rules.md §14.1 that are no dates; what metadata holds may be one. */
const numbers = /^(summary\.(?!orders\.last_order_date)|loyalty(?!_tier\.)|events\..*\.count$)/;

/** Whether somebody may enter or leave the segment by nothing but a new day (rules.md §14). */
export function isMovedByTime({ filter }: Pick<SegmentRow, "filter">): boolean {
  return Object.entries(filter ?? {}).some(([field, asked]) => {
    const { conditions } = (asked ?? {}) as { conditions?: unknown };
    if (field === "junction" || typeof conditions !== "object" || conditions === null) return false;
    return Object.keys(conditions).some(
      (operator) => !timeless.includes(operator) && !(ranges.test(operator) && numbers.test(field)),
    );
  });
}
