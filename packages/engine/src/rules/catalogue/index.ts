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

/** The catalogue entry of a name; old clients write a dot behind some. */
export const ruleNameOf = (name: string): RuleName | null => NAMES.get(name.replace(/\.$/, "")) ?? null;

/** Every name a rule may have. */
export const RULE_NAMES: readonly string[] = [...NAMES.keys()];
