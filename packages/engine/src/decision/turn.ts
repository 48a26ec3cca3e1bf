import type { RunningOrder } from "../orders/order.js";
import { applyPart, isNothing, totalDiscount } from "../orders/part.js";
import { skipsNoEffect } from "../stacking/stacking.js";
import { firstRefusal } from "./checks.js";
import { type Contribution, inCollection, type Turn } from "./context.js";
import { type ComputedEffect, computeEffect } from "./effects.js";
import { asksForLines, tieToLines } from "./line-tie.js";
import type { Applicable, Increments, Outcome } from "./outcome.js";
import { resolveExcluded, resolveIncluded } from "./resolve.js";
import { judgeRules, scarcest } from "./rules.js";

/** Rows 4 to 15 of redemption.md §4, Phase C, for one redeemable that exists; an APPLICABLE one is taken into account. */
export function judgeTurn(turn: Turn): Outcome {
  const { redeemable, order, facts, explain } = turn;
  const bundle = scarcest(turn);
  const bundled = bundle === null ? {} : { bundle };
  const refused = firstRefusal(turn);
  if (refused !== null) return { status: "INAPPLICABLE", redeemable, refusal: refused, ...bundled };
  if (facts.work) facts.work.on = { object: redeemable.object, id: redeemable.id };
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
  const increments = incrementsOf(turn, effect, order_after);
  running.add(turn, order_after, effect.part, increments);
  return {
    status: "APPLICABLE",
    redeemable,
    order: order_after,
    applied: effect.part,
    result: effect.result,
    applicable_to: resolveIncluded(applicable_to, effect.selected, order),
    inapplicable_to: resolveExcluded(applicable_to, order, inCollection(facts), facts.work),
    increments,
    ...(asksForLines(facts.scenario) ? { tie: tieToLines(turn, effect.part, effect.selected) } : {}),
  };
}

function incrementsOf(
  { rules, order }: Turn,
  { part, gift_credits, points, reward_units }: ComputedEffect,
  order_after: RunningOrder | null,
): Increments {
  return {
    redemptions: 1,
    gift_credits,
    points,
    reward_units,
    order_amount: order?.initial_amount ?? 0,
    discount_amount: totalDiscount(part),
    units: part.lines.flatMap(({ index, discounted_units: units }) => {
      // The order after it also knows the lines that this redeemable has added.
      const line = order_after?.lines[index];
      if (line === undefined || units === 0) return [];
      const { product_id, product_source_id, sku_id, sku_source_id } = line;
      return [{ index, product_id, product_source_id, sku_id, sku_source_id, units }];
    }),
    counters: rules.flatMap((rule) => rule.counters),
  };
}
