import type { StackingRules } from "@guerdon/engine";
import { problems } from "../../../platform/http/problems.js";
import type { StackingRulesInput } from "./stacking-rules.schemas.js";

type Limit = {
  [Name in keyof StackingRules]: StackingRules[Name] extends number | null ? Name : never;
}[keyof StackingRules];

/** Each of these is at most the one beside it (redemption.md §5.1); in an order in which the larger is settled first. */
const bounded_by: readonly [Limit, Limit][] = [
  ["applicable_redeemables_limit", "redeemables_limit"],
  ["applicable_redeemables_per_category_limit", "applicable_redeemables_limit"],
  ["applicable_exclusive_redeemables_per_category_limit", "applicable_exclusive_redeemables_limit"],
];

/**
 * The rules as an edit leaves them: what is sent counts, the rest stays. A limit that was not sent gives way to a smaller
 * one that bounds it; one that was sent is refused (redemption.md §5.1).
 */
export function withSent(rules: StackingRules, sent: StackingRulesInput): StackingRules {
  // What else was sent is nothing of ours: stored, it would be answered for ever.
  const known = Object.entries(sent).filter(([name]) => Object.hasOwn(rules, name));
  const changed: StackingRules = { ...rules, ...(Object.fromEntries(known) as StackingRulesInput) };
  for (const [name, bound_name] of bounded_by) {
    const [value, bound] = [changed[name], changed[bound_name]];
    if (value === null || bound === null || value <= bound) continue;
    if (sent[name] !== undefined) throw problems.invalidPayload(`Property .${name} must be <= ${bound}`);
    changed[name] = bound;
  }
  const both = changed.no_effect_skip_categories.find((id) => changed.no_effect_redeem_anyway_categories.includes(id));
  if (both !== undefined) {
    throw problems.invalidPayload(
      `Property .no_effect_skip_categories must not name a category of no_effect_redeem_anyway_categories: ${both}`,
    );
  }
  return changed;
}
