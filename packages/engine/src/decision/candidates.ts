import type { CategoryFacts } from "../facts.js";
import type { ApplicableTo, CompiledRule } from "../rules/contract.js";
import type { RedeemableFacts } from "./facts.js";
import type { DecidedRedeemable } from "./outcome.js";

/** A redeemable with the category that counts for it. */
export interface Candidate {
  readonly redeemable: DecidedRedeemable;
  readonly category: CategoryFacts | null;
}

/** Stacks become their tiers, and categories are inherited: own, then the stack's, then the campaign's (redemption.md §4 B). */
export function expand(redeemables: readonly RedeemableFacts[]): Candidate[] {
  return redeemables.flatMap((redeemable) => {
    if (!("tiers" in redeemable)) return [candidate(redeemable, null)];
    return redeemable.tiers.map((tier) => candidate(tier, redeemable.category));
  });
}

type Known = Exclude<RedeemableFacts, { tiers: unknown }>;

function candidate(redeemable: Known, inherited: CategoryFacts | null): Candidate {
  if ("not_found" in redeemable) return { redeemable, category: null };
  const category = redeemable.category ?? inherited ?? redeemable.campaign?.category ?? null;
  // Whoever shows the outcome shows the category that counted.
  return { redeemable: inherited === null ? redeemable : { ...redeemable, category }, category };
}

const NO_ITEMS: ApplicableTo = { included: [], excluded: [], included_all: false };

/**
 * Several rules hold together: what any of them excludes is excluded, and the first that includes
 * anything says what is included.
 */
export function combinedItems(rules: readonly CompiledRule[]): ApplicableTo {
  const [first, ...others] = rules;
  if (first === undefined) return NO_ITEMS;
  if (others.length === 0) return first.applicable_to;
  const including = rules.find(({ applicable_to: items }) => items.included_all || items.included.length > 0);
  return {
    included: including?.applicable_to.included ?? [],
    included_all: including?.applicable_to.included_all ?? false,
    excluded: rules.flatMap(({ applicable_to }) => applicable_to.excluded),
  };
}
