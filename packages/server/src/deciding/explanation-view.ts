import type { CheckStep, Explanation, Outcome, RuleNode } from "@guerdon/engine";

/** The explanation of an outcome, if one was asked for, with what did not hold in words. */
export function explanationView({ explanation }: Outcome): { explanation?: Explanation & { summary: string[] } } {
  if (!explanation) return {};
  const summary = explanation.checks.filter(({ holds }) => !holds).flatMap(sentences);
  return { explanation: { summary, ...explanation } };
}

function sentences(step: CheckStep): string[] {
  switch (step.check) {
    case "rules":
      return failedLeaves(step.node).map((leaf) => `rule ${step.rule_id}, ${sentenceOf(leaf)}`);
    case "limit":
      return [`${step.reason}: ${step.used} of ${step.limit} used`];
    case "window":
      return [`${step.owner}: ${step.refusal?.key ?? "not open"}`];
    case "quantity":
      return [`quantity: ${step.redeemed} redeemed and ${step.held} held of ${step.quantity}`];
    case "bundle":
      return [`rule ${step.rule_id}: the order holds no bundle`];
    case "credits":
    case "points":
      return [`${step.check}: ${step.available} available${short(step.lacking)}`];
    case "stock":
      return [`stock: ${step.redeemed} of ${step.stock} given${short(step.lacking)}`];
    default:
      return [`${step.check}: does not hold`];
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
