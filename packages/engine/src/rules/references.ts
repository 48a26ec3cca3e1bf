import { idOf } from "./conditions.js";
import type { ApplicableTo, BundleRule, ItemRef } from "./contract.js";
import type { Expression, Leaf } from "./nodes.js";

/** What a rule asks about that the server has to look up first; each id once. */
interface References {
  readonly segments: readonly string[];
  readonly loyalty_tiers: readonly string[];
  readonly collections: readonly string[];
}

// Most rules ask about none of them; a catalogue holds many, and they share one list.
const NONE: readonly string[] = [];

const names_of_tiers: ReadonlySet<string> = new Set(["customer.loyalty_tier", "customer.loyalty.tier"]);

/** The segments, loyalty tiers and product collections that a rule asks about, whatever the operator; leaves before the rest. */
export function referencesOf(
  expression: Expression,
  { included, excluded }: ApplicableTo,
  bundle: BundleRule | null,
): References {
  const segments = new Set<string>();
  const loyalty_tiers = new Set<string>();
  const collections = new Set<string>();
  const note = ({ object, id }: ItemRef) => {
    if (object === "products_collection" && id !== null) collections.add(id);
  };
  visitLeaves(expression, ({ rule, look, conditions }) => {
    if (look.kind === "items") look.items.forEach(note);
    if (rule.name === "customer.segment") for (const { operands } of conditions) addIds(segments, operands);
    if (names_of_tiers.has(rule.name)) for (const { operands } of conditions) addIds(loyalty_tiers, operands);
  });
  included.forEach(note);
  excluded.forEach(note);
  bundle?.conditions.forEach(({ item }) => {
    note(item);
  });
  return { segments: listOf(segments), loyalty_tiers: listOf(loyalty_tiers), collections: listOf(collections) };
}

/** Every leaf that logic names, and those nested in it. */
function visitLeaves(expression: Expression, visit: (leaf: Leaf) => void) {
  if (expression.kind !== "leaf") {
    for (const part of expression.parts) visitLeaves(part, visit);
    return;
  }
  visit(expression.leaf);
  if (expression.leaf.nested !== null) visitLeaves(expression.leaf.nested.expression, visit);
}

function addIds(ids: Set<string>, operands: readonly unknown[]) {
  for (const id of operands.map(idOf)) if (typeof id === "string") ids.add(id);
}

const listOf = (ids: ReadonlySet<string>) => (ids.size === 0 ? NONE : [...ids]);
