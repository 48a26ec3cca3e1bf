import type { Formula } from "../discounts/formula.contract.js";
import { parseFormula } from "../formulas/index.js";
import type { ApplicableEntry, ApplicableTo, ItemRef, UnitBudget } from "./contract.js";
import { isObject, type JsonObject } from "./properties.js";
import { fieldFault, RULE_LIMITS, type RuleFault } from "./source.js";

const OBJECTS = ["product", "sku", "products_collection"] as const;
const EFFECTS = [
  "APPLY_TO_EVERY",
  "APPLY_TO_CHEAPEST",
  "APPLY_FROM_CHEAPEST",
  "APPLY_TO_MOST_EXPENSIVE",
  "APPLY_FROM_MOST_EXPENSIVE",
] as const;

const TARGETS = ["ITEM", "UNIT"] as const;

/** What the fields of unit budgets count, in the order in which they are asked. */
const BUDGETS = (["campaign", "promotion_tier"] as const).flatMap((scope) =>
  [false, true].flatMap((each_product) =>
    [false, true].map((per_customer) => {
      const middle = `${each_product ? "in_collection_" : ""}${per_customer ? "customer_" : ""}`;
      const field = `product_${middle}${scope}_quantity_limit`;
      return { scope, each_product, per_customer, field, formula_field: `${field}_formula` };
    }),
  ),
);

/** Reads `applicable_to` and fills in its defaults (rules.md §9, discounts.md §5). */
export function compileApplicableTo(source: unknown): { applicable_to: ApplicableTo } | { fault: RuleFault } {
  if (source === undefined || source === null) return { applicable_to: UNRESTRICTED };
  const reader = new EntryReader();
  const { included, excluded, included_all } = isObject(source) ? source : {};
  const applicable_to: ApplicableTo = {
    included: reader.list("included", included, (entry) => reader.entry(entry)),
    excluded: reader.list("excluded", excluded, (entry) => reader.item(entry)),
    included_all: included_all === true,
  };
  return reader.fault === null ? { applicable_to } : { fault: reader.fault };
}

/**
 * What is wrong with `applicable_to` as a caller sends it, though it could be read (rules.md §9): what is stored already was accepted once,
 * and holds with the default in place of what says nothing.
 */
export function faultOfSentApplicableTo(source: unknown): RuleFault | null {
  const { included, excluded } = isObject(source) ? source : {};
  for (const [name, written] of Object.entries({ included, excluded })) {
    const entries = writtenEntries(written);
    for (const [i, entry] of (Array.isArray(entries) ? entries : []).entries()) {
      const fault = isObject(entry) ? faultOfSentEntry(entry, `applicable_to.${name}[${i}]`) : null;
      if (fault !== null) return fault;
    }
  }
  return null;
}

function faultOfSentEntry(entry: JsonObject, at: string): RuleFault | null {
  const { target, strict } = entry;
  if (target != null && oneOf(TARGETS, target) === undefined)
    return fieldFault(`${at}.target`, `must be one of ${TARGETS.join(", ")}`);
  if (strict != null && typeof strict !== "boolean") return fieldFault(`${at}.strict`, "must be boolean");
  const empty = ["price_formula", ...BUDGETS.map((budget) => budget.formula_field)].find((name) => entry[name] === "");
  return empty === undefined ? null : fieldFault(`${at}.${empty}`, "is no formula: it is empty");
}

/** Whether a price or a budget of it is computed from metadata of the publication. */
export const readsPublication = ({ included }: ApplicableTo): boolean =>
  included.some(
    ({ price_formula, budgets }) =>
      price_formula?.reads_publication || budgets.some(({ formula }) => formula?.reads_publication),
  );

// Most rules restrict nothing, and share this.
const UNRESTRICTED: ApplicableTo = { included: [], excluded: [], included_all: false };

/** `included` or `excluded` as a list: one, the list object that responses wrap it in, or a single entry. */
export function writtenEntries(written: unknown): unknown {
  if (!isObject(written)) return written ?? [];
  return Array.isArray(written.data) ? written.data : [written];
}

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);

const oneOf = <Choice extends string>(choices: readonly Choice[], value: unknown): Choice | undefined =>
  choices.find((choice) => choice === value);

