import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { someoneIn } from "../people/people.fixtures.js";
import { exportsOn, oneOfEachObject } from "./export.fixtures.js";

const service = await startService();
const { api, project } = service;
const { ask, linesOf } = exportsOn(service, project);
const { program, card } = await oneOfEachObject(service, project);

/** A filter of each kind, with how many rows of the object it lets through and how many of them its opposite does. */
const one = (field: string, operator: string, operand: unknown) => ({
  [field]: { conditions: { [operator]: operand } },
});

test.each([
  ["redemption", one("voucher_code", "$is", "GIFT"), 1],
  ["redemption", one("voucher", "$is", "AMOUNT"), 0],
  ["redemption", one("customer", "$is", "ann"), 1],
  ["redemption", one("customer", "$is", "nobody"), 0],
  ["redemption", one("campaign", "$is", "Club"), 0],
  ["redemption", one("result", "$in", ["SUCCESS"]), 1],
  ["redemption", one("metadata.till", "$is", 7), 1],
  ["redemption", one("related_object", "$in", ["voucher"]), 1],
  ["redemption", one("related_object", "$is", "promotion_tier"), 0],
  ["redemption", one("user_login", "$has_value", true), 0],
  ["redemption", one("user_login", "$is_not", "ann@example.com"), 1],
  ["redemption", one("created_at", "$after", "2026-03-02T10:00:30Z"), 1],
  ["redemption", one("created_at", "$before", ["2026-03-02T10:00:30Z"]), 0],
  ["customer", one("source_id", "$is", "ann"), 1],
  ["customer", one("name", "$has_value", true), 0],
  ["customer", one("email", "$is_unknown", true), 1],
  ["customer", one("phone", "$is", "1"), 0],
  ["customer", one("birthday", "$is", "1"), 0],
  ["customer", one("city", "$is", "Oslo"), 0],
  ["customer", one("address.country", "$is_not", "NO"), 1],
  ["customer", one("metadata.plan", "$is", "gold"), 0],
  ["customer", one("updated_at", "$is_unknown", true), 1],
  ["customer", one("created_at", "$before", "2020-01-01"), 0],
  ["customer", one("publications.created_at", "$after", "2020-01-01"), 1],
  ["customer", one("publications.related_object_id", "$is", card.id), 1],
  ["customer", one("publications.related_object_id", "$is", "v_none"), 0],
  ["customer", one("summary.orders.total_amount", "$more_than", 999), 1],
  ["customer", one("summary.orders.total_amount", "$more_than", "1000"), 0],
  ["customer", one("summary.redemptions.gift.redeemed_amount", "$is", 500), 1],
  ["customer", one("summary.redemptions.total_failed", "$more_than", 0), 0],
  ["customer", one("loyalty.points", "$is", 45), 1],
  ["customer", one("loyalty.campaigns.Club.points", "$less_than", 30), 0],
  ["customer", one("loyalty_points.campaigns.Club.points", "$is", 30), 1],
  ["customer", one("loyalty_tier.name", "$has_value", true), 0],
  ["customer", one("system_metadata.vip", "$is_unknown", true), 1],
  ["customer", { ...one("loyalty.points", "$is", 45), ...one("source_id", "$is", "bea") }, 0],
  ["customer", { junction: "OR", ...one("loyalty.points", "$is", 45), ...one("source_id", "$is", "bea") }, 1],
  ["publication", one("customer", "$is", "ann"), 1],
  ["publication", one("voucher", "$is", card.code), 1],
  ["publication", one("voucher_code", "$is", "GIFT"), 0],
  ["publication", one("campaign", "$is", "Club"), 1],
  ["publication", one("created_at", "$before", "2020-01-01"), 0],
  ["publication", one("metadata.colour", "$is_unknown", true), 1],
  ["order", one("status", "$is", "PAID"), 1],
  ["order", one("source_id", "$in", ["o-1", "o-2"]), 1],
  ["order", one("amount", "$more_than", 1499), 1],
  ["order", one("total_amount", "$less_than", 0), 0],
  ["order", one("discount_amount", "$is", 500), 1],
  ["order", one("items_discount_amount", "$is", 0), 1],
  ["order", one("total_discount_amount", "$is", 123), 0],
  ["order", one("created_at", "$before", "2020-01-01"), 0],
  ["order", one("updated_at", "$after", "2090-01-01"), 0],
  ["order", one("metadata.a", "$has_value", true), 0],
  ["voucher_transactions", one("voucher_id", "$in", ["GIFT"]), 2],
  ["voucher_transactions", one("voucher_id", "$in", [card.id]), 2],
  ["voucher_transactions", one("voucher_id", "$not_in", ["GIFT"]), 2],
  ["voucher_transactions", one("campaign_id", "$is", program.id), 2],
  ["voucher_transactions", one("created_at", "$before", "2020-01-01"), 0],
  ["points_expiration", one("voucher_id", "$is", card.code), 1],
  ["points_expiration", one("voucher_id", "$is_not", card.id), 0],
  ["points_expiration", one("campaign_id", "$not_in", [program.id]), 0],
  ["product", one("name", "$contains", "ea"), 1],
  ["product", one("price", "$more_than", 499), 0],
  ["product", one("source_id", "$is", "tea"), 1],
  ["product", one("created_at", "$after", "2020-01-01"), 1],
  ["product", one("updated_at", "$after", "2090-01-01"), 0],
  ["product", one("attributes", "$contains", "size"), 1],
  ["product", one("attributes", "$is", "colour"), 0],
  ["product", one("attributes", "$count", 1), 1],
  ["sku", one("attributes.size", "$is", "S"), 1],
  ["sku", one("attributes.size", "$is_not", "S"), 0],
  ["voucher", one("redemption.redeemed_amount", "$more_than", 499), 1],
  ["voucher", one("redemption.redeemed_amount", "$has_value", true), 1],
  ["voucher", one("redemption.redeemed_amount", "$less_than", 1), 0],
  ["voucher", one("redemption.redeemed_points", "$is", 0), 1],
  ["sku", one("price", "$is", 250), 1],
  ["sku", one("name", "$is", "Small"), 1],
  ["sku", one("metadata.a", "$is", "b"), 0],
] as [string, Record<string, unknown>, number][])("%s filtered by %j: %i", async (name, filters, count) => {
  expect((await linesOf(await ask(name, { filters }))).slice(1)).toHaveLength(count);
});

