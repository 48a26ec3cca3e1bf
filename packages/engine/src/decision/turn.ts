import { applyPart, isNothing, totalDiscount } from "../orders/part.js";
import { skipsNoEffect } from "../stacking/stacking.js";
import { firstRefusal } from "./checks.js";
import { type Contribution, inCollection, type Turn } from "./context.js";
import { type ComputedEffect, computeEffect } from "./effects.js";
import type { Applicable, Increments, Outcome } from "./outcome.js";
import { resolveExcluded, resolveIncluded } from "./resolve.js";
import { bundlesOf, judgeRules } from "./rules.js";

/** Rows 4 to 15 of redemption.md §4, Phase C, for one redeemable that exists; an APPLICABLE one is taken into account. */
export function judgeTurn(turn: Turn): Outcome {
  const { redeemable, order, facts, explain } = turn;
  const bundle = bundlesOf(turn);
  const bundled = bundle === null ? {} : { bundle };
  const refused = firstRefusal(turn);
  if (refused !== null) return { status: "INAPPLICABLE", redeemable, refusal: refused, ...bundled };
  const effect = computeEffect(turn, bundle?.quantity ?? null);
  if ("key" in effect) return { status: "INAPPLICABLE", redeemable, refusal: effect, ...bundled };
  const { part, gift_credits, points } = effect;
  const order_after = order === null ? null : applyPart(order, part);
  const done: Contribution = { order_after, discount: totalDiscount(part), gift_credits, points };
  const late = judgeRules(turn, done);
  if (late !== null) return { status: "INAPPLICABLE", redeemable, refusal: late, ...bundled };
  const holds = hasEffect(turn, effect);
  explain?.check({ check: "effect", holds });
  if (!holds && skipsNoEffect(turn, facts.stacking_rules))
    return { status: "SKIPPED", redeemable, reason: "no_effect" };
  return { ...applied(turn, effect, done), ...bundled };
}

/** redemption.md §5.5. Without any amount there is nothing an effect could show on, so nothing is without effect. */
function hasEffect({ order }: Turn, { part, gift_credits, points, grants_reward }: ComputedEffect): boolean {
  if (order?.amount === undefined || grants_reward) return true;
  return !isNothing(part) || gift_credits > 0 || points > 0;
}

function applied(turn: Turn, effect: ComputedEffect, { order_after }: Contribution): Applicable {
  const { redeemable, facts, running, order, applicable_to } = turn;
  const increments = incrementsOf(turn, effect);
  running.add(turn, order_after, effect.part, increments);
  return {
    status: "APPLICABLE",
    redeemable,
    order: order_after,
    applied: effect.part,
    result: effect.result,
    applicable_to: resolveIncluded(applicable_to, effect.selected, order),
    inapplicable_to: resolveExcluded(applicable_to, order, inCollection(facts)),
    increments,
  };
}

function incrementsOf({ rules, order }: Turn, { part, gift_credits, points }: ComputedEffect): Increments {
  return {
    redemptions: 1,
    gift_credits,
    points,
    order_amount: order?.initial_amount ?? 0,
    discount_amount: totalDiscount(part),
    units: part.lines
      .filter((line) => line.discounted_units > 0)
      .map(({ index, discounted_units, created }) => {
        const line = order?.lines[index];
        const product_id = line?.product_id ?? created?.product_id ?? null;
        return { index, product_id, sku_id: line?.sku_id ?? created?.sku_id ?? null, units: discounted_units };
      }),
    counters: rules.flatMap((rule) => rule.counters),
  };
}
