import type { Client } from "../harness/client.js";
import type { TestProject, TestService } from "../harness/service.js";

/** What the shop sells and to whom, by names that are the same in every project. */
export const names = {
  products: Array.from({ length: 8 }, (_, i) => `tea-${i}`),
  skus: Array.from({ length: 6 }, (_, i) => `tea-${Math.floor(i / 2)}-${i % 2 ? "large" : "small"}`),
  customers: Array.from({ length: 12 }, (_, i) => `customer-${i}`),
};

const cities = ["Gdynia", "Łódź", 'Nowy "Targ", Dolny'];
const amount = (amount_off: number, more: object = {}) => ({ type: "AMOUNT", amount_off, ...more });
const percent = (percent_off: number, more: object = {}) => ({ type: "PERCENT", percent_off, ...more });
const where = (name: string, conditions: object, more: object = {}) => ({
  1: { name, conditions, ...more },
  logic: "1",
});

/** A project with every kind of object that a validation looks at. Nothing in it counts by customer or by day. */
export async function aShop(service: TestService): Promise<TestProject> {
  const project = await service.anotherProject(project_fields);
  const { api } = project;
  await settings(service, project);
  await sold(api);
  await people(api);
  const made = async (path: string, body: object) => (await api.post(path, body, 200)).body;
  const category = await made("/v1/categories", { name: "Seasonal", hierarchy: 2 });
  const exclusive = await made("/v1/categories", { name: "Alone", hierarchy: 1 });
  const stacking = {
    ...{ redeemables_application_mode: "PARTIAL", redeemables_sorting_rule: "CATEGORY_HIERARCHY" },
    exclusive_categories: [exclusive.id],
  };
  await service.management.post(`/management/v1/projects/${project.id}/stacking-rules`, stacking, 200);
  const groups = await grouped(api);
  const rules = await ruled(api, groups);
  await coupons(api, { category: category.id, exclusive: exclusive.id, rules });
  await promotions(api, { category: category.id, rules });
  await cards(api, rules);
  await loose(api, { category: category.id, rules, unit: groups.product });
  await used(service, api);
  return project;
}

export const project_fields = {
  name: "shop",
  currency: "EUR",
  timezone: "Europe/Warsaw",
  case_sensitive_codes: false,
  // Files are for a machine that reads names as they were given.
  neutralise_export_formulas: false,
};

async function settings({ management }: TestService, { id }: TestProject): Promise<void> {
  const path = `/management/v1/projects/${id}`;
  const text = { type: "string", optional: true, array: false };
  const number = { type: "number", optional: true, array: false };
  for (const related_object of ["product", "customer", "voucher", "order"]) {
    const properties = { shop: text, weight: number };
    await management.post(`${path}/metadata-schemas`, { related_object, properties }, 200);
  }
}

async function sold(api: Client): Promise<void> {
  for (const [i, source_id] of names.products.entries()) {
    const more = i < 3 ? { attributes: ["size"] } : {};
    const metadata = { shop: cities[i % 3], weight: i * 1.5 };
    const product = { source_id, name: `Tea, no. ${i}`, price: 350 + 125 * i, ...more, metadata };
    const { id } = (await api.post("/v1/products", product, 200)).body;
    for (const sku of names.skus.filter((name) => name.startsWith(`${source_id}-`))) {
      const size = sku.slice(source_id.length + 1);
      const sent = {
        source_id: sku,
        sku: `In ${size}`,
        price: size === "large" ? 999 : 499,
        attributes: { size },
        currency: "EUR",
      };
      await api.post(`/v1/products/${id}/skus`, { ...sent, metadata: { shop: size } }, 200);
    }
  }
}

async function people(api: Client): Promise<void> {
  for (const [i, source_id] of names.customers.entries()) {
    const address = { city: cities[i % 3], country: i % 2 ? "PL" : "DE", line_1: `Street ${i}` };
    const metadata = { shop: cities[(i + 1) % 3], weight: i };
    const name = i % 4 ? `=Łucja, the ${i}th` : null;
    await api.post(
      "/v1/customers",
      { source_id, name, email: `c${i}@example.com`, address, metadata, birthdate: "1990-05-17" },
      200,
    );
  }
}

