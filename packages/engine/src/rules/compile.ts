import { type RuleName, ruleNameOf } from "./catalogue/index.js";
import { compileConditions } from "./conditions.js";
import type { CounterRef } from "./contract.js";
import { itemLook, productMetadataLook } from "./line-tests.js";
import { leavesOf, mapLogic, parseLogic } from "./logic.js";
import { type Expression, type Leaf, type Look, type Nested, readsLines } from "./nodes.js";
import type { Condition } from "./operators.js";
import { isObject, type JsonObject, PATH_LENGTH_MAX } from "./properties.js";
import { fault, fieldFault, messageOf, quoted, RULE_LIMITS, type RuleEnvironment, type RuleFault } from "./source.js";

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
  const nested = compilation.level(rules, { path: "", field: "rules", depth: 1, message });
  if (compilation.fault !== null) return { fault: compilation.fault };
  return {
    tree: {
      logic: nested?.logic ?? "",
      expression: nested?.expression ?? ALWAYS,
      reads_lines: false,
      comparisons: nested?.comparisons ?? 0,
      counters: compilation.counters.size === 0 ? NO_COUNTERS : [...compilation.counters.values()],
      needs_discount: compilation.needs_discount,
    },
  };
}

interface Place {
  /** Path of the leaf around this level, with a dot behind it; empty at the root. */
  readonly path: string;
  /** Path of this level inside the definition, for faults. */
  readonly field: string;
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
    if (!isObject(rules)) return this.fail(fieldFault(place.field, "must be an object"));
    const { logic: written, ...numbered } = rules;
    const leaves = this.numbered(numbered, place);
    const text = typeof written === "number" ? String(written) : (written ?? "");
    if (typeof text !== "string") return this.fail(fieldFault(`${place.field}.logic`, "must be a string"));
    if (leaves.length === 0 && text.trim() === "") return null;
    const logic = text.trim() === "" ? leaves.map((_leaf, i) => i + 1).join(" and ") : text;
    const parsed = parseLogic(logic);
    const asked = parsed === null ? [] : leavesOf(parsed).map((number) => leaves[number - 1]);
    if (parsed === null || !asked.every((leaf) => leaf !== undefined)) {
      return this.fail(fault(`${place.field}.logic`, `Invalid logic '${quoted(text)}'`));
    }
    const expression = mapLogic(parsed, (number) => leaves[number - 1] as Leaf);
    const comparisons = asked.reduce((sum, leaf) => sum + comparisonsOf(leaf), 0);
    if (comparisons > RULE_LIMITS.comparisons_max) {
      const most = `must not ask for more than ${RULE_LIMITS.comparisons_max} comparisons`;
      return this.fail(fieldFault(`${place.field}.logic`, most));
    }
    return { logic, expression, reads_lines: asked.some(readsLines), comparisons };
  }

  private numbered(numbered: JsonObject, place: Place): Leaf[] {
    if (place.depth > RULE_LIMITS.depth_max) {
      this.fail(fieldFault(place.field, `must not be nested deeper than ${RULE_LIMITS.depth_max} levels`));
      return [];
    }
    const count = Object.keys(numbered).length;
    const leaves: Leaf[] = [];
    for (let number = 1; number <= count && this.fault === null; number += 1) {
      if (!Object.hasOwn(numbered, String(number))) {
        this.fail(fieldFault(place.field, "must be numbered from 1 without gaps"));
        break;
      }
      const leaf = this.leaf(numbered[String(number)], {
        ...place,
        path: `${place.path}${number}`,
        field: `${place.field}.${number}`,
      });
      if (leaf !== null) leaves.push(leaf);
    }
    return leaves;
  }

  private leaf(source: unknown, place: Place): Leaf | null {
    this.leaves += 1;
    if (this.leaves > RULE_LIMITS.leaves_max)
      return this.fail(fieldFault(place.field, `is one of more than ${RULE_LIMITS.leaves_max} rules`));
    if (!isObject(source)) return this.fail(fieldFault(place.field, "must be an object"));
    const written = typeof source.name === "string" ? source.name : "";
    const rule = ruleNameOf(written);
    if (rule === null) return this.fail(fault(`${place.field}.name`, `Rule '${quoted(written)}' is not supported`));
    const property = typeof source.property === "string" && source.property !== "" ? source.property : null;
    if (rule.metadata !== null && property === null) {
      return this.fail(fault(`${place.field}.property`, `Rule '${written}' must have a 'property'`));
    }
    if (property !== null && property.length > PATH_LENGTH_MAX) {
      const most = `must not be longer than ${PATH_LENGTH_MAX} characters`;
      return this.fail(fieldFault(`${place.field}.property`, most));
    }
    const conditions = this.conditions(source.conditions, rule, property, place.field);
    const message = messageOf(source.error) ?? place.message;
    const nested = this.level(source.rules, {
      path: `${place.path}.`,
      field: `${place.field}.rules`,
      depth: place.depth + 1,
      message,
    });
    this.note(rule);
    const look = lookOf(rule, property ?? "", conditions, nested);
    return { path: place.path, rule, property, look, conditions, message, nested };
  }

  private conditions(source: unknown, rule: RuleName, property: string | null, field: string): readonly Condition[] {
    const type = rule.metadata && (this.environment.metadata_type?.(rule.metadata, property ?? "") ?? null);
    const compiled = compileConditions(source, rule, type, field);
    if ("conditions" in compiled) return compiled.conditions;
    this.fault ??= compiled.fault;
    return [];
  }

  private note({ name, counter, late }: RuleName) {
    if (counter !== null) this.counters.set(name, counter);
    if (late) this.needs_discount = true;
  }

  private fail(found: RuleFault): null {
    this.fault ??= found;
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

/** A leaf without operands is a question too. */
const comparisonsOf = ({ conditions, nested }: Leaf): number =>
  conditions.reduce((sum, { operands }) => sum + operands.length, 1) + (nested?.comparisons ?? 0);
