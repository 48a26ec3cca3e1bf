// A sample shop in a project of its own, made by the API alone: `npm run demo -- --shop`, and taken away again by
// `npm run demo -- --shop --remove`. The API dates nothing: all of it is of the moment in which it is made. When an order of the
// past was placed stands in its metadata, over ninety days.
import { setTimeout as sleep } from "node:timers/promises";

const shop_name = "Sample shop";
const days = 90;
const day_ms = 86_400_000;
const at_once = 8;
const import_within_ms = 60_000;

/** Why the shop cannot be made or taken away; one line. */
export class ShopRefused extends Error {}

/** The same numbers with every run. */
function dice(seed = 7) {
  let state = seed;
  return (max) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * max);
  };
}

function caller(url, headers) {
  return async (method, path, body) => {
    const sent = { method, headers: { ...headers, ...(body && { "content-type": "application/json" }) } };
    const answer = await fetch(url + path, { ...sent, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    const told = text ? JSON.parse(text) : null;
    return { ok: answer.ok, body: told };
  };
}

/** Calls that must go well. */
const sure = (call) => async (method, path, body) => {
  const { ok, body: told } = await call(method, path, body);
  if (!ok)
    throw Object.assign(new Error(`${method} ${path}: ${told?.message}`), { code: told?.code, details: told?.details });
  return told;
};

async function eachOf(all, work) {
  const left = [...all.entries()];
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: at_once }, worker));
}

const managementOf = ({ url, management_id, management_token }) =>
  sure(caller(url, { "x-management-id": management_id, "x-management-token": management_token }));

const findShop = async (management) =>
  (await management("GET", "/management/v1/projects")).data.find(({ name }) => name === shop_name);

/** Takes the sample shop away with all that is in it. */
export async function removeShop(service) {
  const management = managementOf(service);
  const shop = await findShop(management);
  if (!shop) throw new ShopRefused("there is no sample shop");
  await management("DELETE", `/management/v1/projects/${shop.id}`);
  return shop.id;
}

/**
 * Makes the sample shop: campaigns of every kind, customers, orders and redemptions, some of them refused. Whoever works in the
 * first project works in it too. `before_poll` as of the journey.
 */
export async function openShop({ report = () => {}, before_poll = () => {}, now = Date.now(), ...service }) {
  const management = managementOf(service);
  if (await findShop(management)) {
    throw new ShopRefused("there is a sample shop already; take it away with npm run demo -- --shop --remove");
  }
  const project = await management("POST", "/management/v1/projects", {
    ...{ name: shop_name, timezone: "Europe/Berlin", currency: "EUR", request_log_enabled: true },
  });
  const { data: people } = await management("GET", `/management/v1/projects/${service.project_id}/users`);
  for (const { id, role } of people)
    await management("POST", `/management/v1/projects/${project.id}/users`, { id, role });
  const { app_id, app_token } = project.server_side_key;
  const ask = caller(service.url, { "x-app-id": app_id, "x-app-token": app_token });
  const api = sure(ask);
  const shop = { ask, api, now, roll: dice(), before_poll, report };
  const customers = await makeCustomers(shop);
  await makeProducts(shop);
  const campaigns = await makeCampaigns(shop);
  const orders = await importOrders(shop, customers);
  const redeemed = await redeem(shop, customers);
  return { project_id: project.id, app_id, app_token, campaigns, customers: customers.length, orders, ...redeemed };
}

const first_names = ["Ada", "Ben", "Carla", "David", "Elif", "Finn", "Greta", "Hugo", "Ines", "Jonas", "Klara", "Leo"];
const last_names = ["Berg", "Costa", "Dahl", "Fischer", "Kowalski"];
const countries = ["DE", "PL", "FR", "NL"];

async function makeCustomers({ api, roll, report }) {
  const customers = first_names.flatMap((first) =>
    last_names.map((last) => ({
      source_id: `${first}-${last}`.toLowerCase(),
      name: `${first} ${last}`,
      email: `${first}.${last}@example.com`.toLowerCase(),
      address: { country: countries[roll(countries.length)] },
      metadata: { newsletter: roll(3) > 0 },
    })),
  );
  await eachOf(customers, (customer) => api("POST", "/v1/customers", customer));
  const filter = { junction: "and", "address.country": { conditions: { $is: ["PL"] } } };
  await api("POST", "/v1/segments", { name: "From Poland", type: "auto-update", filter });
  report(`${customers.length} customers, and a segment of those from Poland`);
  return customers;
}