async function grouped(api: Client) {
  const product = (await api.get(`/v1/products/${names.products[0]}`, 200)).body.id as string;
  const second = (await api.get(`/v1/products/${names.products[1]}`, 200)).body.id as string;
  const ids = [];
  for (const i of [0, 1, 2, 3, 4])
    ids.push((await api.get(`/v1/customers/${names.customers[i]}`, 200)).body.id as string);
  const made = async (path: string, body: object) => (await api.post(path, body, 200)).body.id as string;
  return {
    product,
    static: await made("/v1/segments", { name: "Friends", type: "static", customers: ids }),
    passive: await made("/v1/segments", {
      name: "In Poland",
      type: "passive",
      filter: { junction: "and", "address.country": { conditions: { $is: ["PL"] } } },
    }),
    following: await made("/v1/segments", {
      name: "Heavy",
      type: "auto-update",
      filter: { junction: "and", "metadata.weight": { conditions: { $more_than: [6] } } },
    }),
    listed: await made("/v1/product-collections", {
      name: "Two teas",
      type: "STATIC",
      products: [
        { id: product, object: "product" },
        { id: second, object: "product" },
      ],
    }),
    filtered: await made("/v1/product-collections", {
      name: "Dear",
      type: "AUTO_UPDATE",
      filter: { junction: "and", price: { conditions: { $more_than: [800] } } },
    }),
  };
}

/** Rules of every kind that looks at the order and the customer, by a name of our own. */
async function ruled(api: Client, groups: Awaited<ReturnType<typeof grouped>>) {
  const made = async (name: string, rules: object, more: object = {}) =>
    (await api.post("/v1/validation-rules", { name, rules, ...more }, 200)).body.id as string;
  const only = (included: object[]) => ({ applicable_to: { included, excluded: [], included_all: false } });
  return {
    from_20: await made("From 20 on", where("order.amount", { $more_than_or_equal: [2_000] }), {
      error: { message: "For orders from 20 on" },
    }),
    friends: await made("Friends", where("customer.segment", { $is: [groups.static] })),
    in_poland: await made("In Poland", where("customer.segment", { $is: [groups.passive] })),
    heavy: await made("Heavy", where("customer.segment", { $is: [groups.following] })),
    first_tea: await made("First tea", where("product.id", { $is: [groups.product] })),
    collected: await made(
      "Two teas alone",
      { logic: "" },
      only([{ object: "products_collection", id: groups.listed }]),
    ),
    dear: await made("Dear alone", { logic: "" }, only([{ object: "products_collection", id: groups.filtered }])),
    by_metadata: await made("Gdynia", where("customer.metadata", { $is: ["Gdynia"] }, { property: "shop" })),
  };
}

type Rules = Awaited<ReturnType<typeof ruled>>;

async function coupons(
  api: Client,
  { category, exclusive, rules }: { category: string; exclusive: string; rules: Rules },
) {
  const of = async (name: string, discount: object, more: object = {}) => {
    const voucher = { type: "DISCOUNT_VOUCHER", discount, redemption: { quantity: 3 } };
    const { id } = (await api.post("/v1/campaigns", { name, voucher, ...more }, 200)).body;
    for (const i of [0, 1, 2])
      await api.post(`/v1/campaigns/${id}/vouchers/${name}-${i}`, { metadata: { shop: "North" } }, 200);
  };
  await of("AUTUMN", amount(300), { validation_rules: [rules.from_20], metadata: { weight: 1 } });
  await of("FRIENDS", percent(15, { amount_limit: 900 }), { validation_rules: [rules.friends], category_id: category });
  await of("TWO-TEAS", percent(50, { effect: "APPLY_TO_ITEMS" }), { validation_rules: [rules.collected] });
  await of("DEAR", amount(200, { effect: "APPLY_TO_ITEMS" }), { validation_rules: [rules.dear] });
  await of("FIXED", { type: "FIXED", fixed_amount: 1_500, effect: "APPLY_TO_ORDER" }, { category_id: exclusive });
  await of("OVER", amount(100), { expiration_date: "2026-01-01T00:00:00Z" });
  await of("MONDAYS", percent(5), { validity_day_of_week: [1], start_date: "2026-01-01T00:00:00Z" });
  const single = {
    name: "SINGLE",
    type: "STANDALONE",
    voucher: { discount: amount(111), code_config: { pattern: "SINGLE" } },
  };
  await api.post("/v1/campaigns", single, 200);
}

async function promotions(api: Client, { category, rules }: { category: string; rules: Rules }): Promise<void> {
  const tier = (name: string, discount: object, more: object = {}) => ({ name, action: { discount }, ...more });
  const tiers = [
    tier("From 20 on", amount(150), { validation_rules: [rules.from_20], hierarchy: 1 }),
    tier("In Poland", percent(7), { validation_rules: [rules.in_poland], hierarchy: 2, category_id: category }),
    tier("Heavy", percent(9), { validation_rules: [rules.heavy], hierarchy: 3 }),
    tier("Off", amount(50), { active: false, hierarchy: 4 }),
  ];
  const campaign = { name: "Tiers", campaign_type: "PROMOTION", promotion: { tiers } };
  const { id, promotion } = (await api.post("/v1/campaigns", campaign, 200)).body;
  const ids = promotion.tiers.map((one: { id: string }) => one.id);
  await api.post(`/v1/promotions/${id}/stacks`, { name: "Both", tiers: { ids: [ids[1], ids[0]] } }, 200);
}

