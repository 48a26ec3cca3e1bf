import { describe, expect, test } from "vitest";
import { importsOn } from "../../src/features/imports/import.fixtures.js";
import { aName } from "../../src/features/loyalties/loyalty.fixtures.js";
import { startService } from "../harness/service.js";
import { listeningOn, told } from "./told.fixtures.js";

const service = await startService();
const { api } = service;
const { post, put } = api;
const { send } = importsOn(service);
const { toldOf } = listeningOn(service);

const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
const ten_percent = { discount: { type: "PERCENT", percent_off: 10 } };
const aCode = () => aName("C").replace(" ", "-");
const sent = (fields: object = {}) => ({
  name: aName("Campaign"),
  campaign_type: "DISCOUNT_COUPONS",
  voucher,
  ...fields,
});
const aCampaign = async (fields: object = {}) =>
  (await post("/v1/campaigns", sent(fields), 200)).body as { id: string; name: string };
const aPromotion = async (tiers: object[] = [{ name: "One", action: ten_percent }]) => {
  const fields = { campaign_type: "PROMOTION", voucher: undefined, promotion: { tiers } };
  const { id, promotion } = (await post("/v1/campaigns", sent(fields), 200)).body;
  return { id: id as string, tier_id: promotion.tiers[0].id as string };
};
const aRule = async () =>
  (await post("/v1/validation-rules", { name: aName("rule"), rules: {} }, 200)).body.id as string;

describe("a campaign that is made", () => {
  test("without vouchers is told alone", async () => {
    expect(await toldOf(() => aCampaign())).toEqual(["campaign.created"]);
  });

  test("with one voucher is told with it", async () => {
    expect(await toldOf(() => aCampaign({ vouchers_count: 1 }))).toEqual(["campaign.created", "voucher.created"]);
  });

  test("with several is told with their generation, and with none of them", async () => {
    expect(await toldOf(() => aCampaign({ vouchers_count: 3 }))).toEqual(
      told("campaign.created", ["campaign.vouchers.generation", "started", "completed"]),
    );
  });

  test("with more than there are codes for is told to have failed", async () => {
    const begins = aCode();
    const of_two = { ...voucher, code_config: { charset: "AB", pattern: `${begins}-#` } };
    for (const letter of ["A", "B"]) await post(`/v1/vouchers/${begins}-${letter}`, voucher, 200);
    expect(await toldOf(() => aCampaign({ voucher: of_two, vouchers_count: 2 }))).toEqual(
      told("campaign.created", ["campaign.vouchers.generation", "started", "failed"]),
    );
  });

  test("with rules is told with each assignment of them, its tiers' too", async () => {
    const validation_rules = [await aRule()];
    expect(await toldOf(() => aCampaign({ validation_rules }))).toEqual(
      told("business_validation_rule.assignment.created", "campaign.created"),
    );
    const tiers = [
      { name: "One", action: ten_percent, validation_rules },
      { name: "Two", action: ten_percent },
    ];
    expect(await toldOf(() => aPromotion(tiers))).toEqual(
      told(
        "business_validation_rule.assignment.created",
        "campaign.created",
        ...Array.from({ length: 2 }, () => "campaign.promotion_tier.created"),
      ),
    );
  });

  test("and refused is told to nobody", async () => {
    const { name } = await aCampaign();
    expect(await toldOf(() => post("/v1/campaigns", sent({ name }), 409))).toEqual([]);
    expect(await toldOf(() => post("/v1/campaigns", sent({ voucher: {} }), 400))).toEqual([]);
  });
});

