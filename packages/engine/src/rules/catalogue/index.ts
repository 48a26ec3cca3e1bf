import type { RuleName } from "./entry.js";
import { ITEM_RULES, LINE_RULES, PRODUCT_RULES } from "./items.js";
import { CUSTOMER_RULES, ORDER_RULES } from "./order.js";
import { REDEMPTION_RULES } from "./redemption.js";

export type { MetadataOwner, RuleName } from "./entry.js";
export { scopeLines } from "./items.js";

const NAMES: ReadonlyMap<string, RuleName> = new Map(
  [CUSTOMER_RULES, ORDER_RULES, LINE_RULES, ITEM_RULES, PRODUCT_RULES, REDEMPTION_RULES]
    .flat()
    .map((entry) => [entry.name, entry]),
);

/** Names as older clients write them; a rule is shown as it was written. */
const OLDER_NAMES: ReadonlyMap<string, string> = new Map([["customer_segment", "customer.segment"]]);

/** The catalogue entry of a name; old clients write a dot behind some. */
export function ruleNameOf(written: string): RuleName | null {
  const name = written.replace(/\.$/, "");
  return NAMES.get(OLDER_NAMES.get(name) ?? name) ?? null;
}

/** Every name a rule may have. */
export const RULE_NAMES: readonly string[] = [...NAMES.keys()];