async function cards(api: Client, rules: Rules): Promise<void> {
  const gift = { type: "GIFT_VOUCHER", gift: { amount: 5_000, effect: "APPLY_TO_ITEMS" } };
  await api.post("/v1/campaigns", { name: "Cards", voucher: gift, validation_rules: [rules.dear] }, 200);
  for (const i of [0, 1, 2]) await api.post(`/v1/campaigns/Cards/vouchers/CARD-${i}`, {}, 200);
  const card = { type: "LOYALTY_CARD", loyalty_card: { points: 120 } };
  const { id } = (await api.post("/v1/loyalties", { name: "Club", voucher: card }, 200)).body;
  const { id: reward } = (
    await api.post(
      "/v1/rewards",
      { name: "Coin", type: "COIN", parameters: { coin: { exchange_ratio: 1, points_ratio: 2 } } },
      200,
    )
  ).body;
  await api.post(`/v1/loyalties/${id}/rewards`, [{ reward }], 200);
  for (const i of [0, 1, 2]) {
    await api.post(`/v1/campaigns/${id}/vouchers/CLUB-${i}`, {}, 200);
    await api.post("/v1/publications", { voucher: `CLUB-${i}`, customer: { source_id: names.customers[i] } }, 200);
  }
  await api.post("/v1/loyalties/members/CLUB-1/balance", { points: -45 }, 200);
}

async function loose(
  api: Client,
  { category, rules, unit }: { category: string; rules: Rules; unit: string },
): Promise<void> {
  const of = (code: string, fields: object) => api.post(`/v1/vouchers/${code}`, fields, 200);
  await of("PLAIN", { discount: amount(250), redemption: { quantity: 2 }, metadata: { shop: "x, y", weight: 2 } });
  await of("LIMITED", { discount: percent(20, { amount_limit: 500 }), category_id: category });
  await of("FORMULA", { discount: amount(1, { amount_off_formula: "ORDER_AMOUNT * 0.1" }) });
  await of("UNIT", { discount: { type: "UNIT", unit_off: 1, unit_type: unit, effect: "ADD_MISSING_ITEMS" } });
  await of("LATER", { discount: amount(100), start_date: "2027-01-01T00:00:00Z" });
  await of("SOMETIMES", {
    discount: amount(10),
    start_date: "2026-01-01T00:00:00Z",
    validity_timeframe: { interval: "P7D", duration: "P1D" },
  });
  const daily = [{ start_time: "12:00", expiration_time: "13:00" }];
  await of("AT-NOON", { discount: amount(10), validity_hours: { daily } });
  await of("ASLEEP", { discount: amount(100), active: false, additional_info: 'a "quoted", text' });
  await of("GIFT", { type: "GIFT_VOUCHER", gift: { amount: 4_000 } });
  const { id } = (await of("GDYNIA", { discount: amount(99) })).body;
  await api.post(
    `/v1/validation-rules/${rules.by_metadata}/assignments`,
    { related_object_id: id, related_object_type: "voucher" },
    200,
  );
}

/** What has become of it: codes that were used up or in part, spent credits, orders. */
async function used({ clock, runDue }: TestService, api: Client): Promise<void> {
  const items = [{ source_id: names.products[4], related_object: "product", quantity: 8, price: 850 }];
  const redeem = (redeemable: { id: string; object: string; gift?: object }, source_id: string) =>
    api.post(
      "/v1/redemptions",
      {
        redeemables: [redeemable],
        customer: { source_id },
        order: { source_id: `${redeemable.id} of ${source_id}`, items, status: "PAID" },
      },
      200,
    );
  const [first = "", second = "", third = "", fourth = ""] = names.customers;
  await redeem({ object: "voucher", id: "PLAIN" }, first);
  await redeem({ object: "voucher", id: "PLAIN" }, second);
  for (const who of [first, second, third]) await redeem({ object: "voucher", id: "AUTUMN-0" }, who);
  await redeem({ object: "voucher", id: "GIFT", gift: { credits: 1_250 } }, fourth);
  await redeem({ object: "voucher", id: "CARD-1", gift: { credits: 4_990 } }, fourth);
  clock.advance({ minutes: 1 });
  await runDue();
}
