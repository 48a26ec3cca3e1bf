import type { CounterRef, RuleCategory, RuleContext } from "../contract.js";
import type { Quantifier } from "../items.js";
import { type LeafName, type Look, NO_CUSTOMER, NO_ORDER, type ValueReader } from "../nodes.js";
import { scenariosWithout } from "../omission.js";
import { EQUALITIES, OPERATORS, type OperatorName, RANGES, SETS } from "../operator-names.js";
import { readProperty } from "../properties.js";

/** Whose metadata a rule reads; the schema of that resource types it (rules.md §16). */
export type MetadataOwner = "customer" | "order" | "order_item" | "product" | "redemption" | "custom_event";

/** One name of the catalogue (rules.md §3). */
export interface RuleName extends LeafName {
  /** Set when the name needs a `property`. */
  readonly metadata: MetadataOwner | null;
  readonly look: NamedLook;
  readonly counter: CounterRef | null;
  /** Reads the discount, so that it is decided late. */
  readonly late: boolean;
  readonly operators: readonly OperatorName[];
}

/** How a name finds its value. What depends on the conditions of a leaf is settled when that is compiled. */
export type NamedLook =
  | Exclude<Look, { kind: "items" }>
  | { readonly kind: "items"; readonly quantifier: Quantifier; readonly object: "product" | "sku" | null }
  | { readonly kind: "product_metadata" };

/** For what is one of several ids or words. */
export const OF_REFERENCES: readonly OperatorName[] = [...EQUALITIES, ...SETS];
const OF_NUMBERS: readonly OperatorName[] = [...EQUALITIES, ...RANGES];
const OF_ITEMS: readonly OperatorName[] = [...EQUALITIES, "$from"];
const OF_METADATA: readonly OperatorName[] = OPERATORS.filter((operator) => operator !== "$from");

function usualOperators({ kind }: NamedLook, metadata: MetadataOwner | null): readonly OperatorName[] {
  if (kind === "items") return OF_ITEMS;
  if (kind === "mark") return EQUALITIES;
  return metadata === null ? OF_NUMBERS : OF_METADATA;
}

export const rule = (
  name: string,
  category: RuleCategory | null,
  look: NamedLook,
  more: Partial<Pick<RuleName, "metadata" | "counter" | "late" | "operators">> = {},
): RuleName => ({
  name,
  category,
  metadata: null,
  look,
  counter: null,
  late: false,
  operators: usualOperators(look, more.metadata ?? null),
  omitted_in: scenariosWithout(name, category),
  ...more,
});

export const value = (read: ValueReader): NamedLook => ({ kind: "value", read });

export const metadataOf = (read: (context: RuleContext) => unknown): NamedLook => ({
  kind: "value",
  read: (context, _scope, property) => {
    const owner = read(context);
    return owner === NO_CUSTOMER || owner === NO_ORDER ? owner : readProperty(owner, property);
  },
});
