import type { Discount } from "../facts.js";
import { parseFormula } from "../formulas/index.js";
import type { OrderInput, OrderLineInput } from "../orders/order.js";
import type { ApplicableEntry, ApplicableTo, CompiledRule, ItemRef } from "../rules/contract.js";
import { compileDiscount } from "./compile.js";

/** Builders for tests; each test says only what matters to it. */
export const aLine = (product_id: string, price: number, quantity = 1, more: OrderLineInput = {}): OrderLineInput => ({
  product_id,
  price,
  quantity,
  ...more,
});

/** The worked cart of discounts.md §4. */
export const workedCart: OrderInput = {
  items: [aLine("cup", 1250, 4), aLine("lamp", 3200, 1), aLine("rug", 7750, 2), aLine("pin", 199, 3)],
};

export const anEntry = (product_id: string, more: Partial<ApplicableEntry> = {}): ApplicableEntry => ({
  object: "product",
  id: product_id,
  source_id: null,
  strict: false,
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
  ...more,
});

export const anItem = (product_id: string, more: Partial<ItemRef> = {}): ItemRef => ({
  object: "product",
  id: product_id,
  source_id: null,
  strict: false,
  ...more,
});

export const itemsIncluded = (...included: (string | ApplicableEntry)[]): ApplicableTo => ({
  included: included.map((entry) => (typeof entry === "string" ? anEntry(entry) : entry)),
  excluded: [],
  included_all: false,
});

export const aRule = (more: Partial<CompiledRule> = {}): CompiledRule => ({
  id: "val_1",
  applicable_to: { included: [], excluded: [], included_all: false },
  bundle: null,
  needs_discount: false,
  counters: [],
  segments: [],
  loyalty_tiers: [],
  collections: [],
  reads_publication: false,
  judge: () => null,
  explain: () => ({
    path: "",
    name: null,
    property: null,
    logic: "",
    saw: null,
    wanted: {},
    holds: true,
    lacking: null,
    nodes: [],
  }),
  wantsLines: () => false,
  omittedLeaves: () => [],
  ...more,
});

export const aDiscount = (discount: Discount) => compileDiscount(discount, parseFormula);
export const amountOff = (amount_off: number, more: Partial<Discount> = {}) =>
  aDiscount({ type: "AMOUNT", amount_off, ...more });
export const percentOff = (percent_off: number, more: Partial<Discount> = {}) =>
  aDiscount({ type: "PERCENT", percent_off, ...more });
export const fixed = (fixed_amount: number | null, more: Partial<Discount> = {}) =>
  aDiscount({ type: "FIXED", fixed_amount, ...more });
