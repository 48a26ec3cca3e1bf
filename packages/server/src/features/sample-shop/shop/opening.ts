import type { Past } from "../past.js";
import { firstCampaigns, generic_code, names, type Rules } from "./campaigns.js";
import { goods } from "./goods.js";
import { customer, customersBy } from "./people.js";

/** Opens the shop: its goods, its first customers, and what it offers them. */
export async function openTheShop(past: Past): Promise<void> {
  const { api } = past;
  for (const product of goods) await api("POST", "/v1/products", product);
  await api("POST", "/v1/product-collections", {
    ...{ type: "AUTO_UPDATE", name: "Above 50" },
    filter: { junction: "and", price: { conditions: { $more_than: [5_000] } } },
  });
  for (let i = 0; i < customersBy(0); i += 1) await api("POST", "/v1/customers", customer(i));
  await api("POST", "/v1/categories", { name: "Seasonal", hierarchy: 1 });
  await api("POST", "/v1/categories", { name: "Always on", hierarchy: 2 });
  const rules = await makeRules(past);
  for (const campaign of firstCampaigns(rules)) await api("POST", "/v1/campaigns", campaign);
  await api("POST", `/v1/vouchers/${generic_code}`, { campaign: names.welcome, redemption: { quantity: null } });
  await makeClub(past);
}

async function makeRules({ api }: Past): Promise<Rules> {
  const segment = (name: string, field: string, conditions: object) =>
    api("POST", "/v1/segments", { name, type: "auto-update", filter: { junction: "and", [field]: { conditions } } });
  await segment("From Poland", "address.country", { $is: ["PL"] });
  const readers = await segment("Readers of the newsletter", "metadata.newsletter", { $is: [true] });
  const rule = async (name: string, leaf: object, message: string) =>
    (await api("POST", "/v1/validation-rules", { name, rules: { 1: leaf, logic: "1" }, error: { message } })).id;
  return {
    from_50: await rule(
      "Orders from 50",
      { name: "order.amount", conditions: { $more_than_or_equal: [5_000] } },
      "For orders from 50 on",
    ),
    once_each: await rule(
      "Once a customer",
      { name: "redemption.count.per_customer", conditions: { $less_than_or_equal: [1] } },
      "Once for each customer",
    ),
    readers: await rule(
      "Readers of the newsletter",
      { name: "customer.segment", conditions: { $is: [readers.id] } },
      "For readers of the newsletter",
    ),
  };
}

/** Points for every order, tiers, and what points can be spent on. */
async function makeClub({ api }: Past): Promise<void> {
  const club = `/v1/loyalties/${names.club}`;
  await api("POST", `${club}/earning-rules`, [
    {
      event: "order.paid",
      loyalty: { type: "PROPORTIONAL", calculation_type: "ORDER_AMOUNT", order: { amount: { every: 100, points: 1 } } },
      source: { banner: "A point for every euro" },
    },
  ]);
  await api("POST", `${club}/tiers`, [
    { name: "Bronze", points: { from: 0, to: 299 } },
    { name: "Silver", points: { from: 300, to: 899 } },
    { name: "Gold", points: { from: 900 } },
  ]);
  const mug = await api("GET", "/v1/products/mug");
  const reward = await api("POST", "/v1/rewards", {
    ...{ name: "An enamel mug", stock: 100, parameters: { product: { id: mug.id } } },
  });
  await api("POST", `${club}/rewards`, [{ reward: reward.id, parameters: { loyalty: { points: 160 } } }]);
}
