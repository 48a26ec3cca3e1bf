import { describe, expect, test } from "vitest";
import { aCampaign, aCoupon, aTier, decided, discounts } from "../decision/decision.fixtures.js";
import { parseFormula } from "../formulas/index.js";
import type { ApplicableEntry } from "../rules/contract.js";
import type { CompiledDiscount } from "./compile.js";
import { aLine, amountOff, anEntry, aRule, fixed, itemsIncluded, percentOff } from "./discounts.fixtures.js";

describe("budgets of units over all redemptions", () => {
  const budget = (more = {}) => ({
    scope: "campaign" as const,
    per_customer: false,
    each_product: false,
    limit: 5,
    formula: null,
    ...more,
  });
  const campaign = aCampaign();
  const items = [aLine("a", 100, 4), aLine("b", 100, 4)];
  const byQuantity = amountOff(10, { effect: "APPLY_TO_ITEMS_BY_QUANTITY" });
  const both = (more: Partial<ApplicableEntry>) =>
    itemsIncluded(anEntry("pc", { object: "products_collection", matches: () => true, ...more }));

  test.each`
    name                                  | entry                                                                | used                                                 | taken
    ${"nothing used yet"}                 | ${{ budgets: [budget()] }}                                           | ${[]}                                                | ${50}
    ${"two units left"}                   | ${{ budgets: [budget()] }}                                           | ${[["campaign/all/products_collection/pc", 3]]}      | ${20}
    ${"more used than there is"}          | ${{ budgets: [budget()] }}                                           | ${[["campaign/all/products_collection/pc", 9]]}      | ${0}
    ${"counted per customer"}             | ${{ budgets: [budget({ per_customer: true })] }}                     | ${[["campaign/customer/products_collection/pc", 4]]} | ${10}
    ${"each product for itself"}          | ${{ budgets: [budget({ each_product: true })] }}                     | ${[["campaign/all/product/b", 4]]}                   | ${50}
    ${"two budgets, the smaller decides"} | ${{ budgets: [budget(), budget({ each_product: true, limit: 2 })] }} | ${[]}                                                | ${40}
  `("$name: $taken", ({ entry, used, taken }) => {
    const rules = [aRule({ applicable_to: both(entry) })];
    const coupon = aCoupon(byQuantity, { campaign, rules, units_discounted: new Map(used) });
    expect(discounts(decided([coupon], { items }))).toEqual([taken]);
  });

  test("a code sees what another code of the campaign took in the same request, a tier only itself", () => {
    const rules = [aRule({ applicable_to: both({ budgets: [budget()] }) })];
    const coupon = () => aCoupon(byQuantity, { campaign, rules });
    expect(discounts(decided([coupon(), coupon()], { items }))).toEqual([50, 0]);
    const of_tier = [aRule({ applicable_to: both({ budgets: [budget({ scope: "promotion_tier" })] }) })];
    const tier = () => aTier(byQuantity, { campaign, rules: of_tier });
    expect(discounts(decided([tier(), tier()], { items }))).toEqual([50, 50]);
  });

  test("what a product is called does not matter: by its source id it counts with its lines that have an id", () => {
    const catalogue_product = { id: "prod_a", source_id: "shop_a" };
    const lines = [
      { product_id: "prod_a", catalogue_product, price: 100, quantity: 3 },
      { source_id: "shop_a", price: 100, quantity: 3 },
      { product_id: "prod_a", sku_id: "sku_a", catalogue_product, price: 100, quantity: 3 },
      { source_id: "shop_b", price: 100, quantity: 3 },
    ];
    const rules = [aRule({ applicable_to: both({ budgets: [budget({ each_product: true })] }) })];
    const coupon = () => aCoupon(byQuantity, { campaign, rules });
    const decision = decided([coupon(), coupon()], { items: lines });
    expect(decision.order?.lines.map((line) => line.discount_amount)).toEqual([30, 20, 0, 50]);
    const used = new Map([["campaign/all/product/shop_b", 4]]);
    const later = decided([aCoupon(byQuantity, { campaign, rules, units_discounted: used })], { items: lines });
    expect(later.order?.lines.map((line) => line.discount_amount)).toEqual([30, 20, 0, 10]);
  });

  test.each`
    formula                        | used | taken
    ${"1 + 1"}                     | ${0} | ${20}
    ${"2.9"}                       | ${1} | ${10}
    ${"0 - 3"}                     | ${0} | ${0}
    ${'ORDER_METADATA("missing")'} | ${0} | ${50}
  `("a limit of $formula, $used used: $taken", ({ formula, used, taken }) => {
    const parsed = parseFormula(formula);
    if ("fault" in parsed) throw new Error(parsed.fault.problem);
    const rules = [aRule({ applicable_to: both({ budgets: [budget({ formula: parsed.formula })] }) })];
    const units_discounted = new Map([["campaign/all/products_collection/pc", used]]);
    expect(discounts(decided([aCoupon(byQuantity, { campaign, rules, units_discounted })], { items }))).toEqual([
      taken,
    ]);
  });

  test("a limit may follow the number of bundles", () => {
    const parsed = parseFormula("ORDER_BUNDLE_QUANTITY + 1");
    if ("fault" in parsed) throw new Error(parsed.fault.problem);
    const bundle = { limit: 9, conditions: [{ item: anEntry("a"), quantity: 2 }] };
    const rules = [
      aRule({ applicable_to: both({ budgets: [budget({ limit: 1, formula: parsed.formula })] }), bundle }),
    ];
    expect(discounts(decided([aCoupon(byQuantity, { campaign, rules })], { items }))).toEqual([30]);
  });

  test("counts for AMOUNT by quantity, PERCENT and FIXED on items, and for no other effect", () => {
    const rules = [aRule({ applicable_to: both({ budgets: [budget({ limit: 1 })] }) })];
    const taken = (discount: CompiledDiscount) =>
      discounts(decided([aCoupon(discount, { campaign, rules })], { items }));
    const ITEMS = { effect: "APPLY_TO_ITEMS" };
    expect(taken(byQuantity)).toEqual([10]);
    expect(taken(percentOff(50, ITEMS))).toEqual([50]);
    expect(taken(fixed(90, ITEMS))).toEqual([10]);
    expect(taken(amountOff(10, ITEMS))).toEqual([20]);
    expect(taken(amountOff(80, { effect: "APPLY_TO_ITEMS_PROPORTIONALLY" }))).toEqual([80]);
  });
});
