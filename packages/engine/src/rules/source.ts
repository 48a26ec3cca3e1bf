import type { MetadataOwner } from "./catalogue/index.js";
import type { ValueType } from "./scalars.js";

/** A validation rule as stored (rules.md §1). What cannot be trusted to have its shape is unknown. */
export interface RuleSource {
  /** `val_…` */
  readonly id: string;
  readonly rules?: unknown;
  readonly bundle_rules?: unknown;
  readonly applicable_to?: unknown;
  /** `{ message }`: the text for leaves that have none of their own. */
  readonly error?: unknown;
}

/** What of the project a rule is compiled against. */
export interface RuleEnvironment {
  /** Type of a metadata property in the schema of its owner; null when the schema does not define it. */
  metadata_type?(owner: MetadataOwner, property: string): ValueType | null;
}

/** Why a definition is no rule (rules.md §1); the server answers 400. */
export interface RuleFault {
  readonly key: "invalid_validation_rules";
  /** Of the field that is wrong, e.g. `rules.1.conditions.$is` or `applicable_to.included[0].repeat`. */
  readonly path: string;
  readonly details: string;
}

/**
 * Bounds of what one rule may cost; the depth is that of rules.md §2. Comparisons count the operands of all
 * leaves, as often as logic comes to them: short texts that name a leaf again and again multiply with every level. Characters of
 * formulas are those of all that `applicable_to` has: to parse so many takes 8 ms.
 */
export const RULE_LIMITS = {
  depth_max: 10,
  leaves_max: 1_000,
  comparisons_max: 10_000,
  formula_characters_max: 65_536,
};

const DETAIL_MAX = 200;

/** A fault whose text names the field: `Property .rules.1 must be an object`. */
export const fieldFault = (path: string, problem: string): RuleFault => fault(path, `Property .${path} ${problem}`);

/** A fault with a text of its own, such as those of rules.md §1. */
export const fault = (path: string, details: string): RuleFault => ({ key: "invalid_validation_rules", path, details });

/** A piece of the input inside a detail text. */
export const quoted = (text: string) => (text.length > DETAIL_MAX ? `${text.slice(0, DETAIL_MAX)}…` : text);

/** The `message` of an `error` object; null when there is none. */
export function messageOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("message" in error)) return null;
  return typeof error.message === "string" && error.message !== "" ? error.message : null;
}
