import { checkDiscount, type Discount } from "@guerdon/engine";
import Type, { type Static } from "typebox";
import { withoutNulls } from "../platform/fields.js";
import { integer, longText, named, nullable, oneOf, text } from "../platform/http/schema.js";
import { faultProblem, type Refused } from "./input-faults.js";

const value = () => Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const sent = <Schema extends Parameters<typeof nullable>[0]>(schema: Schema) => Type.Optional(nullable(schema));

const unit_fields = {
  unit_off: integer({ minimum: 0 }),
  unit_off_formula: longText(),
  unit_type: text({ description: "Product or SKU id, or prod_5h1pp1ng for free shipping." }),
};
const value_fields = {
  amount_off: value(),
  amount_off_formula: longText(),
  percent_off: Type.Number({ minimum: 0, maximum: 100 }),
  percent_off_formula: longText(),
  fixed_amount: value(),
  fixed_amount_formula: longText(),
  amount_limit: value(),
  aggregated_amount_limit: value(),
  ...unit_fields,
};

const sentOf = <Fields extends Record<string, Parameters<typeof nullable>[0]>>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, sent(schema)])) as {
    [Field in keyof Fields]: ReturnType<typeof sent<Fields[Field]>>;
  };

/** A discount as sent. What its type demands is the engine's to check: {@link readDiscount}. */
export const DiscountInput = named(
  "DiscountInput",
  Type.Object({
    type: oneOf(["AMOUNT", "PERCENT", "FIXED", "UNIT"]),
    effect: sent(text()),
    ...sentOf(value_fields),
    units: sent(Type.Array(Type.Object({ ...sentOf(unit_fields), effect: sent(text()) }), { maxItems: 500 })),
  }),
);
export type DiscountInput = Static<typeof DiscountInput>;

const shownOf = <Fields extends Record<string, Parameters<typeof Type.Optional>[0]>>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [Field in keyof Fields]: ReturnType<typeof Type.Optional<Fields[Field]>>;
  };

/** A discount as answered: what was sent, and whether a formula makes it dynamic (vouchers-and-campaigns.md §1.3). */
export const DiscountBody = named(
  "Discount",
  Type.Object({
    type: oneOf(["AMOUNT", "PERCENT", "FIXED", "UNIT"]),
    effect: Type.Optional(text()),
    ...shownOf(value_fields),
    units: Type.Optional(Type.Array(Type.Object({ ...shownOf(unit_fields), effect: Type.Optional(text()) }))),
    is_dynamic: Type.Optional(Type.Boolean()),
  }),
);
export type DiscountBody = Static<typeof DiscountBody>;

/**
 * Checks a discount and gives it as it is stored: known fields only, nulls left out, since null and absent say the same
 * (discounts.md §11). `at` leads to it in the body, e.g. `.voucher.discount.`.
 */
export function readDiscount(input: DiscountInput, object: Refused, at = ".discount."): Discount {
  const fault = checkDiscount(input);
  if (fault) throw faultProblem(object, at, fault);
  const stored = { ...known(input, [...Object.keys(value_fields), "type", "effect"]) } as unknown as Discount;
  // A fraction is let in and counts for nothing (discounts.md §12); answers show whole numbers alone.
  const { aggregated_amount_limit: limit } = input;
  if (limit != null) Object.assign(stored, { aggregated_amount_limit: Math.floor(limit) });
  const units = (input.units ?? []).map((unit) => known(unit, [...Object.keys(unit_fields), "effect"]));
  return units.length > 0 ? { ...stored, units } : stored;
}

/** A discount that was stored when an empty formula was still let in, as one that says the same and can be sent again. */
export function withoutEmptyFormulas(discount: DiscountInput): DiscountInput {
  const said = <Fields extends object>(fields: Fields) =>
    Object.fromEntries(
      Object.entries(fields).filter(([name, value]) => value !== "" || !name.endsWith("_formula")),
    ) as Fields;
  return { ...said(discount), ...(discount.units ? { units: discount.units.map(said) } : {}) };
}

function known(fields: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => fields[name] != null).map((name) => [name, fields[name]]));
}

/** The products and SKUs that a unit discount gives away; with both spellings the list counts (discounts.md §11). */
export function unitTypesOf({ type, unit_type, units }: Discount): string[] {
  if (type !== "UNIT") return [];
  return (units?.length ? units.map((unit) => unit.unit_type) : [unit_type]).flatMap((name) => name ?? []);
}

/** A stored discount as answered. */
export function toDiscountBody(discount: Discount): DiscountBody {
  const parts = [discount, ...(discount.units ?? [])];
  const is_dynamic = parts.some((part) => Object.keys(part).some((name) => name.endsWith("_formula")));
  const { type, units } = discount;
  return {
    ...withoutNulls({ ...discount, units: units?.map(withoutNulls) }),
    type,
    ...(is_dynamic ? { is_dynamic } : {}),
  };
}