test.each([
  ["voucher", "redemption_status"],
  ["customer", "publications.channel"],
  ["customer", "summary.colour"],
  ["customer", "loyalty_tier.colour"],
  ["product", "attributes.size"],
  ["sku", "attributes"],
  ["order", "colour"],
])("%s cannot be filtered by %s, and says so", async (name, field) => {
  const { body } = await ask(name, { filters: one(field, "$is", "1") }, 400);
  expect(body).toMatchObject({
    key: "invalid_payload",
    details: `Property .parameters.filters.${field} is not supported`,
  });
});

test.each<[string, string, Record<string, unknown>, string]>([
  [
    "a field that nobody knows, beside one that is counted",
    "customer",
    { ...one("loyalty.points", "$is", 45), ...one("colour", "$is", "red") },
    "Property .parameters.filters.colour is not supported",
  ],
  [
    "an operator that nobody knows",
    "customer",
    one("loyalty.points", "$is_like", 45),
    "Property .parameters.filters should match either",
  ],
  [
    "a junction that is none",
    "customer",
    { junction: "xor", ...one("loyalty.points", "$is", 45) },
    "wrong `junction` property",
  ],
  [
    "a word that a redemption is never of",
    "redemption",
    one("related_object", "$in", ["v_1"]),
    "Property .parameters.filters.related_object.conditions.$in must be one of: voucher, promotion_tier, redemption",
  ],
])("an export is refused that asks for %s", async (_, name, filters, details) => {
  const { body } = await ask(name, { filters }, 400);
  expect(body).toMatchObject({ key: "invalid_payload", details: expect.stringContaining(details) });
});

