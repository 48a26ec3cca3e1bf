import type { RuleContext, RuleNode } from "./contract.js";
import { holds, isLeftOut, isTrue, leafHolds, lineValues, nestedScopes, verdictOf } from "./judge.js";
import { leavesOf } from "./logic.js";
import { Absence, type ItemScope, type Leaf, type Match, type Nested, UNDECIDED, type Verdict } from "./nodes.js";

/** Every leaf with what it saw, wanted and lacked. Made on demand only: judging keeps none of it. */
export function explainTree(tree: Nested, context: RuleContext): RuleNode {
  return {
    path: "",
    name: null,
    property: null,
    logic: tree.logic,
    saw: null,
    wanted: {},
    holds: holds(tree.expression, context, null),
    lacking: null,
    nodes: nodesOf(tree, context, null),
  };
}

const nodesOf = (nested: Nested, context: RuleContext, scope: ItemScope | null): RuleNode[] =>
  [...new Set(leavesOf(nested.expression))].map((leaf) => nodeOf(leaf, context, scope));

function nodeOf(leaf: Leaf, context: RuleContext, scope: ItemScope | null): RuleNode {
  const left_out = isLeftOut(leaf, context);
  const verdict: Verdict = left_out ? true : verdictOf(leaf, context, scope);
  const saw = left_out ? null : sawOf(leaf, context, scope);
  const decided = !left_out && verdict !== UNDECIDED;
  return {
    path: leaf.path,
    name: leaf.rule.name,
    property: leaf.property,
    logic: leaf.nested?.logic ?? "",
    saw,
    wanted: Object.fromEntries(leaf.conditions.map(({ operator, operands }) => [operator, operands])),
    holds: decided ? leafHolds(leaf, context, scope) : null,
    lacking: decided && !isTrue(verdict) ? lackingOf(leaf, saw) : null,
    nodes: leaf.nested === null ? [] : nodesOf(leaf.nested, context, innerScope(leaf, context, scope)),
  };
}

/** What a leaf looked at: a value, the values of several lines, or the indexes of the lines it matched. */
function sawOf(leaf: Leaf, context: RuleContext, scope: ItemScope | null): unknown {
  const { look } = leaf;
  if (look.kind === "lines" || look.kind === "matched_lines") return lineValues(leaf, context, scope);
  if (look.kind === "items") {
    const match = look.match(context);
    return match instanceof Absence ? null : match.lines.map((line) => line.index);
  }
  const value = look.kind === "value" ? look.read(context, scope, leaf.property ?? "") : null;
  if (value instanceof Absence || value === undefined) return null;
  return value instanceof Set ? [...value] : value;
}

/** The least that is lacking, over the lines when several were looked at, of what lacks most. */
function lackingOf({ look, conditions }: Leaf, saw: unknown): number | null {
  const several = look.kind === "lines" || look.kind === "matched_lines";
  const values: readonly unknown[] = several && Array.isArray(saw) ? saw : [saw];
  const distances = values.flatMap((value) => {
    const lacking = conditions.flatMap((condition) => condition.lacking(value) ?? []);
    return lacking.length === 0 ? [] : [Math.max(...lacking)];
  });
  return distances.length === 0 ? null : Math.min(...distances);
}

/** Where nested leaves look: with `any`, at the line that satisfies them, else at the first. */
function innerScope(leaf: Leaf, context: RuleContext, scope: ItemScope | null): ItemScope | null {
  if (leaf.look.kind !== "items" || leaf.nested === null) return scope;
  if (isLeftOut(leaf, context)) return null;
  const match: Match | Absence = leaf.look.match(context);
  if (match instanceof Absence) return null;
  const { expression } = leaf.nested;
  const scopes = nestedScopes(leaf, match);
  const satisfied = scopes.find((inner) => holds(expression, context, inner));
  return satisfied ?? scopes[0] ?? { lines: match.lines, every: true, line: null, settled: null };
}
