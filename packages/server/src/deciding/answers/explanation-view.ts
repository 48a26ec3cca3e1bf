import type { CheckStep, Outcome, RuleNode, WindowRefusal } from "@guerdon/engine";
import { isoOf } from "../../platform/clock.js";
import { skip_messages } from "../../terms/index.js";
import type { RedeemableView } from "./answer.schemas.js";

/** The explanation of an outcome, if one was asked for, with what did not hold in words. */
export function explanationView({ explanation }: Outcome): Pick<RedeemableView, "explanation"> {
  if (!explanation) return {};
  const summary = explanation.checks.filter(({ holds }) => !holds).flatMap(sentences);
  const { checks, lines, amounts } = explanation;
  return { explanation: { summary, ...explanation, checks: [...checks], lines: [...lines], amounts: [...amounts] } };
}

/** Checks that say no more than that they do not hold. */
const plain_sentences = {
  preceding: "something before it in the request is inapplicable, and all must apply",
  exclusion: "it may not be combined with an exclusive redeemable of the request",
  exists: "nothing has this code or id",
  reward: "the reward cannot be given",
  supply: "the campaign of the reward has nothing to give to this customer",
  enabled: "it is switched off",
  holder: "only the customer whom it was published to may use it",
  referrer: "a referrer cannot use their own code",
  order: "the request has no order",
  amount: "the order has no amount",
  items_amount: "none of the order's items that it is for has an amount",
  effect: "it would change nothing",
};

function sentences(step: CheckStep): string[] {
  switch (step.check) {
    case "rules":
      return failedLeaves(step.node).map((leaf) => `rule ${step.rule_id}, ${sentenceOf(leaf)}`);
    case "limit":
      return [`${skip_messages[step.reason]}: ${step.used} of ${step.limit} used`];
    case "window":
      return [windowSentence(step.owner, step.refusal)];
    case "quantity":
      return [`quantity: ${step.redeemed} redeemed and ${step.held} held of ${step.quantity}`];
    case "bundle":
      return [`rule ${step.rule_id}: the order does not hold what makes a bundle`];
    case "credits":
    case "points":
      return [`${step.check}: ${step.requested} wanted, ${step.available} available${short(step.lacking)}`];
    case "stock":
      return [`stock: ${step.redeemed} of ${step.stock} given${short(step.lacking)}`];
    default:
      return [plain_sentences[step.check]];
  }
}

function windowSentence(owner: string, refusal: WindowRefusal | null): string {
  switch (refusal?.key) {
    case "not_started":
      return `the ${owner} starts at ${isoOf(refusal.start_date)}`;
    case "expired":
      return `the ${owner} ended at ${isoOf(refusal.expiration_date)}`;
    case "outside_day_of_week":
      return `the ${owner} is closed on this day of the week`;
    case "outside_hours":
      return `the ${owner} is closed at this hour`;
    default:
      return `the ${owner} is between two of its recurring windows`;
  }
}

/** The leaves to blame: those below the root that do not hold, without nodes that only fail through them. */
function failedLeaves(node: RuleNode): RuleNode[] {
  if (node.holds !== false) return [];
  const below = node.nodes.flatMap(failedLeaves);
  return below.length > 0 || node.name === null ? below : [node];
}

function sentenceOf({ path, name, property, saw, wanted, lacking }: RuleNode): string {
  const subject = property ? `${name} ${property}` : name;
  const conditions = Object.entries(wanted).map(([operator, operands]) => `${operator} ${JSON.stringify(operands)}`);
  const too_much = Object.keys(wanted).every((operator) => operator.startsWith("$less"));
  const apart = too_much ? over(lacking) : short(lacking);
  return `${path}: ${subject} is ${JSON.stringify(saw) ?? "missing"}, wanted ${conditions.join(" and ")}${apart}`;
}

const short = (lacking: number | null) => (lacking ? `, ${lacking} short` : "");
const over = (lacking: number | null) => (lacking ? `, ${lacking} over` : "");