test("redemptions are found by who was signed in and made them", async () => {
  const shop = await service.anotherProject();
  const { browser, user } = await someoneIn(service, shop.id, "USER");
  const exported = exportsOn(service, shop);
  for (const code of ["HERE", "THERE"])
    await shop.api.post(`/v1/vouchers/${code}`, { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
  const redeem = (id: string) => ({ redeemables: [{ object: "voucher", id }], order: { amount: 500 } });
  await browser.post("/v1/redemptions", redeem("HERE"), 200);
  await shop.api.post("/v1/redemptions", redeem("THERE"), 200);
  const codes = (operator: string, login: string) =>
    exported.column("redemption", "voucher_code", { filters: one("user_login", operator, login) });
  expect(await codes("$is", user.login.toUpperCase())).toEqual(["HERE"]);
  expect(await codes("$is_not", user.login)).toEqual(["THERE"]);
  expect(await codes("$is", "nobody@example.com")).toEqual([]);
});

describe("exports with addresses of their own", () => {
  const types = async (path: string, parameters?: Record<string, unknown>) => {
    const sent = parameters && { parameters: { fields: ["type"], ...parameters } };
    const started = await api.post(path, sent, 200);
    return { body: started.body, rows: (await linesOf(started)).slice(1) };
  };
  const in_list = (name: string) => ({ conditions: { $in: [name] } });

  test("of a voucher's books are preset to its code, needing no body, and an `or` does not pass it by", async () => {
    const { body, rows } = await types("/v1/vouchers/GIFT/transactions/export");
    expect(body).toMatchObject({
      exported_object: "voucher_transactions",
      status: "SCHEDULED",
      parameters: { filters: { voucher_id: in_list("GIFT") } },
    });
    expect(rows).toHaveLength(2);
    const late = { junction: "or", created_at: { conditions: { $after: "2020-01-01" } } };
    const either = await types("/v1/vouchers/GIFT/transactions/export", { filters: late });
    expect(either.rows.sort()).toEqual(["CREDITS_REDEMPTION", "CREDITS_REMOVAL"]);
    expect(either.body.parameters.filters).toEqual({ ...late, voucher_id: in_list("GIFT") });
    await api.post("/v1/vouchers/NONE/transactions/export", {}, 404);
  });

  const recent = one("created_at", "$after", "2020-01-01");
  test.each<[string, Record<string, unknown>, number, Record<string, unknown>]>([
    ["itself", one("voucher_id", "$is", "GIFT"), 2, { $is: "GIFT" }],
    ["another", one("voucher_id", "$is", "AMOUNT"), 0, { $is: "AMOUNT" }],
    ["all but itself", one("voucher_id", "$not_in", ["GIFT"]), 0, { $not_in: ["GIFT"] }],
    ["all but itself, without `conditions`", { voucher_id: { $is_not: "GIFT" } }, 0, { $is_not: "GIFT" }],
    ["itself or another", one("voucher_id", "$in", ["GIFT", "AMOUNT"]), 2, {}],
    ["another where the answer shows itself", one("voucher_id", "$in", ["AMOUNT"]), 0, {}],
    [
      "another or what is new",
      { junction: "or", ...one("voucher_id", "$is", "AMOUNT"), ...recent },
      2,
      { $is: "AMOUNT" },
    ],
    [
      "all but itself or what is new",
      { junction: "or", ...one("voucher_id", "$is_not", "GIFT"), ...recent },
      2,
      { $is_not: "GIFT" },
    ],
  ])("of a voucher's books hold what is asked of vouchers beside it: %s", async (_, filters, count, shown) => {
    const { body, rows } = await types("/v1/vouchers/GIFT/transactions/export", { filters });
    expect(rows).toHaveLength(count);
    expect(body.parameters.filters).toEqual({ ...filters, voucher_id: { conditions: { ...shown, $in: ["GIFT"] } } });
  });

  test("of a program's hold what is asked of campaigns beside it, and refuse what cannot be asked", async () => {
    const of_none = { filters: one("campaign_id", "$is_not", program.id) };
    for (const books of ["transactions", "points-expiration"]) {
      const path = `/v1/loyalties/${program.id}/${books}/export`;
      expect(await linesOf(await api.post(path, { parameters: of_none }, 200))).toHaveLength(1);
      const odd = { filters: one("campaign_id", "$is_like", program.id) };
      expect((await api.post(path, { parameters: odd }, 400)).body.key).toBe("invalid_payload");
    }
  });

  test("of one campaign's vouchers hold what is asked of campaigns beside the parameter", async () => {
    const filters = one("campaign_id", "$is", "camp_none");
    expect((await linesOf(await ask("voucher", { campaign_id: program.id, filters }))).slice(1)).toEqual([]);
  });

  test("of a member's, alone or under the program", async () => {
    const both = ["POINTS_ADDITION", "POINTS_REMOVAL"];
    for (const path of ["members", `${program.id}/members`]) {
      const { body, rows } = await types(`/v1/loyalties/${path}/${card.id}/transactions/export`, {});
      expect(body.parameters.filters).toEqual({ voucher_id: in_list(card.code) });
      expect(rows.sort()).toEqual(both);
    }
    await api.post("/v1/loyalties/members/GIFT/transactions/export", {}, 404);
    await api.post(`/v1/loyalties/camp_none/members/${card.id}/transactions/export`, {}, 404);
  });

  test("of a campaign's or program's, where its codes are cards", async () => {
    for (const path of [`/v1/campaigns/${program.id}`, `/v1/loyalties/${program.id}`]) {
      const { body, rows } = await types(`${path}/transactions/export`, {});
      expect(body.parameters.filters).toEqual({ campaign_id: in_list(program.id) });
      expect(rows).toHaveLength(2);
    }
    const off = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 1 } };
    const campaign = { name: "coupons", campaign_type: "DISCOUNT_COUPONS", voucher: off };
    const { body: coupons } = await api.post("/v1/campaigns", campaign, 200);
    expect((await api.post(`/v1/campaigns/${coupons.id}/transactions/export`, {}, 403)).body).toMatchObject({
      key: "forbidden",
      details: "transactions are allowed only for loyalty or gift campaigns",
    });
    await api.post("/v1/campaigns/camp_none/transactions/export", {}, 404);
    await api.post("/v1/loyalties/camp_none/transactions/export", {}, 404);
  });

  test("of the points of a program that expire", async () => {
    const started = await api.post(`/v1/loyalties/${program.id}/points-expiration/export`, {}, 200);
    expect(started.body).toMatchObject({
      exported_object: "points_expiration",
      parameters: { order: "-expires_at", filters: { campaign_id: in_list(program.id) } },
    });
    expect((await linesOf(started)).slice(1)).toHaveLength(1);
  });

  test("of orders", async () => {
    const started = await api.post("/v1/orders/export", { parameters: { fields: ["source_id"] } }, 200);
    expect(await linesOf(started)).toEqual(["Source ID", "o-1"]);
    expect(started.body.exported_object).toBe("order");
  });
});
