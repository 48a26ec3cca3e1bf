import type { InputFault } from "../calendar/window-fault.js";
import type { ParseFormula } from "./formula.contract.js";

const EFFECTS: Readonly<Record<string, readonly string[]>> = {
  AMOUNT: [
    "APPLY_TO_ORDER",
    "APPLY_TO_ITEMS",
    "APPLY_TO_ITEMS_PROPORTIONALLY",
    "APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY",
    "APPLY_TO_ITEMS_BY_QUANTITY",
  ],
  PERCENT: ["APPLY_TO_ORDER", "APPLY_TO_ITEMS"],
  FIXED: ["APPLY_TO_ORDER", "APPLY_TO_ITEMS"],
  UNIT: ["ADD_MISSING_ITEMS", "ADD_NEW_ITEMS", "ADD_MANY_ITEMS", "REPLACE_ITEMS"],
};

const UNIT_EFFECTS = ["ADD_MISSING_ITEMS", "ADD_NEW_ITEMS"];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks a discount before it is stored (discounts.md §11), whatever shape it has. Null: nothing is
 * wrong. Whether `unit_type` names something is for the server to look up.
 */
export function checkDiscount(discount: unknown, parseFormula: ParseFormula): InputFault | null {
  if (!isFields(discount)) return payload("", "must be object");
  const { type, effect } = discount;
  const effects = typeof type === "string" && Object.hasOwn(EFFECTS, type) ? EFFECTS[type] : undefined;
  if (effects === undefined) return payload("type", "must be equal to one of the allowed values");
  if (effect != null && !(typeof effect === "string" && effects.includes(effect))) {
    return payload("effect", "must be equal to one of the allowed values");
  }
  return checkValues(discount) ?? checkLimits(discount) ?? checkFormulas(discount, "", parseFormula);
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const payload = (path: string, problem: string): InputFault => ({ kind: "payload", path, problem });

function checkValues(discount: Fields): InputFault | null {
  switch (discount.type) {
    case "AMOUNT":
      return checkNumber(discount, "amount_off", { required: true });
    case "PERCENT":
      return checkNumber(discount, "percent_off", { required: true, maximum: 100 });
    case "FIXED":
      // On items the prices may sit in the rule's entries.
      return checkNumber(discount, "fixed_amount", { required: discount.effect !== "APPLY_TO_ITEMS" });
    default:
      return checkUnits(discount);
  }
}

/** With both `unit_type` and `units`, `units` wins. */
function checkUnits(discount: Fields): InputFault | null {
  const { units, effect } = discount;
  if (units == null && effect !== "ADD_MANY_ITEMS") return checkUnit(discount, "");
  if (!Array.isArray(units)) return payload("units", "must be array");
  if (units.length === 0) {
    return effect === "ADD_MANY_ITEMS" ? payload("units", "must NOT have fewer than 1 items") : checkUnit(discount, "");
  }
  for (const [i, unit] of units.entries()) {
    const path = `units[${i}]`;
    if (!isFields(unit)) return payload(path, "must be object");
    const wrong_effect = typeof unit.effect !== "string" || !UNIT_EFFECTS.includes(unit.effect);
    if (wrong_effect) return payload(`${path}.effect`, "must be equal to one of the allowed values");
    const fault = checkUnit(unit, `${path}.`);
    if (fault !== null) return fault;
  }
  return null;
}

function checkUnit(unit: Fields, prefix: string): InputFault | null {
  if (typeof unit.unit_type !== "string" || unit.unit_type === "")
    return payload(`${prefix}unit_type`, "must be string");
  return checkNumber(unit, "unit_off", { required: true, integer: true, prefix });
}

function checkLimits(discount: Fields): InputFault | null {
  return checkNumber(discount, "amount_limit", {}) ?? checkNumber(discount, "aggregated_amount_limit", {});
}

interface Bounds {
  required?: boolean;
  integer?: boolean;
  maximum?: number;
  prefix?: string;
}

function checkNumber(fields: Fields, name: string, bounds: Bounds): InputFault | null {
  const { required = false, integer = false, maximum = Number.MAX_SAFE_INTEGER, prefix = "" } = bounds;
  const value = fields[name];
  const path = prefix + name;
  if (value == null) return required ? payload(path, "is required") : null;
  if (typeof value !== "number" || !Number.isFinite(value)) return payload(path, "must be number");
  if (integer && !Number.isInteger(value)) return payload(path, "must be integer");
  if (value < 0) return payload(path, "must be >= 0");
  return value > maximum ? payload(path, `must be <= ${maximum}`) : null;
}

/** Formulas are checked wherever they stand; the fault names the field, since the texts look alike. */
function checkFormulas(fields: Fields, prefix: string, parseFormula: ParseFormula): InputFault | null {
  for (const [name, text] of Object.entries(fields)) {
    const path = prefix + name;
    if (name === "units" && Array.isArray(text)) {
      for (const [i, unit] of text.entries()) {
        const fault = isFields(unit) ? checkFormulas(unit, `${path}[${i}].`, parseFormula) : null;
        if (fault !== null) return fault;
      }
    }
    if (!name.endsWith("_formula") || text == null) continue;
    if (typeof text !== "string") return payload(path, "must be string");
    const parsed = parseFormula(text);
    if ("fault" in parsed) {
      return { kind: "semantic", path, problem: `${parsed.fault.problem} at position ${parsed.fault.position}` };
    }
  }
  return null;
}
