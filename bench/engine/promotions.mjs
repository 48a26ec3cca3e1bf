// A shop with n active promotions of mixed rules, and its customers' carts: the same ones in every run.
import { randomOf } from "./timing.mjs";

const day = 86_400_000;
export const instant = Date.parse("2026-03-04T12:00:00Z");

const amounts_max = 100_000;
const between = (low, number, high) => Math.min(high, Math.max(low, Math.round(number)));

/** How many of each there are. They grow with the promotions, so that about 30 match a cart whatever n is. */
const sizesOf = (n) => ({
  products: Math.max(12, Math.round(n / 8)),
  collections: Math.max(10, Math.round(n / 8)),
  segments: between(4, n / 25, 1000),
  cities: between(2, n / 50, 300),
});

const anyOf = (object, ...ids) => ({
  name: "order.items.any",
  conditions: { $is: ids.map((id) => ({ object, id })) },
});
const inSegments = (...ids) => ({ name: "customer.segment", conditions: { $in: ids } });
const inCity = (city) => ({ name: "customer.metadata", property: "city", conditions: { $is: [city] } });
const amountFrom = (low, high) => ({
  name: "order.initial_amount",
  conditions: { $more_than_or_equal: [low], ...(high === undefined ? {} : { $less_than_or_equal: [high] }) },
});
const unitsFrom = (least) => ({ name: "order.items.count", conditions: { $more_than_or_equal: [least] } });
/** Nothing that the index could know. */
const notThrough = (channel) => ({ name: "order.metadata", property: "channel", conditions: { $is_not: [channel] } });

/**
 * The kinds of promotions, of each how many of a hundred are of it, its rule, and what a programmer would have written
 * instead: one closure over the plain cart of {@link plainCart}, what decides most often first.
 */
function kindsOf(n) {
  const { products, collections, segments, cities } = sizesOf(n);
  // Bands of amounts are the narrower the more of them there are.
  const band = Math.min(0.4, 40 / n) * amounts_max;
  const kinds = {
    products_and_amount(below) {
      const [one, other, low] = [`prod_${below(products)}`, `prod_${below(products)}`, below(50_000)];
      const holds = (cart) => (cart.products.has(one) || cart.products.has(other)) && cart.amount >= low;
      return { leaves: [anyOf("product", one, other), amountFrom(low)], holds };
    },
    product_units_and_everyone(below) {
      const [product, least] = [`prod_${below(products)}`, below(12)];
      const holds = (cart) => cart.products.has(product) && cart.units >= least && cart.segments.has("seg_everyone");
      return { leaves: [anyOf("product", product), inSegments("seg_everyone"), unitsFrom(least)], holds };
    },
    collection_units_and_channel(below) {
      const [collection, least] = [`pc_${below(collections)}`, 1 + below(12)];
      const holds = (cart) => cart.collections.has(collection) && cart.units >= least && cart.channel !== "kiosk";
      return { leaves: [anyOf("products_collection", collection), unitsFrom(least), notThrough("kiosk")], holds };
    },
    segments_city_and_amount(below) {
      const [one, other, city] = [`seg_${below(segments)}`, `seg_${below(segments)}`, `city_${below(cities)}`];
      const low = below(50_000);
      const high = low + band * 4;
      const holds = (cart) =>
        cart.city === city &&
        cart.amount >= low &&
        cart.amount <= high &&
        (cart.segments.has(one) || cart.segments.has(other));
      return { leaves: [inSegments(one, other), inCity(city), amountFrom(low, high)], holds };
    },
    skus_and_channel(below) {
      const [a, b, c] = [0, 1, 2].map(() => `sku_${below(products)}`);
      const items = { name: "sku.id", conditions: { $in: [a, b, c].map((id) => ({ object: "sku", id })) } };
      const holds = (cart) => (cart.skus.has(a) || cart.skus.has(b) || cart.skus.has(c)) && cart.channel !== "app";
      return { leaves: [items, notThrough("app")], holds };
    },
    product_or_city_and_segment(below) {
      const [product, city, segment] = [`prod_${below(products)}`, `city_${below(cities)}`, `seg_${below(segments)}`];
      const holds = (cart) => cart.products.has(product) || (cart.city === city && cart.segments.has(segment));
      const leaves = [anyOf("product", product), inCity(city), inSegments(segment)];
      return { leaves, logic: "1 or (2 and 3)", holds };
    },
    amount_everyone_and_channel(below) {
      const low = below(amounts_max);
      const high = low + band;
      const holds = (cart) =>
        cart.amount >= low && cart.amount <= high && cart.channel !== "app" && cart.segments.has("seg_everyone");
      return { leaves: [amountFrom(low, high), inSegments("seg_everyone"), notThrough("app")], holds };
    },
  };
  return Object.entries(percent_of).flatMap(([name, percent]) => Array.from({ length: percent }, () => kinds[name]));
}

