import type { CounterRef, RuleCategory, RuleContext, Scenario } from "../contract.js";
import type { Quantifier } from "../items.js";
import { type LineReader, NO_CUSTOMER, NO_ORDER, type ValueReader } from "../nodes.js";
import { scenariosWithout } from "../omission.js";
import { readProperty } from "../properties.js";

/** Whose metadata a rule reads; the schema of that resource types it (rules.md §16). */
export type MetadataOwner = "customer" | "order" | "order_item" | "product" | "redemption" | "custom_event";

/** One name of the catalogue (rules.md §3). */
export interface RuleName {
  readonly name: string;
  /** Null: never fails. */
  readonly category: RuleCategory | null;
  /** Set when the name needs a `property`. */
  readonly metadata: MetadataOwner | null;
  readonly look: NamedLook;
  readonly counter: CounterRef | null;
  /** Reads the discount, so that it is decided late. */
  readonly late: boolean;
  /** Qualifications that take it as true without looking. */
  readonly omitted_in: ReadonlySet<Scenario>;
}

/** How a name finds its value; readers of metadata still wait for the property. */
export type NamedLook =
  | { kind: "value"; read(property: string): ValueReader }
  | { kind: "lines"; every: boolean; read(property: string): LineReader }
  | { kind: "matched_lines"; read(property: string): LineReader }
  | { kind: "items"; quantifier: Quantifier; object: "product" | "sku" | null }
  | { kind: "product_metadata" }
  | { kind: "mark" };

export const rule = (
  name: string,
  category: RuleCategory | null,
  look: NamedLook,
  more: Partial<Pick<RuleName, "metadata" | "counter" | "late">> = {},
): RuleName => ({
  name,
  category,
  metadata: null,
  look,
  counter: null,
  late: false,
  omitted_in: scenariosWithout(name, category),
  ...more,
});

export const value = (read: ValueReader): NamedLook => ({ kind: "value", read: () => read });

export const metadataOf = (read: (context: RuleContext) => unknown): NamedLook => ({
  kind: "value",
  read: (property) => (context) => {
    const owner = read(context);
    return owner === NO_CUSTOMER || owner === NO_ORDER ? owner : readProperty(owner, property);
  },
});
