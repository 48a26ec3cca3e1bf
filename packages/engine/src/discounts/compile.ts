import type { Decimal } from "decimal.js";
import type { Discount } from "../facts.js";
import { floored, type Ratio, ratioOf, rounded, ZERO } from "../money/ratio.js";
import type { OrderLine } from "../orders/order.js";
import type { ApplicableTo } from "../rules/contract.js";
import type { Formula, FormulaOperands, ParseFormula } from "./formula.contract.js";

export type Effect =
  | "APPLY_TO_ORDER"
  | "APPLY_TO_ITEMS"
  | "APPLY_TO_ITEMS_PROPORTIONALLY"
  | "APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY"
  | "APPLY_TO_ITEMS_BY_QUANTITY"
  | "ADD_MISSING_ITEMS"
  | "ADD_NEW_ITEMS"
  | "ADD_MANY_ITEMS"
  | "REPLACE_ITEMS";

/** A static number and the formula that may replace it. */
export interface Value {
  /** Null: there is no number. A function, since facts are logged as JSON, which knows no bigint. */
  exact(): Ratio | null;
  readonly formula: Formula | null;
}

export interface CompiledUnit {
  /** As stored, in `units` or in the discount itself. */
  readonly listed: NonNullable<Discount["units"]>[number];
  readonly unit_off: Value;
  readonly unit_type: string;
  readonly effect: Effect;
}

/** A discount ready to be computed: formulas parsed, limits floored and kept only where the type knows them (discounts.md §4). */
export interface CompiledDiscount {
  readonly discount: Discount;
  readonly type: Discount["type"];
  /** As stored; the default depends on the rules and is taken when the discount is computed. */
  readonly effect: Effect | null;
  /** `amount_off` or `fixed_amount` in minor units, or `percent_off`. */
  readonly value: Value;
  /** Minor units. */
  readonly amount_limit: number | null;
  readonly aggregated_amount_limit: number | null;
  readonly units: readonly CompiledUnit[];
  /** A formula of it reads metadata of the publication (discounts.md §10). */
  readonly reads_publication: boolean;
}

/** Parses a stored discount once. A formula that does not parse counts as absent: its static field takes over. */
export function compileDiscount(discount: Discount, parseFormula: ParseFormula): CompiledDiscount {
  const value = (amount: number | null | undefined, text: string | null | undefined): Value => {
    const parsed = text == null || text === "" ? null : parseFormula(text);
    const formula = parsed !== null && "formula" in parsed ? parsed.formula : null;
    return staticValue(amount ?? null, formula);
  };
  const values = {
    AMOUNT: () => value(discount.amount_off, discount.amount_off_formula),
    PERCENT: () => value(discount.percent_off, discount.percent_off_formula),
    FIXED: () => value(discount.fixed_amount, discount.fixed_amount_formula),
    UNIT: () => value(discount.unit_off, discount.unit_off_formula),
  };
  const { type } = discount;
  const own = values[type]();
  const units = type === "UNIT" ? unitsOf(discount, value) : [];
  return {
    discount,
    type,
    effect: (discount.effect ?? null) as Effect | null,
    value: own,
    amount_limit: type === "PERCENT" ? limitOf(discount.amount_limit) : null,
    aggregated_amount_limit: type === "FIXED" ? null : limitOf(discount.aggregated_amount_limit),
    units,
    reads_publication: [own, ...units.map(({ unit_off }) => unit_off)].some((one) => one.formula?.reads_publication),
  };
}

/** A value made ready once, so that computing a discount parses no decimals. */
export function staticValue(amount: number | null, formula: Formula | null = null): Value {
  const ratio = amount === null ? null : ratioOf(amount);
  return { exact: () => ratio, formula };
}

const limitOf = (limit: number | null | undefined) => (limit == null ? null : floored(ratioOf(limit)));

/** One unit is a list of one, so that every UNIT effect is computed the same way. */
function unitsOf(discount: Discount, value: (amount?: number | null, text?: string | null) => Value): CompiledUnit[] {
  const listed = discount.units ?? [];
  const all = listed.length > 0 ? listed : [discount];
  return all.flatMap((unit) => {
    const { unit_off, unit_off_formula, unit_type } = unit;
    if (unit_type == null) return [];
    const effect = (unit.effect ?? "ADD_MISSING_ITEMS") as Effect;
    return [{ listed: unit, unit_type, unit_off: value(unit_off, unit_off_formula), effect }];
  });
}

/** The effect in force (discounts.md §4): what was stored, else what the rules and the type suggest. */
export function effectInForce({ type, effect, discount }: CompiledDiscount, applicable_to: ApplicableTo): Effect {
  if (type === "UNIT") {
    if ((discount.units ?? []).length > 0) return "ADD_MANY_ITEMS";
    return effect ?? "ADD_MISSING_ITEMS";
  }
  return effect ?? (namesItems(applicable_to) ? "APPLY_TO_ITEMS" : "APPLY_TO_ORDER");
}

const namesItems = ({ included, excluded }: ApplicableTo) => included.length > 0 || excluded.length > 0;

/** Lines are to be selected. `included_all` alone selects them all and makes no item effect (discounts.md §4). */
export const selectsItems = (applicable_to: ApplicableTo) => applicable_to.included_all || namesItems(applicable_to);

/** A value after its formula had its say. */
export interface Resolved<T> {
  readonly value: T;
  /** The formula gave it, not the static field. */
  readonly computed: boolean;
}

/** Minor units: a formula's major units × 100, rounded half up; null when neither formula nor static field gives any. */
export function moneyOf(value: Value, operands: () => FormulaOperands): Resolved<number | null> {
  const { value: price, computed } = priceOf(value, operands);
  return { value: price === null ? null : rounded(price), computed };
}

/** A new price, minor units: a static one as it was stored, since a fraction is rounded with the line and not before (discounts.md §1.4). */
export function priceOf({ exact, formula }: Value, operands: () => FormulaOperands): Resolved<Ratio | null> {
  const computed = formula === null ? null : formula.evaluate(operands());
  return { value: computed === null ? exact() : ratioOf(minorUnits(computed)), computed: computed !== null };
}

/** A formula's result in major units as minor units; never below zero. */
export const minorUnits = (major: Decimal) => rounded(ratioOf(major.times(100)));

/** A percentage as a fraction of one, times the bundles, at most the whole. */
export function percentOf(
  { exact, formula }: Value,
  operands: () => FormulaOperands,
  bundles: number,
): Resolved<Ratio> {
  const computed = formula === null ? null : formula.evaluate(operands());
  const percent = computed === null ? (exact() ?? ZERO) : ratioOf(computed);
  const fraction = { num: percent.num * BigInt(bundles), den: percent.den * 100n };
  return { value: fraction.num > fraction.den ? { num: 1n, den: 1n } : fraction, computed: computed !== null };
}

/** A number of units, rounded down; nothing below zero. */
export function unitsOff({ exact, formula }: Value, operands: () => FormulaOperands): Resolved<number> {
  const computed = formula === null ? null : formula.evaluate(operands());
  return { value: floored(computed === null ? (exact() ?? ZERO) : ratioOf(computed)), computed: computed !== null };
}

/** Computes once what is the same for every line, and anew where a formula reads the line at hand. */
export function perLine<T>({ formula }: Value, compute: (line: OrderLine | null) => T): (line: OrderLine) => T {
  if (formula?.reads_line === true) return compute;
  const same = compute(null);
  return () => same;
}
