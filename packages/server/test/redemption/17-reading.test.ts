import { describe, expect, test } from "vitest";
import { idsOf, off, tiersOf } from "../../src/features/promotions/promotion.fixtures.js";
import { startService } from "../harness/service.js";
import { an_order, aShop } from "./shop.fixtures.js";

const service = await startService();
const shop = await aShop(service);
const tick = () => service.clock.advance({ minutes: 1 });
const dates: Record<string, string> = {};

// What the list mixes: each has a name here, in the order in which it was made.
const campaign = { name: "Codes", campaign_type: "DISCOUNT_COUPONS", voucher: off(100) };
const campaign_id = (await shop.api.post("/v1/campaigns", campaign, 200)).body.id;
const of_campaign = (await shop.api.post(`/v1/campaigns/${campaign_id}/vouchers/CAMP`, {}, 200)).body;
const alpha = await shop.voucher("ALPHA");
await shop.voucher("BETA", { active: false });
await shop.voucher("GIFT", { gift: { amount: 500 } });
const promotion = await tiersOf(shop.api, [{}], { name: "Tiers" });
const made: Record<string, string> = {};
async function make(names: string[], work: () => Promise<string[]>) {
  tick();
  const ids = await work();
  names.forEach((name, i) => {
    made[name] = ids[i] as string;
    dates[name] = new Date(service.clock.now()).toISOString();
  });
}
const ann = { order: an_order, customer: { source_id: "ann" } };
await make(["single"], async () => idsOf((await shop.redeem(["ALPHA"], ann)).redemptions));
const ann_id = (await shop.api.get("/v1/customers/ann", 200)).body.id;
await make(["failed"], async () => [(await shop.redeem(["BETA"], ann, 400)).resource_id]);
await make(["of_campaign"], async () => idsOf((await shop.redeem(["CAMP"])).redemptions));
await make(["parent", "child", "tier"], async () => {
  const [id] = promotion.ids;
  const { parent_redemption, redemptions } = await shop.redeem(["GIFT", { object: "promotion_tier", id }]);
  return [parent_redemption.id, ...idsOf(redemptions)];
});
await make(["rollback"], async () => [
  (await shop.api.post(`/v1/redemptions/${made.single}/rollback`, {}, 200)).body.id,
]);
const names = Object.keys(made);
const nameOf = (id: string) => names.find((name) => made[name] === id) ?? id;
const list = async (query: string) => (await shop.api.get(`/v1/redemptions?limit=100&${query}`, 200)).body;
const listed = async (query: string): Promise<string[]> => idsOf((await list(query)).redemptions).map(nameOf);
const where = (field: string, op: string, ...values: string[]) =>
  values.map((value, i) => `filters[${field}][conditions][${op}][${i}]=${encodeURIComponent(value)}`).join("&");