const percent_of = {
  products_and_amount: 25,
  product_units_and_everyone: 10,
  collection_units_and_channel: 15,
  segments_city_and_amount: 20,
  skus_and_channel: 10,
  product_or_city_and_segment: 10,
  amount_everyone_and_channel: 10,
};

/** Makes the i-th promotion of a shop with n: as it is stored, and as a programmer would have written it. */
export function promotionsOf(n) {
  const kinds = kindsOf(n);
  return (i) => {
    const random = randomOf(i);
    const below = (limit) => Math.floor(random() * limit);
    const { leaves, logic, holds } = kinds[below(100)](below);
    // One of ten is not switched on yet, and one of ten no longer.
    const turn = below(10);
    const start_date = instant + (turn === 0 ? 1 : -1) * day * (1 + below(60));
    const expiration_date = turn === 1 ? instant - 1 - below(day) : instant + day * (61 + below(300));
    const rules = Object.fromEntries(leaves.map((leaf, at) => [String(at + 1), leaf]));
    return {
      id: `promo_${i}`,
      stored: { id: `val_${i}`, rules: { ...rules, ...(logic && { logic }) }, start_date, expiration_date },
      holds: (cart) => holds(cart) && cart.instant >= start_date && cart.instant <= expiration_date,
    };
  };
}

/** Makes the k-th cart of that shop: what the engine is told, and plain sets and numbers for the closures. */
export function cartsOf(n) {
  const { products, collections, segments, cities } = sizesOf(n);
  return (k) => {
    const random = randomOf(1e9 + k);
    const below = (limit) => Math.floor(random() * limit);
    const chosen = [...new Set(Array.from({ length: 5 }, () => below(products)))];
    const items = chosen.map((product) => ({
      product_id: `prod_${product}`,
      sku_id: `sku_${product}`,
      quantity: 1 + below(3),
      price: 1000 + below(6000),
    }));
    const held = [...new Set(items.map(() => `pc_${below(collections)}`))];
    const customer = {
      id: "cust_1",
      source_id: null,
      metadata: { city: `city_${below(cities)}` },
      segments: new Set(["seg_everyone", ...[1, 2, 3].map(() => `seg_${below(segments)}`)]),
      loyalty_tiers: new Set(),
    };
    const channel = ["web", "app", "kiosk"][below(3)];
    return { instant, customer, order: { items, metadata: { channel } }, collections: new Set(held) };
  };
}

/** The cart as hand-written closures want it; made anew with each request, like the engine's. */
export function plainCart({ customer, order: { items, metadata }, collections }) {
  const products = new Set();
  const skus = new Set();
  let amount = 0;
  let units = 0;
  for (const { product_id, sku_id, quantity, price } of items) {
    products.add(product_id);
    skus.add(sku_id);
    amount += quantity * price;
    units += quantity;
  }
  const { city } = customer.metadata;
  const { channel } = metadata;
  return { instant, products, skus, collections, segments: customer.segments, city, channel, amount, units };
}
