import type { Dice } from "./dice.js";

/** What the shop sells; prices in cents. */
export const goods = [
  { source_id: "boots", name: "Winter boots", price: 12_900 },
  { source_id: "coat", name: "Wool coat", price: 24_900 },
  { source_id: "jumper", name: "Knitted jumper", price: 7_900 },
  { source_id: "scarf", name: "Scarf", price: 2_900 },
  { source_id: "hat", name: "Felt hat", price: 3_900 },
  { source_id: "gloves", name: "Leather gloves", price: 4_500 },
  { source_id: "socks", name: "Socks", price: 900 },
  { source_id: "backpack", name: "Backpack", price: 8_900 },
  { source_id: "lamp", name: "Storm lamp", price: 5_400 },
  { source_id: "mug", name: "Enamel mug", price: 1_600 },
] as const;

/** A basket: one to three goods. */
export function basket(roll: Dice) {
  const chosen = new Set(Array.from({ length: 1 + roll.below(3) }, () => roll.below(goods.length)));
  return [...chosen].map((i) => {
    const { source_id, price } = goods[i] as (typeof goods)[number];
    return { source_id, related_object: "product", quantity: price < 5_000 ? 1 + roll.below(2) : 1, price };
  });
}

/** Too little for codes that ask for a minimum. */
export const small_basket = [{ source_id: "socks", related_object: "product", quantity: 1, price: 900 }];
