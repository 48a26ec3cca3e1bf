import { describe, expect, test } from "vitest";
import { aCoupon, decided, rendered } from "../decision/decision.fixtures.js";
import { amountOff, aRule, fixed, itemsIncluded, percentOff, workedCart } from "./discounts.fixtures.js";

const included = itemsIncluded("cup", "lamp", "rug");
const ITEMS = { effect: "APPLY_TO_ITEMS" };
const ORDER = { effect: "APPLY_TO_ORDER" };

describe("the worked cart of 24297: cup 4 × 1250, lamp 3200, rug 2 × 7750, pin 3 × 199 not included", () => {
  test.each`
    name                                        | discount                                                                    | lines                 | order_level  | total
    ${"AMOUNT 1999 on the order"}               | ${amountOff(1999, ORDER)}                                                   | ${[0, 0, 0]}          | ${1999}      | ${22298}
    ${"PERCENT 15 on the order"}                | ${percentOff(15, ORDER)}                                                    | ${[0, 0, 0]}          | ${3645}      | ${20652}
    ${"PERCENT 15 on the order, at most 3000"}  | ${percentOff(15, { ...ORDER, amount_limit: 3000 })}                         | ${[0, 0, 0]}          | ${3000}      | ${21297}
    ${"FIXED 19900 on the order"}               | ${fixed(19900, ORDER)}                                                      | ${[0, 0, 0]}          | ${4397}      | ${19900}
    ${"AMOUNT 3500 on items"}                   | ${amountOff(3500, ITEMS)}                                                   | ${[3500, 3200, 3500]} | ${undefined} | ${14097}
    ${"AMOUNT 1300 by quantity"}                | ${amountOff(1300, { effect: "APPLY_TO_ITEMS_BY_QUANTITY" })}                | ${[5000, 1300, 2600]} | ${undefined} | ${15397}
    ${"AMOUNT 2000 proportionally"}             | ${amountOff(2000, { effect: "APPLY_TO_ITEMS_PROPORTIONALLY" })}             | ${[422, 270, 1308]}   | ${undefined} | ${22297}
    ${"AMOUNT 2000 proportionally by quantity"} | ${amountOff(2000, { effect: "APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY" })} | ${[1143, 286, 571]}   | ${undefined} | ${22297}
    ${"PERCENT 15 on items"}                    | ${percentOff(15, ITEMS)}                                                    | ${[750, 480, 2325]}   | ${undefined} | ${20742}
    ${"PERCENT 15 on items, 600 a line"}        | ${percentOff(15, { ...ITEMS, amount_limit: 600 })}                          | ${[600, 480, 600]}    | ${undefined} | ${22617}
    ${"PERCENT 15 on items, 1100 in all"}       | ${percentOff(15, { ...ITEMS, aggregated_amount_limit: 1100 })}              | ${[750, 350, 0]}      | ${undefined} | ${23197}
    ${"FIXED 2900 on items"}                    | ${fixed(2900, ITEMS)}                                                       | ${[0, 300, 9700]}     | ${undefined} | ${14297}
  `("$name leaves $total", ({ discount, lines, order_level, total }) => {
    const decision = decided([aCoupon(discount, { rules: [aRule({ applicable_to: included })] })], workedCart);
    const order = rendered(decision);
    expect(order?.items.map((line) => line.discount_amount ?? 0)).toEqual([...lines, 0]);
    expect(order?.discount_amount).toBe(order_level);
    expect(order?.total_discount_amount).toBe(24297 - total);
    expect(order?.total_amount).toBe(total);
  });
});
