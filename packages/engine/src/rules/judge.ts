import { scopeLines } from "./catalogue/index.js";
import type { RuleContext, RuleRefusal } from "./contract.js";
import {
  Absence,
  type Expression,
  type Failure,
  type ItemScope,
  type Leaf,
  type Match,
  NO_ORDER,
  readsLines,
  type Settled,
  UNDECIDED,
  type Verdict,
} from "./nodes.js";
import { isNegative } from "./operator-names.js";
import { workOfPath } from "./properties.js";

/** Whether an expression holds; false as soon as that is settled. */
export function holds(expression: Expression, context: RuleContext, scope: ItemScope | null): boolean {
  if (expression.kind === "leaf") return leafHolds(expression.leaf, context, scope);
  const settling = expression.kind === "or";
  for (const part of expression.parts) {
    if (holds(part, context, scope) === settling) return settling;
  }
  return !settling;
}

/** A leaf together with the rules nested in it. */
export function leafHolds(leaf: Leaf, context: RuleContext, scope: ItemScope | null): boolean {
  const settled = scope?.settled?.holds;
  if (settled === undefined || readsLines(leaf)) return askLeaf(leaf, context, scope);
  const known = settled.get(leaf) ?? askLeaf(leaf, context, scope);
  settled.set(leaf, known);
  return known;
}

function askLeaf(leaf: Leaf, context: RuleContext, scope: ItemScope | null): boolean {
  context.work?.spend(workOfLeaf(leaf));
  const { nested } = leaf;
  if (isLeftOut(leaf, context))
    return nested === null || holds(nested.expression, context, scopeOfLeftOut(leaf, scope));
  if (leaf.look.kind !== "items") {
    return isTrue(verdictOf(leaf, context, scope)) && (nested === null || holds(nested.expression, context, scope));
  }
  const match = leaf.look.match(context);
  if (match instanceof Absence || !match.holds) return false;
  return nested === null || nestedHolds(leaf, match, context);
}

/** What asking a leaf takes, what it compares apart. */
export const workOfLeaf = ({ property, conditions }: Leaf) => 2 + conditions.length + workOfPath(property ?? "");

export const isLeftOut = (leaf: Leaf, { scenario }: RuleContext) =>
  scenario !== null && leaf.rule.omitted_in.has(scenario);

/** Where rules nested in a leaf that was left out look: an item rule that was not asked has matched no lines for them. */
export const scopeOfLeftOut = ({ look }: Leaf, scope: ItemScope | null) => (look.kind === "items" ? null : scope);

export const isTrue = (verdict: Verdict) => verdict === true || verdict === UNDECIDED;

function nestedHolds(leaf: Leaf, match: Match, context: RuleContext): boolean {
  const scopes = nestedScopes(leaf, match);
  const { expression } = leaf.nested as NonNullable<Leaf["nested"]>;
  return scopes.length === 0 || scopes.some((scope) => holds(expression, context, scope));
}

/** Where the rules nested in an item rule look: one scope a line when a single line has to satisfy them all. */
export function nestedScopes({ look, nested }: Leaf, { lines }: Match): ItemScope[] {
  if (look.kind !== "items" || look.every === null) return [];
  const { every } = look;
  if (every || nested?.reads_lines !== true) return [{ lines, every, line: null, settled: null }];
  const settled: Settled = { holds: new Map(), failures: new Map() };
  return lines.map((line) => ({ lines, every, line, settled }));
}

/** What a leaf says by itself. */
export function verdictOf(leaf: Leaf, context: RuleContext, scope: ItemScope | null): Verdict {
  const { look } = leaf;
  switch (look.kind) {
    case "mark":
      return true;
    case "items": {
      const match = look.match(context);
      return match instanceof Absence ? match : match.holds;
    }
    case "value": {
      const value = look.read(context, scope, leaf.property ?? "");
      return value instanceof Absence ? value : satisfies(leaf, value, context);
    }
    case "lines":
    case "matched_lines": {
      const values = lineValues(leaf, context, scope);
      if (values === null) return NO_ORDER;
      if (values.length === 0) return leaf.conditions.every(({ canonical }) => isNegative(canonical));
      const every = look.kind === "lines" ? look.every : (scope?.every ?? false);
      return every
        ? values.every((value) => satisfies(leaf, value, context))
        : values.some((value) => satisfies(leaf, value, context));
    }
  }
}