const products = [
  { source_id: "boots", name: "Winter boots", price: 12_900 },
  { source_id: "coat", name: "Wool coat", price: 24_900 },
  { source_id: "scarf", name: "Scarf", price: 2_900 },
  { source_id: "socks", name: "Socks", price: 900 },
  { source_id: "mug", name: "Enamel mug", price: 1_600 },
];

async function makeProducts({ api, report }) {
  for (const product of products) await api("POST", "/v1/products", product);
  await api("POST", "/v1/product-collections", {
    ...{ type: "AUTO_UPDATE", name: "Above 100" },
    filter: { junction: "and", price: { conditions: { $more_than: [10_000] } } },
  });
  report(`${products.length} products, and a collection of them`);
}

const off = (discount, quantity, pattern) => ({
  ...{ type: "DISCOUNT_VOUCHER", discount, redemption: { quantity }, code_config: { pattern } },
});
const percent = (percent_off) => ({ type: "PERCENT", percent_off });
const amount = (amount_off) => ({ type: "AMOUNT", amount_off });

/** One of each kind and some more; names are what the redemptions below go by. */
async function makeCampaigns({ api, now, report }) {
  const rule = await api("POST", "/v1/validation-rules", {
    name: "Orders from 50",
    rules: { 1: { name: "order.amount", conditions: { $more_than_or_equal: [5_000] } }, logic: "1" },
    error: { message: "For orders from 50 on" },
  });
  const on = (at) => new Date(now + at * day_ms).toISOString();
  const coupons = { campaign_type: "DISCOUNT_COUPONS", type: "STATIC" };
  const card = { type: "LOYALTY_CARD", loyalty_card: { points: 0 }, code_config: { pattern: "CLUB-######" } };
  const gift = { type: "GIFT_VOUCHER", gift: { amount: 5_000 }, code_config: { pattern: "GIFT-######" } };
  const friends = { ...off(percent(15), null, "FRIEND-#####"), is_referral_code: true };
  const tiers = [
    { name: "5 off from 50", action: { discount: amount(500) }, validation_rules: [rule.id] },
    { name: "10 % on coats", action: { discount: { ...percent(10), effect: "APPLY_TO_ORDER" } } },
  ];
  const campaigns = [
    {
      ...coupons,
      name: "Winter sale",
      vouchers_count: 60,
      voucher: off(percent(10), 1, "WINTER-#####"),
      validation_rules: [rule.id],
    },
    {
      ...coupons,
      name: "Newsletter",
      vouchers_count: 40,
      voucher: off(amount(700), 1, "NEWS-#####"),
      expiration_date: on(6),
    },
    {
      ...coupons,
      name: "Spring launch",
      vouchers_count: 20,
      voucher: off(percent(20), 1, "SPRING-#####"),
      start_date: on(21),
    },
    { ...coupons, name: "Summer remainders", vouchers_count: 10, voucher: off(percent(30), 2, "SUMMER-#####") },
    { name: "Gift cards", campaign_type: "GIFT_VOUCHERS", type: "STATIC", vouchers_count: 20, voucher: gift },
    { name: "In every basket", campaign_type: "PROMOTION", type: "STANDALONE", promotion: { tiers } },
    { name: "Club", campaign_type: "LOYALTY_PROGRAM", type: "AUTO_UPDATE", voucher: card },
    { name: "Bring a friend", campaign_type: "REFERRAL_PROGRAM", type: "AUTO_UPDATE", voucher: friends },
  ];
  for (const campaign of campaigns) await api("POST", "/v1/campaigns", campaign);
  await api("POST", "/v1/campaigns/Summer%20remainders/disable");
  await api("POST", "/v1/loyalties/Club/earning-rules", [
    {
      event: "order.paid",
      loyalty: { type: "PROPORTIONAL", calculation_type: "ORDER_AMOUNT", order: { amount: { every: 100, points: 1 } } },
      source: { banner: "A point for every euro" },
    },
  ]);
  report(`${campaigns.length} campaigns: coupons, gift cards, promotions, a loyalty program, a referral program`);
  return campaigns.map(({ name }) => name);
}

