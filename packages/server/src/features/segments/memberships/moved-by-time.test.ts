import { expect, test } from "vitest";
import { isMovedByTime } from "./moved-by-time.js";

test.each<[string, string, boolean]>([
  ["name", "$is", false],
  ["created_at", "$after", false],
  ["created_at", "$more_than", true],
  ["created_at", "$less_than_equal", true],
  ["created_at", "$is_days_ago", true],
  ["birthdate", "$next_month", true],
  ["birthdate", "$is_month", true],
  ["metadata.since", "$less_than", true],
  ["metadata.size", "$more_than", true],
  ["summary.orders.total_amount", "$more_than", false],
  ["summary.orders.last_order_date", "$more_than", true],
  ["loyalty.points", "$more_than_equal", false],
  ["loyalty_tier.start_date", "$more_than_equal", true],
  ["loyalty_tier.name", "$is", false],
  ["events.sign_up.count", "$less_than", false],
  ["events.sign_up.last_at", "$less_than", true],
  ["publications.created_at", "$more_than_ago", true],
])("a segment with %s %s is moved by time: %s", (field, operator, is_moved) => {
  const filter = {
    junction: "and",
    name: { conditions: { $has_value: [] } },
    [field]: { conditions: { [operator]: [1] } },
  };
  expect(isMovedByTime({ filter })).toBe(is_moved);
});
