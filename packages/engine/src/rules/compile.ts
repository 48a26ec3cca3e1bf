import { type RuleName, ruleNameOf } from "./catalogue/index.js";
import { compileConditions } from "./conditions.js";
import type { CounterRef } from "./contract.js";
import { itemLook, productMetadataLook } from "./line-tests.js";
import { leavesOf, mapLogic, parseLogic } from "./logic.js";
import type { Expression, Leaf, Look, Nested } from "./nodes.js";
import type { Condition } from "./operators.js";
import { isObject, type JsonObject } from "./properties.js";
import { fault, messageOf, quoted, RULE_LIMITS, type RuleEnvironment, type RuleFault } from "./source.js";

/** A compiled tree and what was noticed on the way. */
export interface CompiledTree extends Nested {
  readonly counters: readonly CounterRef[];
  readonly needs_discount: boolean;
}

const NO_COUNTERS: readonly CounterRef[] = [];

const ALWAYS: Expression = { kind: "and", parts: [] };

/** Compiles the tree of rules.md §2; the fault is the first one met. */
export function compileTree(
  rules: unknown,
  message: string | null,
  environment: RuleEnvironment,
): { tree: CompiledTree } | { fault: RuleFault } {
  const compilation = new Compilation(environment);
  const nested = compilation.level(rules, { path: "", depth: 1, message });
  if (compilation.fault !== null) return { fault: compilation.fault };
  return {
    tree: {
      logic: nested?.logic ?? "",
      expression: nested?.expression ?? ALWAYS,
      reads_lines: false,
      counters: compilation.counters.size === 0 ? NO_COUNTERS : [...compilation.counters.values()],
      needs_discount: compilation.needs_discount,
    },
  };
}

interface Place {
  /** Path of the leaf around this level, with a dot behind it; empty at the root. */
  readonly path: string;
  readonly depth: number;
  /** Message of the nearest ancestor. */
  readonly message: string | null;
}

class Compilation {
  fault: RuleFault | null = null;
  needs_discount = false;
  readonly counters = new Map<string, CounterRef>();
  private leaves = 0;

  constructor(private readonly environment: RuleEnvironment) {}

  /** One level of numbered leaves with its logic; null when it holds none. */
  level(rules: unknown, place: Place): Nested | null {
    if (rules === undefined || rules === null) return null;
    if (!isObject(rules)) return this.fail("Rules must be an object");
    const { logic: written = "", ...numbered } = rules;
    const leaves = this.numbered(numbered, place);
    const text = typeof written === "string" ? written : written === null ? "" : String(written);
    if (leaves.length === 0 && text.trim() === "") return null;
    const logic = text.trim() === "" ? leaves.map((_leaf, i) => i + 1).join(" and ") : text;
    const parsed = parseLogic(logic);
    if (parsed === null || leavesOf(parsed).some((number) => leaves[number - 1] === undefined)) {
      return this.fail(`Invalid logic '${quoted(text)}'`);
    }
    const expression = mapLogic(parsed, (number) => leaves[number - 1] as Leaf);
    return { logic, expression, reads_lines: leavesOf(expression).some(readsLines) };
  }

  private numbered(numbered: JsonObject, place: Place): Leaf[] {
    if (place.depth > RULE_LIMITS.depth_max) {
      this.fail(`Rules must not be nested deeper than ${RULE_LIMITS.depth_max} levels`);
      return [];
    }
    const count = Object.keys(numbered).length;
    const leaves: Leaf[] = [];
    for (let number = 1; number <= count && this.fault === null; number += 1) {
      if (!Object.hasOwn(numbered, String(number))) {
        this.fail("Rules must be numbered from 1 without gaps");
        break;
      }
      const leaf = this.leaf(numbered[String(number)], { ...place, path: `${place.path}${number}` });
      if (leaf !== null) leaves.push(leaf);
    }
    return leaves;
  }

  private leaf(source: unknown, place: Place): Leaf | null {
    this.leaves += 1;
    if (this.leaves > RULE_LIMITS.leaves_max) return this.fail(`More than ${RULE_LIMITS.leaves_max} rules`);
    if (!isObject(source)) return this.fail(`Rule ${place.path} must be an object`);
    const written = typeof source.name === "string" ? source.name : "";
    const rule = ruleNameOf(written);
    if (rule === null) return this.fail(`Rule '${quoted(written)}' is not supported`);
    const property = typeof source.property === "string" && source.property !== "" ? source.property : null;
    if (rule.metadata !== null && property === null) return this.fail(`Rule '${written}' must have a 'property'`);
    const conditions = this.conditions(source.conditions, rule, property);
    const message = messageOf(source.error) ?? place.message;
    const nested = this.level(source.rules, { path: `${place.path}.`, depth: place.depth + 1, message });
    this.note(rule);
    const look = lookOf(rule, property ?? "", conditions, nested);
    return { path: place.path, rule, property, look, conditions, message, nested };
  }

  private conditions(source: unknown, rule: RuleName, property: string | null): readonly Condition[] {
    const type = rule.metadata && (this.environment.metadata_type?.(rule.metadata, property ?? "") ?? null);
    const compiled = compileConditions(source, rule, type);
    if ("conditions" in compiled) return compiled.conditions;
    this.fault ??= compiled.fault;
    return [];
  }

  private note({ name, counter, late }: RuleName) {
    if (counter !== null) this.counters.set(name, counter);
    if (late) this.needs_discount = true;
  }

  private fail(details: string): null {
    this.fault ??= fault(details);
    return null;
  }
}

function lookOf(rule: RuleName, property: string, conditions: readonly Condition[], nested: Nested | null): Look {
  const { look } = rule;
  switch (look.kind) {
    case "items":
      return itemLook(conditions, look.quantifier, look.object);
    case "product_metadata":
      return productMetadataLook(conditions, property, isMarked(nested, "product.metadata.match_all"));
    default:
      return look;
  }
}

/** Whether a leaf named by the logic marks its parent, with `$is: [true]`. */
export const isMarked = (nested: Nested | null, name: string): boolean =>
  nested !== null &&
  leavesOf(nested.expression).some(
    (leaf) =>
      leaf.rule.name === name &&
      leaf.conditions.some(({ operands }) => operands.some((o) => o === true || o === "true")),
  );

/** Single matched lines are looked at here or, through rules that match nothing themselves, further in. */
function readsLines({ look, nested }: Leaf): boolean {
  if (look.kind === "matched_lines") return true;
  return look.kind !== "items" && nested !== null && nested.reads_lines;
}
