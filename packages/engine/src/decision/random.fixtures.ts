import fc from "fast-check";
import { aDiscount, anEntry, aRule } from "../discounts/discounts.fixtures.js";
import type { Discount, StackingRules } from "../facts.js";
import type { OrderInput, OrderLineInput } from "../orders/order.js";
import type { ApplicableTo, CompiledRule } from "../rules/contract.js";
import { aCoupon, aCustomer, aGiftCard, aLoyaltyCard, aReward, aTier, someFacts } from "./decision.fixtures.js";
import type { RedeemableFacts } from "./facts.js";

/** Products of random carts. */
export const PRODUCTS = ["cup", "lamp", "rug", "pin"];
export const product = fc.constantFrom(...PRODUCTS);
export const money = fc.oneof(fc.nat(20_000), fc.nat(200), fc.constantFrom(0, 1));

/** Eight lines of six such prices stay below 2^53. */
const big_money = fc.nat(2 ** 47);

const line: fc.Arbitrary<OrderLineInput> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ product_id: product, price: money, quantity: fc.nat(6) }) },
  { weight: 2, arbitrary: fc.record({ product_id: product, price: money, quantity: fc.nat(6), amount: money }) },
  { weight: 1, arbitrary: fc.record({ product_id: product, quantity: fc.nat(6), amount: money }) },
  { weight: 1, arbitrary: fc.record({ product_id: product, quantity: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ product_id: product, price: big_money, quantity: fc.nat(6) }) },
  // Of a stored order, with what earlier redemptions did to it.
  {
    weight: 1,
    arbitrary: fc.record({
      product_id: product,
      price: money,
      quantity: fc.nat(6),
      discount_amount: money,
      discount_quantity: fc.nat(2),
      initial_quantity: fc.nat(6),
      initial_amount: money,
    }),
  },
);

const cart: fc.Arbitrary<OrderInput> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ items: fc.array(line, { maxLength: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ items: fc.array(line, { maxLength: 8 }), amount: money }) },
  { weight: 1, arbitrary: fc.record({ amount: fc.oneof(money, fc.maxSafeNat()) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      items: fc.array(line, { maxLength: 8 }),
      amount: money,
      discount_amount: money,
      initial_amount: money,
    }),
  },
);

const limits = {
  amount_limit: fc.option(money, { freq: 4 }),
  aggregated_amount_limit: fc.option(money, { freq: 4 }),
};

const ITEM_EFFECTS = [
  "APPLY_TO_ITEMS",
  "APPLY_TO_ITEMS_BY_QUANTITY",
  "APPLY_TO_ITEMS_PROPORTIONALLY",
  "APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY",
];

const unit_type = fc.constantFrom(...PRODUCTS, "prod_5h1pp1ng");

