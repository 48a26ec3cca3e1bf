import type { RuleContext, RuleNode } from "./contract.js";
import { holds, isLeftOut, isTrue, lineValues, nestedScopes, scopeOfLeftOut, verdictOf, workOfLeaf } from "./judge.js";
import { leavesOf } from "./logic.js";
import {
  Absence,
  type Expression,
  type ItemScope,
  type Leaf,
  type Match,
  type Nested,
  UNDECIDED,
  type Verdict,
} from "./nodes.js";

/** Every leaf with what it saw, wanted and lacked. Made on demand only: judging keeps none of it. */
export function explainTree(tree: Nested, context: RuleContext): RuleNode {
  const inner = explainNested(tree, context, null);
  return {
    path: "",
    name: null,
    property: null,
    logic: tree.logic,
    saw: null,
    wanted: {},
    holds: inner.holds,
    lacking: null,
    nodes: inner.nodes,
  };
}

/** Leaves and whether they hold together. What a leaf was found to be is not asked again on the levels above it. */
function explainNested({ expression }: Nested, context: RuleContext, scope: ItemScope | null) {
  const explained = new Map<Leaf, Explained>();
  for (const leaf of leavesOf(expression)) {
    if (!explained.has(leaf)) explained.set(leaf, explainLeaf(leaf, context, scope));
  }
  const answers = new Map([...explained].map(([leaf, { answer }]) => [leaf, answer]));
  return { holds: followsFrom(expression, answers), nodes: [...explained.values()].map(({ node }) => node) };
}

function followsFrom(expression: Expression, answers: ReadonlyMap<Leaf, boolean>): boolean {
  if (expression.kind === "leaf") return answers.get(expression.leaf) === true;
  const holdsOf = (part: Expression) => followsFrom(part, answers);
  return expression.kind === "or" ? expression.parts.some(holdsOf) : expression.parts.every(holdsOf);
}

/** `answer`: whether the leaf holds with what is nested in it, also where its node says nothing of that. */
interface Explained {
  node: RuleNode;
  answer: boolean;
}
function explainLeaf(leaf: Leaf, context: RuleContext, scope: ItemScope | null): Explained {
  context.work?.spend(workOfLeaf(leaf));
  const left_out = isLeftOut(leaf, context);
  const verdict: Verdict = left_out ? true : verdictOf(leaf, context, scope);
  const saw = left_out ? null : sawOf(leaf, context, scope);
  const inner = leaf.nested && explainInner(leaf, leaf.nested, context, scope);
  const answer = isTrue(verdict) && (inner?.holds ?? true);
  const decided = !left_out && verdict !== UNDECIDED;
  const node: RuleNode = {
    path: leaf.path,
    name: leaf.rule.name,
    property: leaf.property,
    logic: leaf.nested?.logic ?? "",
    saw,
    wanted: Object.fromEntries(leaf.conditions.map(({ operator, operands }) => [operator, operands])),
    holds: decided ? answer : null,
    lacking: decided && !isTrue(verdict) ? lackingOf(leaf, saw) : null,
    nodes: inner?.nodes ?? [],
  };
  return { node, answer };
}

/** Nested leaves where they look: with `any` at the line that satisfies them, else at the first. */
function explainInner(leaf: Leaf, nested: Nested, context: RuleContext, scope: ItemScope | null) {
  if (isLeftOut(leaf, context)) return explainNested(nested, context, scopeOfLeftOut(leaf, scope));
  if (leaf.look.kind !== "items") return explainNested(nested, context, scope);
  const match: Match | Absence = leaf.look.match(context);
  if (match instanceof Absence) return explainNested(nested, context, null);
  const scopes = nestedScopes(leaf, match);
  const [first] = scopes;
  if (first === undefined) {
    const unasked = explainNested(nested, context, { lines: match.lines, every: true, line: null, settled: null });
    return { ...unasked, holds: true };
  }
  const satisfied = scopes.length > 1 ? scopes.find((one) => holds(nested.expression, context, one)) : undefined;
  return explainNested(nested, context, satisfied ?? first);
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