/** The value of each line a leaf is about; null without an order. */
export function lineValues({ look, property }: Leaf, context: RuleContext, scope: ItemScope | null): unknown[] | null {
  if (look.kind !== "lines" && look.kind !== "matched_lines") return [];
  const lines = scopeLines(context, look.kind === "lines" ? null : scope);
  if (lines === null) return null;
  const chosen = look.kind === "matched_lines" && scope?.line ? [scope.line] : lines;
  // Reading it and comparing it.
  context.work?.spend(chosen.length * (2 + workOfPath(property ?? "")));
  return chosen.map((line) => look.read(line, lines, property ?? ""));
}

function satisfies({ conditions }: Leaf, value: unknown, context: RuleContext): boolean {
  for (const condition of conditions) if (!condition.holds(value, context)) return false;
  return true;
}

/**
 * The refusal of a rule (rules.md §8); null when it holds. Asked once: whether a rule holds and then why not would ask everything
 * that fails twice.
 */
export function refusalOf(expression: Expression, context: RuleContext): RuleRefusal | null {
  const failures = failuresOf(expression, context, null);
  if (failures === null) return null;
  for (const key of ["missing_customer", "missing_order", "missing_amount"] as const) {
    if (failures.some(({ verdict }) => verdict instanceof Absence && verdict.reason === key)) return { key };
  }
  for (const category of ["customer", "order", "redemption"] as const) {
    const failure = failures.find(({ leaf }) => leaf.rule.category === category);
    if (failure === undefined) continue;
    const key = `${category}_rules_violated` as const;
    return failure.leaf.message === null ? { key } : { key, message: failure.leaf.message };
  }
  return { key: "redemption_rules_violated" };
}

/**
 * What fails in an expression; null when it holds. Only false parts are looked into: in `(1 or 2) and 3` with 2 true the
 * expression does not depend on 1. Asked once for all levels: whether each part holds and then why not, level by level,
 * would ask the innermost as often as there are brackets around it.
 */
function failuresOf(expression: Expression, context: RuleContext, scope: ItemScope | null): Failure[] | null {
  if (expression.kind === "leaf") return leafFailures(expression.leaf, context, scope);
  let failures: Failure[] | null = null;
  for (const part of expression.parts) {
    const of_part = failuresOf(part, context, scope);
    if (of_part === null) {
      if (expression.kind === "or") return null;
      continue;
    }
    // Those of a part may be remembered for another line.
    failures ??= [];
    for (const failure of of_part) failures.push(failure);
  }
  return failures;
}

/** Null: the leaf holds, with what is nested in it. */
function leafFailures(leaf: Leaf, context: RuleContext, scope: ItemScope | null): Failure[] | null {
  const settled = scope?.settled?.failures;
  if (settled === undefined || readsLines(leaf)) return askFailures(leaf, context, scope);
  const known = settled.get(leaf);
  if (known !== undefined) return known;
  const found = askFailures(leaf, context, scope);
  settled.set(leaf, found);
  return found;
}

function askFailures(leaf: Leaf, context: RuleContext, scope: ItemScope | null): Failure[] | null {
  context.work?.spend(workOfLeaf(leaf));
  const { nested, look } = leaf;
  const left_out = isLeftOut(leaf, context);
  if (look.kind === "items" && !left_out) {
    const match = look.match(context);
    const verdict = match instanceof Absence ? match : match.holds;
    return isTrue(verdict) ? nearestFailures(leaf, match, context) : [{ leaf, verdict }];
  }
  const verdict = left_out || verdictOf(leaf, context, scope);
  const own: Failure[] | null = isTrue(verdict) ? null : [{ leaf, verdict }];
  if (nested === null) return own;
  const inner = failuresOf(nested.expression, context, left_out ? scopeOfLeftOut(leaf, scope) : scope);
  return own === null || inner === null ? (own ?? inner) : [...own, ...inner];
}

// With `any` each line may fail for reasons of its own; the line that lacks least speaks for all.
function nearestFailures(leaf: Leaf, match: Match | Absence, context: RuleContext): Failure[] | null {
  const { nested } = leaf;
  if (match instanceof Absence || nested === null) return null;
  let nearest: Failure[] | null = null;
  for (const scope of nestedScopes(leaf, match)) {
    const failures = failuresOf(nested.expression, context, scope);
    if (failures === null) return null;
    if (nearest === null || failures.length < nearest.length) nearest = failures;
  }
  return nearest;
}
