import { describe, expect, test } from "vitest";
import { startService } from "./harness/service.js";

const { api, clock } = await startService();

// One of each of two kinds, so that every parameter below leaves one of them.
const ten_off = { type: "AMOUNT", amount_off: 1000 };
const campaigns: Record<string, { id: string }> = {};
for (const [name, category] of [
  ["first", "shoes"],
  ["second", "hats"],
] as const) {
  clock.advance({ minutes: 1 });
  const campaign = {
    name,
    category,
    campaign_type: "DISCOUNT_COUPONS",
    type: name === "first" ? "STATIC" : "AUTO_UPDATE",
    voucher: { type: "DISCOUNT_VOUCHER", discount: ten_off },
    metadata: { season: name },
    ...(name === "second" ? { expiration_date: "2026-03-01T00:00:00Z" } : {}),
  };
  campaigns[name] = (await api.post("/v1/campaigns", campaign, 200)).body;
}
await api.post("/v1/vouchers/KNOWN", { discount: ten_off, redemption: { quantity: 1 } }, 200);
const redeemed = (await api.post("/v1/vouchers/KNOWN/redemption", { customer: { source_id: "c" } }, 200)).body;
clock.advance({ minutes: 1 });
await api.post("/v1/vouchers/KNOWN/redemption", {}, 400);
clock.advance({ minutes: 1 });
const undone = (await api.post(`/v1/redemptions/${redeemed.id}/rollback`, {}, 200)).body;

const filter = (field: string, operator: string, value: string) =>
  `filters[${field}][conditions][${operator}]=${encodeURIComponent(value)}`;

describe("filters of campaigns", () => {
  const namesFor = async (query: string) =>
    (await api.get(`/v1/campaigns?${query}`, 200)).body.campaigns.map(({ name }: { name: string }) => name);
  test.each([
    [filter("campaigns", "$is", "first"), ["first"]],
    [filter("campaigns_id", "$is_not", campaigns.first!.id), ["second"]],
    [filter("campaign_status", "$is", "DRAFT"), []],
    [filter("status", "$expired", ""), ["second"]],
    [filter("status", "before_start", ""), []],
    ["filters[active][$active]=", ["first"]],
    [filter("is_referral_code", "$is", "FALSE"), ["second", "first"]],
    [filter("voucher_type", "$is", "GIFT_VOUCHER"), []],
    [filter("categories", "$is", "shoes"), ["first"]],
    [filter("categories", "$not_in", "shoes"), ["second"]],
    [filter("category_ids", "$has_value", ""), ["second", "first"]],
    [filter("type", "$in", "STATIC"), ["first"]],
    [filter("type", "$in", "BULK"), ["second", "first"]],
    [filter("created_date", "$more_than", "1"), []],
    [filter("expiration_date", "$has_value", ""), ["second"]],
    [filter("validity_timeframe", "$has_value", ""), []],
    [filter("validity_day_of_week", "$is", "1"), []],
    [filter("metadata.season", "$is", "second"), ["second"]],
    [filter("metadata.season", "$starts_with", "fi"), ["first"]],
  ])("%s", async (query, names) => expect(await namesFor(query)).toEqual(names));

  test("areas and stores, which there are none of yet, are no filter: refused by name", async () => {
    const { body } = await api.get("/v1/campaigns?access_settings[filter][areas_ids][0]=x", 400);
    expect(body.details).toContain("Property .access_settings");
  });

  test("that a campaign is kept to no area and no store is shown where it is asked for", async () => {
    const none = { object: "list", data_ref: "data", data: [], total: 0 };
    const [shown] = (await api.get("/v1/campaigns?expand=access_settings_assignments", 200)).body.campaigns;
    expect(shown).toMatchObject({ access_settings_assignments: none, categories: [] });
    expect((await api.get("/v1/campaigns", 200)).body.campaigns[0]).not.toHaveProperty("access_settings_assignments");
  });
});

describe("filters of redemptions", () => {
  const objectsFor = async (query: string) =>
    (await api.get(`/v1/redemptions?${query}`, 200)).body.redemptions.map(
      ({ object, result }: { object: string; result: string }) => `${object} ${result}`,
    );
  const [success, failure, rollback] = ["redemption SUCCESS", "redemption FAILURE", "redemption_rollback SUCCESS"];
  test.each([
    [filter("result", "$is", "FAILURE"), [failure]],
    [filter("object", "$is", "redemption_rollback"), [rollback]],
    [filter("failure_code", "$has_value", ""), [failure]],
    [filter("customer_id", "$is", redeemed.customer_id), [rollback, success]],
    [filter("voucher_code", "$is", "KNOWN"), [rollback, failure, success]],
    [filter("voucher_code", "$starts_with", "X"), []],
    [filter("campaign_name", "$is", "first"), []],
    [filter("parent_redemption_id", "$is_unknown", ""), [rollback, failure, success]],
    [filter("related_object_id", "$is", redeemed.voucher.id), [rollback, failure, success]],
    [filter("related_object_parent_id", "$is", campaigns.first!.id), []],
    [filter("id", "$is", undone.id), [rollback]],
  ])("%s", async (query, objects) => expect(await objectsFor(query)).toEqual(objects));
});

test("a field that is not there yet is refused by name", async () => {
  const { body } = await api.get(`/v1/vouchers?${filter("redemption_status", "$is", "x")}`, 400);
  expect(body.details).toBe("Property .filters.redemption_status is not supported");
});

test("a query of more parameters than are read is refused, not cut", async () => {
  const { body } = await api.get(`/v1/vouchers?${"a&".repeat(5001)}`, 400);
  expect(body.details).toBe("Query must not have more than 5000 parameters");
});
