import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { shopsOf } from "../qualification.fixtures.js";

const aShop = shopsOf(await startService());
type Shop = Awaited<ReturnType<typeof aShop>>;

const order = { amount: 10_000 };
const vouchers = async ({ api }: Shop, query = "", body: object = { order }) =>
  (await api.post(`/v1/vouchers/qualification${query}`, body, 200)).body;
const codes = async (shop: Shop, query = "", body?: object): Promise<string[]> =>
  (await vouchers(shop, query, body)).data.map(({ code }: { code: string }) => code);
const campaigns = async ({ api }: Shop, query = "", body: object = { order }): Promise<string[]> =>
  (await api.post(`/v1/campaigns/qualification${query}`, body, 200)).body.data.map(({ id }: { id: string }) => id);

describe("POST /v1/vouchers/qualification", () => {
  test("lists codes without a campaign that qualify, in full", async () => {
    const shop = await aShop();
    const code = await shop.code();
    await shop.code({}, { active: false });
    await shop.generic();
    await shop.codeOf(await shop.campaign());
    await shop.tiers([{ amount_off: 1 }]);
    const body = await vouchers(shop, "", { order, customer: { source_id: "ann" } });
    expect(body).toMatchObject({
      object: "list",
      data_ref: "data",
      total: 1,
      tracking_id: expect.stringMatching(/^track_/),
      data: [{ code, object: "voucher", applicable_to: { data: [] }, inapplicable_to: { data: [] } }],
    });
  });

  test.each([
    ["", [2, 1, 0]],
    ["?order=-created_at", [2, 1, 0]],
    ["?order=created_at", [0, 1, 2]],
    ["?order=updated_at", [1, 2, 0]],
    ["?order=-updated_at", [0, 2, 1]],
    ["?order=code", [1, 0, 2]],
    ["?order=-code", [2, 0, 1]],
    ["?limit=2", [2, 1]],
    ["?limit=2&order=code", [1, 0]],
  ])("in the order and number asked for: %s", async (query, expected) => {
    const shop = await aShop();
    const made: string[] = [];
    for (const code of ["MIDDLE", "FIRST", "ZULU"]) made.push(await shop.code({}, { code }));
    await shop.code({}, { code: "OFF", active: false });
    await shop.edit("/v1/vouchers/MIDDLE", { metadata: { edited: true } });
    expect((await codes(shop, query)).map((code) => made.indexOf(code))).toEqual(expected);
  });

  test("audienceRulesOnly looks at rules about the customer alone", async () => {
    const shop = await aShop();
    const large = shop.leaf("order.initial_amount", { $more_than: [1_000_000] });
    const code = await shop.code({}, { validation_rules: [await shop.rule({ "1": large, logic: "1" })] });
    expect(await codes(shop)).toEqual([]);
    expect(await codes(shop, "?audienceRulesOnly=false")).toEqual([]);
    expect(await codes(shop, "?audienceRulesOnly=true")).toEqual([code]);
  });

  test.each(["limit=0", "limit=51", "order=size", "audienceRulesOnly=maybe"])(
    "refuses %s by its name",
    async (query) => {
      const { api } = await aShop();
      for (const what of ["vouchers", "campaigns"]) {
        const { body } = await api.post(`/v1/${what}/qualification?${query}`, {}, 400);
        expect(body.details).toContain(query.split("=")[0]);
      }
    },
  );
});

describe("POST /v1/campaigns/qualification", () => {
  test("lists campaigns whose codes would qualify: discounts and gifts, whose codes are given out one by one", async () => {
    const shop = await aShop();
    const discounts = await shop.campaign();
    const voucher = { type: "GIFT_VOUCHER", gift: { amount: 500 } };
    const gifts = await shop.campaign({ campaign_type: "GIFT_VOUCHERS", voucher });
    await shop.campaign({ type: "STANDALONE" });
    const large = shop.leaf("order.initial_amount", { $more_than: [1_000_000] });
    await shop.campaign({ validation_rules: [await shop.rule({ "1": large, logic: "1" })] });
    await shop.tiers([{ amount_off: 1 }]);
    await shop.member(10);
    expect(await campaigns(shop)).toEqual([gifts, discounts]);
  });

  test.each([
    ["", [2, 1, 0]],
    ["?order=created_at", [0, 1, 2]],
    ["?order=updated_at", [1, 2, 0]],
    ["?order=campaign", [1, 0, 2]],
    ["?order=-campaign", [2, 0, 1]],
    ["?order=-type", [2, 1, 0]],
    ["?order=category", [1, 0, 2]],
    ["?limit=1", [2]],
  ])("in the order and number asked for: %s", async (query, expected) => {
    const shop = await aShop();
    const category_id = (await shop.api.post("/v1/categories", { name: "Shoes", hierarchy: 1 }, 200)).body.id;
    const voucher = { type: "GIFT_VOUCHER", gift: { amount: 500 } };
    const made = [
      await shop.campaign({ name: "middle" }),
      await shop.campaign({ name: "first", category_id }),
      await shop.campaign({ name: "zulu", campaign_type: "GIFT_VOUCHERS", voucher }),
    ];
    await shop.edit(`/v1/campaigns/${made[0]}`, { metadata: { edited: true } });
    expect((await campaigns(shop, query)).map((id) => made.indexOf(id))).toEqual(expected);
  });

  test("has no code to order by", async () => {
    const { api } = await aShop();
    const { body } = await api.post("/v1/campaigns/qualification?order=code", {}, 400);
    expect(body).toMatchObject({ key: "invalid_query_params", details: expect.stringContaining(".order") });
  });
});
