import { describe, expect, test } from "vitest";
import { normaliseOrder } from "./normalise.js";
import type { OrderLineInput } from "./order.js";
import { linePart, removePart, totalAmount } from "./part.js";
import { sentAgain, stillHeld } from "./sent-again.js";

/** Three soaps of 300, and two more for nothing. */
const given = { quantity: 5, initial_quantity: 3, initial_amount: 900, discount_quantity: 2, discount_amount: 600 };
const soap: OrderLineInput = { product_id: "soap", price: 300, ...given };
const part = { discount_amount: 0, lines: [linePart(0, { ...given, quantity: 2, quantity_amount: 600 })] };

/** Four small cups of 700, of which two were exchanged. */
const cups: OrderLineInput = { product_id: "cup", price: 700, quantity: 2, initial_quantity: 4, initial_amount: 2800 };
const exchange = { discount_amount: 0, lines: [linePart(0, { quantity: -2, quantity_amount: -1400 })] };

const orderOf = (stored: OrderLineInput, sent: OrderLineInput) =>
  normaliseOrder({ items: [sentAgain(stored, { product_id: stored.product_id, price: stored.price, ...sent })] });

describe("a line that is sent for one of a stored order", () => {
  test.each`
    why                                                     | sent                            | own  | own_amount | amount
    ${"as it was: the free units are still free"}           | ${{ quantity: 5 }}              | ${3} | ${900}     | ${1500}
    ${"as the shop's own cart: no free unit is left"}       | ${{ quantity: 3 }}              | ${3} | ${900}     | ${900}
    ${"with one unit less: it is one of the free ones"}     | ${{ quantity: 4 }}              | ${3} | ${900}     | ${1200}
    ${"with one unit more: it is the shop's own"}           | ${{ quantity: 6 }}              | ${4} | ${1200}    | ${1800}
    ${"with less than was bought"}                          | ${{ quantity: 1 }}              | ${1} | ${300}     | ${300}
    ${"at another price: so are the free units"}            | ${{ quantity: 5, price: 200 }}  | ${3} | ${600}     | ${1000}
    ${"with an amount: the free units are in it"}           | ${{ quantity: 5, amount: 700 }} | ${3} | ${100}     | ${700}
    ${"with an amount below what the free units are worth"} | ${{ quantity: 5, amount: 500 }} | ${3} | ${0}       | ${500}
    ${"without units"}                                      | ${{ quantity: 0 }}              | ${0} | ${0}       | ${0}
  `("$why", ({ sent, own, own_amount, amount }) => {
    const order = orderOf(soap, sent);
    expect(order).toMatchObject({ amount, initial_amount: own_amount });
    expect(order.lines).toMatchObject([{ initial_quantity: own, initial_amount: own_amount, amount }]);
  });

  test("keeps its discounts, as far as it is worth them and has the units", () => {
    expect(orderOf(soap, { quantity: 3 }).lines).toMatchObject([{ discount_amount: 600, discount_quantity: 2 }]);
    expect(orderOf(soap, { quantity: 1 }).lines).toMatchObject([{ discount_amount: 300, discount_quantity: 1 }]);
  });

  test("that was never the shop's own is not when it is sent back", () => {
    const gift = { price: 320, quantity: 2, initial_quantity: 0, initial_amount: 0, discount_amount: 640 };
    expect(orderOf(gift, { quantity: 2 })).toMatchObject({ amount: 640, initial_amount: 0 });
    expect(orderOf(gift, { quantity: 3 })).toMatchObject({ amount: 960, initial_amount: 320 });
  });

  test("whose price was made of its amount began with what is stored", () => {
    const priceless = { amount: 1667, quantity: 5, initial_quantity: 3, initial_amount: 1001 };
    expect(orderOf(priceless, { quantity: 5, amount: 1667 })).toMatchObject({ amount: 1667, initial_amount: 1001 });
  });

  test.each([
    [2, 4, 2800],
    [3, 4, 2800],
    [4, 4, 2800],
    [6, 6, 4200],
    [1, 3, 2100],
  ])("of which units were exchanged, with %d units: began with %d", (quantity, own, own_amount) => {
    expect(orderOf(cups, { quantity }).lines).toMatchObject([{ initial_quantity: own, initial_amount: own_amount }]);
  });
});

describe("the rollback of a redemption on an order that was changed since", () => {
  test.each([
    [{ quantity: 5 }, 3, 900],
    [{ quantity: 3 }, 3, 900],
    [{ quantity: 4 }, 3, 900],
    [{ quantity: 6 }, 4, 1200],
    [{ quantity: 1 }, 1, 300],
    [{ quantity: 5, price: 400 }, 3, 1200],
    [{ quantity: 5, price: 200 }, 3, 600],
  ])("takes off the free units that are still there: of %j %d are left, for %d", (sent, quantity, amount) => {
    const order = orderOf(soap, sent);
    const left = removePart(order, stillHeld(order, part));
    expect(left).toMatchObject({ amount, initial_amount: amount });
    expect(left.lines).toMatchObject([{ quantity, amount, discount_amount: 0, discount_quantity: 0 }]);
    expect(totalAmount(left)).toBe(amount);
  });

  test.each([
    [2, 4, 2800],
    [3, 4, 2800],
    [4, 4, 2800],
    [1, 3, 2100],
  ])("gives back the exchanged units that are still missing: of %d it makes %d, for %d", (sent, quantity, amount) => {
    const order = orderOf(cups, { quantity: sent });
    expect(removePart(order, stillHeld(order, exchange)).lines).toMatchObject([{ quantity, amount }]);
  });

  test("leaves the units that other redemptions gave", () => {
    const one_more = { discount_amount: 0, lines: [linePart(0, { quantity: 1, quantity_amount: 300 })] };
    const order = orderOf({ ...soap, quantity: 6 }, { quantity: 6 });
    const left = removePart(order, stillHeld(order, part));
    expect(left).toMatchObject({ amount: 1200, initial_amount: 900 });
    expect(removePart(left, stillHeld(left, one_more))).toMatchObject({ amount: 900, initial_amount: 900 });
  });
});