export const discount: fc.Arbitrary<Discount> = fc.oneof(
  fc.record({
    type: fc.constant("AMOUNT" as const),
    amount_off: money,
    effect: fc.constantFrom("APPLY_TO_ORDER", ...ITEM_EFFECTS, null),
    ...limits,
  }),
  fc.record({
    type: fc.constant("PERCENT" as const),
    percent_off: fc.double({ min: 0, max: 100, noNaN: true }),
    effect: fc.constantFrom("APPLY_TO_ORDER", "APPLY_TO_ITEMS"),
    ...limits,
  }),
  fc.record({
    type: fc.constant("FIXED" as const),
    fixed_amount: money,
    effect: fc.constantFrom("APPLY_TO_ORDER", "APPLY_TO_ITEMS"),
  }),
  fc.record({
    type: fc.constant("UNIT" as const),
    unit_off: fc.oneof({ weight: 9, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.maxSafeNat() }),
    unit_type,
    effect: fc.constantFrom("ADD_MISSING_ITEMS", "ADD_NEW_ITEMS", "REPLACE_ITEMS"),
  }),
  fc.record({
    type: fc.constant("UNIT" as const),
    units: fc.array(
      fc.record({ unit_off: fc.nat(4), unit_type, effect: fc.constantFrom("ADD_MISSING_ITEMS", "ADD_NEW_ITEMS") }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  fc.record({
    type: fc.constant("AMOUNT" as const),
    amount_off: money,
    amount_off_formula: fc.constantFrom(
      "ORDER_AMOUNT / 3",
      "ORDER_ITEM_SUBTOTAL * 0.07",
      "ORDER_ITEM_PRICE - 2",
      "1 / 0",
    ),
    effect: fc.constantFrom("APPLY_TO_ORDER", ...ITEM_EFFECTS),
  }),
);

const EFFECTS = [
  "APPLY_TO_EVERY",
  "APPLY_TO_CHEAPEST",
  "APPLY_FROM_CHEAPEST",
  "APPLY_TO_MOST_EXPENSIVE",
  "APPLY_FROM_MOST_EXPENSIVE",
] as const;

const entry = fc
  .record({
    id: product,
    effect: fc.constantFrom(...EFFECTS),
    target: fc.constantFrom("ITEM" as const, "UNIT" as const),
    skip_initially: fc.nat(2),
    repeat: fc.integer({ min: 1, max: 3 }),
    quantity_limit: fc.option(fc.integer({ min: 1, max: 4 })),
    aggregated_quantity_limit: fc.option(fc.integer({ min: 1, max: 6 })),
    amount_limit: fc.option(money),
    aggregated_amount_limit: fc.option(money),
    price: fc.option(money),
  })
  .map(({ id, ...more }) => anEntry(id, more));

/** An entry that sorts its lines, so that their order in the cart decides nothing while prices differ. */
export const sorted_entry = entry.filter(({ effect }) => effect !== "APPLY_TO_EVERY");

const applicable_to: fc.Arbitrary<ApplicableTo> = fc.record({
  included: fc.uniqueArray(entry, { maxLength: 3, selector: ({ id }) => id }),
  excluded: fc.array(
    product.map((id) => anEntry(id)),
    { maxLength: 1 },
  ),
  included_all: fc.boolean(),
});

const bundle = fc.option(
  fc.record({
    limit: fc.integer({ min: 1, max: 3 }),
    conditions: fc.array(
      fc.record({ item: product.map((id) => anEntry(id)), quantity: fc.integer({ min: 1, max: 2 }) }),
      {
        minLength: 1,
        maxLength: 2,
      },
    ),
  }),
  { freq: 3 },
);

const rules: fc.Arbitrary<CompiledRule[]> = fc.array(
  fc.record({ applicable_to, bundle }).map((parts) => aRule(parts)),
  { maxLength: 2 },
);

const coin = fc.record({ exchange_ratio: fc.constantFrom(0.05, 1, 5), points_ratio: fc.integer({ min: 1, max: 40 }) });

const redeemable: fc.Arbitrary<RedeemableFacts> = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(discount, rules).map(([sent, all]) => aCoupon(aDiscount(sent), { rules: all })) },
  { weight: 2, arbitrary: fc.tuple(discount, rules).map(([sent, all]) => aTier(aDiscount(sent), { rules: all })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(money, fc.constantFrom("APPLY_TO_ORDER" as const, "APPLY_TO_ITEMS" as const), rules)
      .map(([balance, effect, all]) => aGiftCard(balance, null, { effect, rules: all })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(2000), coin)
      .map(([balance, of_reward]) => aLoyaltyCard({ balance, reward: aReward({ coin: of_reward }) })),
  },
);

const stack = fc.array(redeemable, { minLength: 1, maxLength: 30 });

const stacking_rules: fc.Arbitrary<Partial<StackingRules>> = fc.record({
  redeemables_application_mode: fc.constant("PARTIAL" as const),
  discount_calculation_mode: fc.constantFrom("INITIAL_AMOUNT" as const, "DISCOUNTED_AMOUNT" as const),
  redeemables_products_application_mode: fc.constantFrom("STACK" as const, "ONCE" as const),
  redeemables_no_effect_rule: fc.constantFrom("SKIP" as const, "REDEEM_ANYWAY" as const),
});

export const request = fc
  .tuple(stack, cart, stacking_rules)
  .map(([redeemables, order, all]) => someFacts(redeemables, order, { customer: aCustomer("cust_1") }, all));