async function importOrders({ api, roll, now, before_poll, report }, customers) {
  const orders = Array.from({ length: 4 * days }, (_, i) => {
    const { source_id, price } = products[roll(products.length)];
    const placed_at = new Date(now - Math.floor((i + 1) / 4) * day_ms - roll(12) * 3_600_000).toISOString();
    return {
      ...{ source_id: `order-${i + 1}`, status: roll(10) > 0 ? "PAID" : "CANCELED", metadata: { placed_at } },
      customer: { source_id: customers[roll(customers.length)].source_id },
      items: [{ source_id, related_object: "product", quantity: 1 + roll(3), price }],
    };
  });
  const { async_action_id } = await api("POST", "/v1/orders/import", orders);
  for (const begun = Date.now(); ; await sleep(50)) {
    await before_poll();
    const { status } = await api("GET", `/v1/async-actions/${async_action_id}`);
    if (status === "DONE") break;
    if (Date.now() - begun > import_within_ms) throw new ShopRefused("orders are not taken in; is a worker running?");
  }
  report(`${orders.length} orders, made now; their metadata says when in ${days} days they were placed`);
  return orders.length;
}

async function codesOf(api, campaign) {
  const { id } = await api("GET", `/v1/campaigns/${encodeURIComponent(campaign)}`);
  return (await api("GET", `/v1/vouchers?campaign_id=${id}&limit=100`)).vouchers.map(({ code }) => code);
}

/** What customers do: most of it works, some is refused for the reasons that shops know. */
async function redeem({ ask, api, roll, report }, customers) {
  const tries = [];
  const orderOf = (choice) => ({ items: [{ source_id: choice, related_object: "product", quantity: 1 + roll(2) }] });
  for (const [campaign, share] of [
    ["Winter sale", 3],
    ["Newsletter", 3],
    ["Spring launch", 8],
    ["Summer remainders", 5],
  ]) {
    for (const code of await codesOf(api, campaign)) {
      if (roll(share) === 0 || share === 3) tries.push(code);
      if (roll(8) === 0) tries.push(code);
    }
  }
  tries.push("WINTER-TYPO", "NEWS-OLD");
  const counted = { redeemed: 0, refused: 0, rolled_back: 0 };
  await eachOf(tries, async (code) => {
    const customer = { source_id: customers[roll(customers.length)].source_id };
    const order = orderOf(products[roll(products.length)].source_id);
    const { ok, body } = await ask("POST", "/v1/redemptions", {
      redeemables: [{ object: "voucher", id: code }],
      customer,
      order,
    });
    counted[ok ? "redeemed" : "refused"] += 1;
    if (!ok || roll(12) > 0) return;
    await api("POST", `/v1/redemptions/${body.redemptions[0].id}/rollback`, { reason: "Sent back" });
    counted.rolled_back += 1;
  });
  for (const code of (await codesOf(api, "Gift cards")).slice(0, 8)) {
    await api("POST", `/v1/vouchers/${code}/redemption`, {
      gift: { credits: 500 + 100 * roll(20) },
      order: orderOf("coat"),
    });
    counted.redeemed += 1;
  }
  await eachOf(customers.slice(0, 20), async (customer, i) => {
    const named = { customer: { source_id: customer.source_id } };
    const card = await api("POST", "/v1/loyalties/Club/members", named);
    await api("POST", `/v1/loyalties/members/${card.code}/balance`, { points: 50 + 10 * i });
    if (i < 10) await api("POST", "/v1/publications", { campaign: { name: "Bring a friend" }, ...named });
  });
  report(`${counted.redeemed} redemptions, ${counted.rolled_back} of them taken back, and ${counted.refused} refused`);
  report("20 members of the club, 10 who bring friends");
  return counted;
}
