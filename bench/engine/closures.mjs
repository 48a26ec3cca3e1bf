// What the engine's decisions are held against: the same conditions and sums, written by hand for just these carts.

export const customer = {
  id: "cust_1",
  source_id: null,
  metadata: { city: "Warsaw" },
  segments: new Set(["seg_regulars"]),
  loyalty_tiers: new Set(),
};
export const metadata = { channel: "web" };
/** What the UNIT discount gives. */
export const gift = { id: "prod_gift", price: 750 };

const products_count = 10;

export const cartOf = (lines, random) =>
  Array.from({ length: lines }, (_, i) => ({
    product_id: `prod_${i % products_count}`,
    quantity: 1 + Math.floor(random() * 4),
    price: 500 + Math.floor(random() * 20_000),
  }));

/** The order before any discount: line amounts and their sum. */
export function openingOf(items) {
  let amount = 0;
  const lines = items.map(({ product_id, quantity, price }) => {
    amount += quantity * price;
    return { product_id, quantity, price, amount: quantity * price, discount: 0 };
  });
  return { lines, amount, discount: 0 };
}

function left(order) {
  let sum = order.amount - order.discount;
  for (const { discount } of order.lines) sum -= discount;
  return sum;
}

const leftOf = ({ amount, discount }) => amount - discount;

/** Three rules of one condition each, met by every cart here; the floor asks the same. */
const conditions = [
  {
    source: { rules: { 1: { name: "order.initial_amount", conditions: { $more_than_or_equal: [1000] } } } },
    holds: ({ amount }) => amount >= 1000,
  },
  {
    source: { rules: { 1: { name: "customer.segment", conditions: { $in: ["seg_regulars"] } } } },
    holds: () => customer.segments.has("seg_regulars"),
  },
  {
    source: {
      rules: {
        1: { name: "order.items.any", conditions: { $is: [{ object: "product", id: "prod_3" }] } },
      },
    },
    holds: ({ lines }) => lines.some(({ product_id }) => product_id === "prod_3"),
  },
];

/** The collection that discounts on items are for: three lines of ten. */
export const isChosen = ({ product_id }) =>
  product_id === "prod_1" || product_id === "prod_3" || product_id === "prod_4";
const applicable_to = { included: [{ object: "products_collection", id: "pc_chosen" }] };

/** The five kinds of a stack, each with the sums it comes to on the order as those before have left it. */
const kinds = [
  {
    discount: { type: "PERCENT", percent_off: 10, effect: "APPLY_TO_ORDER" },
    takeOff(order) {
      order.discount += Math.round(left(order) / 10);
    },
  },
  {
    discount: { type: "PERCENT", percent_off: 5, effect: "APPLY_TO_ITEMS" },
    applicable_to,
    takeOff(order) {
      let rest = left(order);
      for (const line of order.lines) {
        if (!isChosen(line)) continue;
        const taken = Math.min(Math.round(leftOf(line) / 20), rest);
        line.discount += taken;
        rest -= taken;
      }
    },
  },
  {
    discount: { type: "AMOUNT", amount_off: 700, effect: "APPLY_TO_ITEMS_PROPORTIONALLY" },
    applicable_to,
    takeOff(order) {
      shareOut(700, order.lines.filter(isChosen));
    },
  },
  {
    discount: { type: "AMOUNT", amount_off: 30, effect: "APPLY_TO_ITEMS_BY_QUANTITY" },
    applicable_to,
    takeOff(order) {
      let rest = left(order);
      for (const line of order.lines) {
        if (!isChosen(line)) continue;
        const taken = Math.min(30 * line.quantity, leftOf(line), rest);
        line.discount += taken;
        rest -= taken;
      }
    },
  },
  {
    discount: { type: "UNIT", unit_off: 1, unit_type: gift.id, effect: "ADD_NEW_ITEMS" },
    takeOff(order) {
      let line = order.lines.find(({ product_id }) => product_id === gift.id);
      if (line === undefined) {
        line = { product_id: gift.id, quantity: 0, price: gift.price, amount: 0, discount: 0 };
        order.lines.push(line);
      }
      line.quantity += 1;
      line.amount += gift.price;
      order.amount += gift.price;
      line.discount += gift.price;
    },
  },
];

/** Shares in proportion to what is left of the lines, the largest remainders rounded up, so that they sum to the whole. */
function shareOut(whole, lines) {
  const sum = lines.reduce((all, line) => all + leftOf(line), 0);
  let missing = whole;
  const remainders = lines.map((line) => {
    const exact = whole * leftOf(line);
    const share = Math.floor(exact / sum);
    line.discount += share;
    missing -= share;
    return { line, remainder: exact % sum };
  });
  remainders.sort((a, b) => b.remainder - a.remainder);
  for (let i = 0; i < missing; i += 1) remainders[i].line.discount += 1;
}

/**
 * So many redeemables, the kinds in turn, as the engine compiles them and as they are written by hand. The first has all
 * three rules, the others one each, which also says what the discount is for.
 */
export const stackOf = (redeemables) =>
  Array.from({ length: redeemables }, (_, i) => {
    const kind = kinds[i % kinds.length];
    const asked = i === 0 ? conditions : [conditions[i % conditions.length]];
    const rules = asked.map(({ source }) => (kind.applicable_to ? { ...source, applicable_to } : source));
    return { ...kind, rules, holds: (order) => asked.every(({ holds }) => holds(order)) };
  });