describe("the list of redemptions (redemption.md §17)", () => {
  test("mixes redemptions, failures, parents, children and rollbacks, newest first", async () => {
    const body = await list("");
    expect(body).toMatchObject({ object: "list", data_ref: "redemptions", total: names.length });
    const shown: string[] = idsOf(body.redemptions).map(nameOf);
    expect(new Set(shown)).toEqual(new Set(names));
    const shown_dates = shown.map((name) => dates[name] as string);
    expect(shown_dates).toEqual([...shown_dates].sort().reverse());
  });

  test("shows each as it is read by its id", async () => {
    for (const record of (await list("")).redemptions) expect(await shop.record(record.id)).toEqual(record);
  });

  test("has ten a page unless the query says how many, and which", async () => {
    const page = async (query: string) => (await shop.api.get(`/v1/redemptions${query}`, 200)).body;
    for (let i = 0; i < 6; i += 1) await shop.redeem(["BETA"], undefined, 400);
    expect((await page("")).redemptions).toHaveLength(10);
    const [first, second] = [await page("?limit=4&page=1"), await page("?limit=4&page=2")];
    expect([first.total, second.total]).toEqual([names.length + 6, names.length + 6]);
    expect(new Set([...idsOf(first.redemptions), ...idsOf(second.redemptions)]).size).toBe(8);
    expect(await page("?page=99")).toMatchObject({ redemptions: [], total: names.length + 6 });
  });

  test.each(["limit=0", "limit=101", "limit=x", "page=0", "page=100", "page=x", "result=MAYBE", "order=amount"])(
    "refuses %s: 400",
    async (query) => {
      const { body } = await shop.api.get(`/v1/redemptions?${query}`, 400);
      expect(body).toMatchObject({ code: 400, key: "invalid_query_params", message: "Invalid query params" });
      expect(body.details).toContain(query.split("=")[0]);
    },
  );

  test.each<[string, () => string, string[]]>([
    ["by result", () => "result=SUCCESS&order=id", ["single", "of_campaign", "parent", "child", "tier", "rollback"]],
    ["by several results", () => "result=SUCCESS&result=FAILURE&campaign=Codes", ["of_campaign"]],
    ["of a campaign, by its name", () => "campaign=Codes", ["of_campaign"]],
    ["of a customer, by source id", () => "customer=ann&result=SUCCESS&order=id", ["single", "rollback"]],
    ["of a customer, by id", () => `customer=${ann_id}&result=SUCCESS&order=-id`, ["rollback", "single"]],
    ["made before", () => `created_at[before]=${dates.failed}`, ["single"]],
    ["made after, leading bracket", () => `[created_at][after]=${dates.parent}&result=SUCCESS`, ["rollback"]],
    [
      "made between",
      () => `created_at[after]=${dates.failed}&created_at[before]=${dates.parent}&result=SUCCESS`,
      ["of_campaign"],
    ],
  ])("%s", async (_, query, expected) => {
    expect(await listed(query())).toEqual(expected);
  });

  test.each<[string, () => string, string[]]>([
    ["voucher_code $is", () => where("voucher_code", "$is", "CAMP"), ["of_campaign"]],
    ["voucher_code $in", () => where("voucher_code", "$in", "CAMP", "GIFT"), ["of_campaign", "child"]],
    ["voucher_code $starts_with", () => where("voucher_code", "$starts_with", "AL"), ["single", "rollback"]],
    ["voucher_code $ends_with", () => where("voucher_code", "$ends_with", "FT"), ["child"]],
    ["voucher_code $contains", () => where("voucher_code", "$contains", "AM"), ["of_campaign"]],
    ["voucher_code $is_unknown", () => where("voucher_code", "$is_unknown", "true"), ["parent", "tier"]],
    [
      "voucher_code $has_value",
      () => where("voucher_code", "$has_value", "true"),
      ["single", "of_campaign", "child", "rollback"],
    ],
    [
      "voucher_code $not_contain",
      () => `${where("voucher_code", "$not_contain", "A")}&${where("object", "$is", "redemption")}`,
      ["parent", "child", "tier"],
    ],
    ["related_object_id", () => where("related_object_id", "$is", alpha.id), ["single", "rollback"]],
    ["related_object_parent_id", () => where("related_object_parent_id", "$is", promotion.campaign_id), ["tier"]],
    ["parent_redemption_id", () => where("parent_redemption_id", "$is", made.parent as string), ["child", "tier"]],
    ["object", () => where("object", "$is", "redemption_rollback"), ["rollback"]],
    ["object $is_not", () => where("object", "$is_not", "redemption"), ["rollback"]],
    ["customer_id", () => where("customer_id", "$is", ann_id), ["single", "rollback"]],
    ["campaign_name", () => where("campaign_name", "$in", "Codes", "Tiers"), ["of_campaign", "tier"]],
    ["campaign_name $not_in", () => `${where("campaign_name", "$not_in", "Codes")}&campaign=Tiers`, ["tier"]],
    [
      "or",
      () =>
        `filters[junction]=or&${where("voucher_code", "$is", "CAMP")}&${where("object", "$is", "redemption_rollback")}`,
      ["of_campaign", "rollback"],
    ],
    ["and", () => `${where("voucher_code", "$is", "ALPHA")}&${where("object", "$is", "redemption")}`, ["single"]],
    ["[filters] with a leading bracket", () => "[filters][voucher_code][conditions][$is]=CAMP", ["of_campaign"]],
  ])("filtered by %s", async (_, query, expected) => {
    expect(await listed(`result=SUCCESS&order=id&${query()}`)).toEqual(expected);
  });

  test("filtered by why it failed, and by the result", async () => {
    const failures = await listed(where("failure_code", "$is", "voucher_disabled"));
    expect(failures).toContain("failed");
    expect(await listed(where("result", "$is", "FAILURE"))).toEqual(failures);
    expect(await listed(where("failure_code", "$is_unknown", "true"))).toHaveLength(6);
  });

  test("filtered by who made it, and by what it is of", async () => {
    expect(await listed(where("user_login", "$has_value", "true"))).toEqual([]);
    expect(await listed(`result=SUCCESS&order=id&${where("related_object", "$is", "promotion_tier")}`)).toEqual([
      "tier",
    ]);
    expect(
      await listed(`result=SUCCESS&order=id&${where("related_object", "$in", "redemption", "promotion_tier")}`),
    ).toEqual(["parent", "tier"]);
    const { body } = await shop.api.get(`/v1/redemptions?${where("related_object", "$is", alpha.id)}`, 400);
    expect(body).toMatchObject({ key: "invalid_query_params", details: expect.stringContaining("must be one of") });
  });
});

describe("the redemptions of a voucher", () => {
  test("come with its counters, rollbacks among them", async () => {
    const { body } = await shop.api.get("/v1/vouchers/ALPHA/redemption", 200);
    expect(body).toMatchObject({
      quantity: null,
      redeemed_quantity: 0,
      object: "list",
      url: "/v1/vouchers/ALPHA/redemptions?page=1&limit=10",
      data_ref: "redemption_entries",
      total: 2,
    });
    expect(idsOf(body.redemption_entries).map(nameOf).sort()).toEqual(["rollback", "single"]);
    for (const key of ["redeemed_amount", "redeemed_points"]) expect(body).not.toHaveProperty(key);
  });

  test("of a gift card tell how much was redeemed", async () => {
    const { body } = await shop.api.get("/v1/vouchers/GIFT/redemption", 200);
    expect(body).toMatchObject({ redeemed_quantity: 1, redeemed_amount: 500, total: 1 });
    expect(idsOf(body.redemption_entries).map(nameOf)).toEqual(["child"]);
  });

  test("of a campaign's code are its own", async () => {
    const { body } = await shop.api.get(`/v1/vouchers/${of_campaign.code}/redemption`, 200);
    expect(body.redemption_entries).toMatchObject([{ id: made.of_campaign, voucher: { campaign: "Codes" } }]);
  });
});
