import { compileApplicableTo, faultOfSentApplicableTo, readsPublication, unlimitedEntry } from "./applicable-to.js";
import { compileBundle, faultOfSentBundle } from "./bundle-rules.js";
import { type CompiledTree, compileTree, isMarked } from "./compile.js";
import type {
  ApplicableEntry,
  ApplicableTo,
  BundleRule,
  CompiledRule,
  RuleContext,
  RuleNode,
  RuleRefusal,
  Scenario,
} from "./contract.js";
import { explainTree } from "./explain.js";
import { itemRefsOf } from "./items.js";
import { holds, refusalOf } from "./judge.js";
import { leavesOf } from "./logic.js";
import { Absence, type Expression, type Leaf } from "./nodes.js";
import { isNegative } from "./operator-names.js";
import { readProperty } from "./properties.js";
import { referencesOf } from "./references.js";
import { messageOf, type RuleEnvironment, type RuleFault, type RuleSource } from "./source.js";

/** A compiled rule with its tree, which the index for qualifications reads. */
export interface ValidationRule extends CompiledRule {
  readonly expression: Expression;
  /** As {@link CompiledRule.judge}, without the reason. */
  holds(context: RuleContext): boolean;
}

/** Compiles a validation rule: parsed once, judged as closures (rules.md §1, §2). */
export function compileRule(
  source: RuleSource,
  environment: RuleEnvironment = {},
): { rule: ValidationRule } | { fault: RuleFault } {
  const fallback_message = messageOf(source.error);
  const compiled = compileTree(source.rules, fallback_message, environment);
  if ("fault" in compiled) return compiled;
  const bundled = compileBundle(source.bundle_rules);
  if ("fault" in bundled) return bundled;
  const applied = compileApplicableTo(source.applicable_to);
  if ("fault" in applied) return applied;
  const { tree } = compiled;
  const applicable_to = withMarkedLines(applied.applicable_to, tree.expression);
  return { rule: new RuleOfTree(source.id, tree, applicable_to, bundled.bundle, fallback_message) };
}

/** What a caller must not send although rules that have it are kept and judged; null when nothing is wrong (rules.md §6.6, §9). */
export const faultOfSentRule = ({
  bundle_rules,
  applicable_to,
}: Pick<RuleSource, "bundle_rules" | "applicable_to">): RuleFault | null =>
  faultOfSentBundle(bundle_rules) ?? faultOfSentApplicableTo(applicable_to);

class RuleOfTree implements ValidationRule {
  readonly segments: readonly string[];
  readonly loyalty_tiers: readonly string[];
  readonly collections: readonly string[];
  readonly reads_publication: boolean;

  constructor(
    readonly id: string,
    private readonly tree: CompiledTree,
    readonly applicable_to: ApplicableTo,
    readonly bundle: BundleRule | null,
    readonly fallback_message: string | null,
  ) {
    const { segments, loyalty_tiers, collections } = referencesOf(tree.expression, applicable_to, bundle);
    this.segments = segments;
    this.loyalty_tiers = loyalty_tiers;
    this.collections = collections;
    this.reads_publication = readsPublication(applicable_to);
  }

  get expression() {
    return this.tree.expression;
  }

  get needs_discount() {
    return this.tree.needs_discount;
  }

  get counters() {
    return this.tree.counters;
  }

  holds(context: RuleContext): boolean {
    return holds(this.tree.expression, context, null);
  }

  judge(context: RuleContext): RuleRefusal | null {
    return refusalOf(this.tree.expression, context);
  }

  explain(context: RuleContext): RuleNode {
    return explainTree(this.tree, context);
  }

  wantsLines(context: RuleContext): boolean {
    return leavesOf(this.tree.expression).some((leaf) => matchesLines(leaf, context));
  }

  omittedLeaves(scenario: Scenario): readonly string[] {
    return pathsOf(this.tree.expression, (leaf) => leaf.rule.omitted_in.has(scenario));
  }
}

/** A negative rule, and one that wants none, ask for lines that are not there. */
function matchesLines({ look, rule: { name }, conditions }: Leaf, context: RuleContext): boolean {
  if (look.kind !== "items" || name === "order.items.none") return false;
  if (conditions.every(({ canonical }) => isNegative(canonical))) return false;
  const match = look.match(context);
  return !(match instanceof Absence) && match.holds && match.lines.length > 0;
}

function pathsOf(expression: Expression, isChosen: (leaf: Leaf) => boolean): string[] {
  return [...new Set(leavesOf(expression))].flatMap((leaf) => [
    ...(isChosen(leaf) ? [leaf.path] : []),
    ...(leaf.nested === null ? [] : pathsOf(leaf.nested.expression, isChosen)),
  ]);
}

/** Adds what older rules say with `discount_applicable` beneath a product rule. */
function withMarkedLines(applicable_to: ApplicableTo, expression: Expression): ApplicableTo {
  const marked = leavesOf(expression).flatMap(markedLines);
  if (marked.length === 0) return applicable_to;
  return { ...applicable_to, included: [...applicable_to.included, ...marked] };
}

function markedLines({ rule: { name }, property, conditions, nested }: Leaf): ApplicableEntry[] {
  const inner = nested === null ? [] : leavesOf(nested.expression).flatMap(markedLines);
  if (name === "product.metadata" && isMarked(nested, "product.metadata.discount_applicable")) {
    const matches: ApplicableEntry["matches"] = (line) => {
      const value = readProperty(line.product_metadata, property ?? "");
      return conditions.every((condition) => condition.holds(value, NO_CLOCK));
    };
    inner.push(unlimitedEntry({ object: "product", id: null, source_id: null, strict: false, matches }));
  }
  const object = name === "product.id" ? "product" : name === "sku.id" ? "sku" : null;
  if (object === null || !isMarked(nested, `${object}.discount_applicable`)) return inner;
  const positive = conditions.filter(({ canonical }) => canonical === "$is" || canonical === "$in");
  const items = positive.flatMap(({ operands }) => operands.flatMap((operand) => itemRefsOf(operand, object)));
  return [...inner, ...items.map(unlimitedEntry)];
}

// This old form selects by colours and sizes. Relative dates have no "today" here and select nothing.
const NO_CLOCK = { instant: Number.NaN, time_zone: "UTC" };