describe("a campaign that is there", () => {
  test("is told to have changed once, when its vouchers have followed", async () => {
    const { id } = await aCampaign({ vouchers_count: 3 });
    const change = (fields: object) => () => put(`/v1/campaigns/${id}`, fields, 200);
    expect(await toldOf(change({ description: "Better" }))).toEqual(["campaign.updated"]);
    expect(await toldOf(change({ expiration_date: "2027-01-01T00:00:00Z" }))).toEqual(["campaign.updated"]);
  });

  test("is told to be switched off and on, and nothing where it was so before", async () => {
    const { id } = await aCampaign();
    const become = (state: string) => () => post(`/v1/campaigns/${id}/${state}`, undefined, 200);
    expect(await toldOf(become("disable"))).toEqual(["campaign.disabled"]);
    expect(await toldOf(become("disable"))).toEqual([]);
    expect(await toldOf(become("enable"))).toEqual(["campaign.enabled"]);
    expect(await toldOf(become("enable"))).toEqual([]);
  });

  test.each([true, false])("is told to be deleted, and none of its vouchers; for good: %s", async (force) => {
    const { id } = await aCampaign({ vouchers_count: 3 });
    expect(await toldOf(() => api.delete(`/v1/campaigns/${id}?force=${force}`, 202))).toEqual(["campaign.deleted"]);
  });

  test("that gets one voucher is told of both, by its code too", async () => {
    const { id } = await aCampaign();
    const both = told("campaign.vouchers.added", "voucher.created");
    expect(await toldOf(() => post(`/v1/campaigns/${id}/vouchers`, {}, 200))).toEqual(both);
    expect(await toldOf(() => post(`/v1/campaigns/${id}/vouchers/${aCode()}`, {}, 200))).toEqual(both);
  });

  test("that gets several is told of their generation", async () => {
    const { id } = await aCampaign();
    expect(await toldOf(() => post(`/v1/campaigns/${id}/vouchers?vouchers_count=2`, {}, 202))).toEqual(
      told(["campaign.vouchers.generation", "started", "completed"]),
    );
  });

  test("that gets those of a file is told that they were added, once", async () => {
    const { id } = await aCampaign();
    const [json, csv] = [`/v1/campaigns/${id}/import`, `/v1/campaigns/${id}/importCSV`];
    const codes = [aCode(), aCode()];
    const rows = codes.map((code) => ({ code }));
    expect(await toldOf(() => post(json, rows, 202))).toEqual(["campaign.vouchers.added"]);
    const file = `Code\n${aCode()}\n${aCode()}`;
    expect(await toldOf(() => send(api, csv, file, { status: 200 }))).toEqual(["campaign.vouchers.added"]);
  });
});

describe("a promotion", () => {
  test("is told of each change of its tiers", async () => {
    const { id } = await aPromotion();
    let tier = "";
    const add = async () => {
      tier = (await post(`/v1/promotions/${id}/tiers`, { name: "Two", action: ten_percent }, 200)).body.id;
    };
    expect(await toldOf(add)).toEqual(["campaign.promotion_tier.created"]);
    const path = `/v1/promotions/tiers/${tier}`;
    expect(await toldOf(() => put(path, { banner: "Two" }, 200))).toEqual(["campaign.promotion_tier.updated"]);
    expect(await toldOf(() => post(`${path}/disable`, undefined, 200))).toEqual(["campaign.promotion_tier.disabled"]);
    expect(await toldOf(() => post(`${path}/disable`, undefined, 200))).toEqual([]);
    expect(await toldOf(() => post(`${path}/enable`, undefined, 200))).toEqual(["campaign.promotion_tier.enabled"]);
    expect(await toldOf(() => api.delete(path, 204))).toEqual(["campaign.promotion_tier.deleted"]);
  });

  test("is told of its stacks, also where a tier leaves one", async () => {
    const { id, tier_id } = await aPromotion();
    const other = (await post(`/v1/promotions/${id}/tiers`, { name: "Two", action: ten_percent }, 200)).body.id;
    const stacks = `/v1/promotions/${id}/stacks`;
    let stack = "";
    const make = async () => {
      stack = (await post(stacks, { name: "All", tiers: { ids: [tier_id, other] } }, 200)).body.id;
    };
    expect(await toldOf(make)).toEqual(["campaign.promotion_stack.created"]);
    expect(await toldOf(() => put(`${stacks}/${stack}`, { name: "Both" }, 200))).toEqual([
      "campaign.promotion_stack.updated",
    ]);
    expect(await toldOf(() => api.delete(`/v1/promotions/tiers/${other}`, 204))).toEqual(
      told("campaign.promotion_stack.updated", "campaign.promotion_tier.deleted"),
    );
  });
});

describe("a validation rule", () => {
  test("is told to be made, changed and deleted", async () => {
    let id = "";
    const make = async () => {
      id = await aRule();
    };
    expect(await toldOf(make)).toEqual(["business_validation_rule.created"]);
    const path = `/v1/validation-rules/${id}`;
    expect(await toldOf(() => put(path, { name: aName("rule") }, 200))).toEqual(["business_validation_rule.updated"]);
    expect(await toldOf(() => api.delete(path, 204))).toEqual(["business_validation_rule.deleted"]);
  });

  test("is told to be assigned and no more, and a new one in the place of an old one as both", async () => {
    const [rule, other] = [await aRule(), await aRule()];
    const { id } = (await post("/v1/vouchers", voucher, 200)).body;
    const related = { related_object_type: "voucher", related_object_id: id };
    let assignment = "";
    const assign = (of: string, query: string) => async () => {
      assignment = (await post(`/v1/validation-rules/${of}/assignments${query}`, related, 200)).body.id;
    };
    const [made, gone] = ["created", "deleted"].map((end) => `business_validation_rule.assignment.${end}`);
    expect(await toldOf(assign(rule, ""))).toEqual([made]);
    expect(await toldOf(assign(other, "?force=true"))).toEqual([made, gone]);
    const path = `/v1/validation-rules/${other}/assignments/${assignment}`;
    expect(await toldOf(() => api.delete(path, 204))).toEqual([gone]);
  });
});