/** The entry a `discount_applicable` mark stands for: its parent's lines, without limits (rules.md §3). */
export const unlimitedEntry = (item: ItemRef): ApplicableEntry => ({
  ...item,
  effect: "APPLY_TO_EVERY",
  target: "ITEM",
  skip_initially: 0,
  repeat: 1,
  price: null,
  price_formula: null,
  quantity_limit: null,
  aggregated_quantity_limit: null,
  amount_limit: null,
  aggregated_amount_limit: null,
  budgets: [],
});

class EntryReader {
  fault: RuleFault | null = null;
  /** Path of the entry at hand, inside `applicable_to`. */
  private at = "";
  /** Of all formulas so far. */
  private formula_characters = 0;

  list<Entry>(name: string, written: unknown, read: (entry: JsonObject) => Entry): Entry[] {
    const entries = writtenEntries(written);
    this.at = name;
    if (!Array.isArray(entries)) {
      this.fail("", "must be an array");
      return [];
    }
    return entries.flatMap((entry: unknown, i) => {
      this.at = `${name}[${i}]`;
      if (isObject(entry)) return [read(entry)];
      this.fail("", "must be an object");
      return [];
    });
  }

  item({ object, id, source_id, strict }: JsonObject): ItemRef {
    if (text(id) === null && text(source_id) === null) this.fail(".id", "is required");
    const named = oneOf(OBJECTS, object ?? "product");
    if (named === undefined) this.fail(".object", `must be one of ${OBJECTS.join(", ")}`);
    return { object: named ?? "product", id: text(id), source_id: text(source_id), strict: strict === true };
  }

  entry(source: JsonObject): ApplicableEntry {
    const { price, effect, target } = source;
    if (typeof effect === "string" && oneOf(EFFECTS, effect) === undefined)
      this.fail(".effect", `must be one of ${EFFECTS.join(", ")}`);
    if (typeof price === "number" && price < 0) this.fail(".price", "must be >= 0");
    const { object, id, source_id, strict } = this.item(source);
    return {
      object,
      id,
      source_id,
      strict,
      product_id: text(source.product_id),
      product_source_id: text(source.product_source_id),
      effect: oneOf(EFFECTS, effect) ?? "APPLY_TO_EVERY",
      target: target === "UNIT" ? "UNIT" : "ITEM",
      skip_initially: this.integer(source, "skip_initially", 0) ?? 0,
      repeat: this.integer(source, "repeat", 1) ?? 1,
      price: typeof price === "number" ? price : null,
      price_formula: this.formula(source, "price_formula"),
      quantity_limit: this.integer(source, "quantity_limit", 1),
      aggregated_quantity_limit: this.integer(source, "aggregated_quantity_limit", 1),
      amount_limit: this.integer(source, "amount_limit", 1),
      aggregated_amount_limit: this.integer(source, "aggregated_amount_limit", 1),
      budgets: this.budgets(source),
    };
  }

  private budgets(source: JsonObject): UnitBudget[] {
    const budgets: UnitBudget[] = [];
    for (const { field, formula_field, ...counted } of BUDGETS) {
      const limit = this.integer(source, field, 1);
      const formula = this.formula(source, formula_field);
      if (limit !== null || formula !== null) budgets.push({ ...counted, limit, formula });
    }
    return budgets;
  }

  private integer(source: JsonObject, name: string, minimum: number): number | null {
    const value = source[name];
    if (value === undefined || value === null) return null;
    if (typeof value === "number" && value >= minimum) return Math.floor(value);
    this.fail(`.${name}`, `must be >= ${minimum}`);
    return null;
  }

  private formula(source: JsonObject, name: string): Formula | null {
    const written = text(source[name]);
    if (written === null) return null;
    this.formula_characters += written.length;
    if (this.formula_characters > RULE_LIMITS.formula_characters_max) {
      this.fail(
        `.${name}`,
        `is one of formulas of more than ${RULE_LIMITS.formula_characters_max} characters together`,
      );
      return null;
    }
    const parsed = parseFormula(written);
    if ("formula" in parsed) return parsed.formula;
    this.fail(`.${name}`, `is no formula: ${parsed.fault.problem} at position ${parsed.fault.position}`);
    return null;
  }

  private fail(field: string, problem: string) {
    this.fault ??= fieldFault(`applicable_to.${this.at}${field}`, problem);
  }
}
