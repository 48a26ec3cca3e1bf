import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/sql.js";
import { createRunner } from "../async-actions/index.js";
import { campaignJobs } from "./campaign.jobs.js";

const { api, clock, project, context, anotherProject } = await startService();

const runner = createRunner(context, campaignJobs, { project_ids: [project.id] });
/** Does what requests have set going. */
const settle = () => runner.runDue(clock.now());

const ten_off = { type: "AMOUNT", amount_off: 1000 };
const coupons = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  campaign_type: "DISCOUNT_COUPONS",
  voucher: { type: "DISCOUNT_VOUCHER", discount: ten_off },
  ...more,
});
const vouchersOf = async (campaign: string) =>
  (await api.get(`/v1/vouchers?campaign=${campaign}&limit=100`, 200)).body.vouchers;
const eventsOf = async (entity_id: string) => {
  const events = await context.db.many<{ type: string }>(sql`
    select events.type from events
     where events.project_id = ${project.id} and events.entity_id = ${entity_id}
     order by events.id`);
  return events.map(({ type }) => type);
};

describe("a new campaign", () => {
  test("shows what was sent, the rest filled in, and unset dates left out", async () => {
    const { body } = await api.post("/v1/campaigns", coupons("Plain", { metadata: { a: 1 } }), 200);
    const { id, ...rest } = body;
    expect(id).toMatch(/^camp_/);
    expect(rest).toEqual({
      name: "Plain",
      campaign_type: "DISCOUNT_COUPONS",
      type: "AUTO_UPDATE",
      voucher: {
        type: "DISCOUNT_VOUCHER",
        discount: ten_off,
        redemption: { quantity: null },
        code_config: {
          length: 8,
          charset: "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
          pattern: "########",
        },
        is_referral_code: false,
      },
      vouchers_count: 0,
      auto_join: false,
      join_once: false,
      use_voucher_metadata_schema: false,
      active: true,
      protected: false,
      metadata: { a: 1 },
      category_id: null,
      categories: [],
      creation_status: "DONE",
      vouchers_generation_status: "DONE",
      validation_rules_assignments: { object: "list", data_ref: "data", data: [], total: 0 },
      created_at: "2026-03-02T10:00:00.000Z",
      object: "campaign",
    });
    for (const name of [id, "Plain"]) expect((await api.get(`/v1/campaigns/${name}`, 200)).body).toEqual(body);
  });

  test.each([
    [{ voucher: { discount: ten_off } }, "DISCOUNT_COUPONS"],
    [{ voucher: { type: "GIFT_VOUCHER", gift: { amount: 5000 } } }, "GIFT_VOUCHERS"],
    [{ promotion: { tiers: [] } }, "PROMOTION"],
  ])("that sends %j is a %s", async (sent, campaign_type) => {
    const { body } = await api.post("/v1/campaigns", { name: `told ${campaign_type}`, ...sent }, 200);
    expect(body.campaign_type).toBe(campaign_type);
  });

  test("has its name alone in the project, in the bin too", async () => {
    await api.post("/v1/campaigns", coupons("Alone"), 200);
    const { body } = await api.post("/v1/campaigns", coupons("Alone"), 409);
    expect(body).toMatchObject({
      key: "duplicate_found",
      details: "Duplicated campaign exists with name Alone",
      resource_id: "Alone",
      resource_type: "campaign",
    });
    await api.delete("/v1/campaigns/Alone", 202);
    await api.post("/v1/campaigns", coupons("Alone"), 409);
    await (await anotherProject()).api.post("/v1/campaigns", coupons("Alone"), 200);
  });

  test("is made once by 8 parallel requests with one name", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.post("/v1/campaigns", coupons("Rush", { vouchers_count: 1 }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect((await vouchersOf("Rush")).length).toBe(1);
  });

  test("counts its one voucher at once", async () => {
    const voucher = { gift: { amount: 5000 }, redemption: { quantity: 4 }, code_config: { prefix: "G-", length: 5 } };
    const dates = { start_date: "2026-03-01", expiration_date: "2026-12-01", validity_day_of_week: [1] };
    const sent = {
      name: "One",
      voucher,
      category: "Gifts",
      metadata: { a: 1 },
      use_voucher_metadata_schema: true,
      ...dates,
    };
    const { body } = await api.post("/v1/campaigns", { ...sent, vouchers_count: 1 }, 200);
    expect(body).toMatchObject({ vouchers_count: 1, creation_status: "DONE", category: "Gifts" });
    expect(body.voucher).toMatchObject({
      gift: { amount: 5000, balance: 5000, subtracted_amount: 0 },
      code_config: { prefix: "G-", length: 5, pattern: "#####" },
      start_date: "2026-03-01T00:00:00.000Z",
    });
    const [made] = await vouchersOf("One");
    expect(made).toMatchObject({
      campaign: "One",
      campaign_id: body.id,
      category: "Gifts",
      type: "GIFT_VOUCHER",
      gift: { amount: 5000, balance: 5000 },
      redemption: { quantity: 4 },
      start_date: "2026-03-01T00:00:00.000Z",
      expiration_date: "2026-12-01T00:00:00.000Z",
      validity_day_of_week: [1],
      metadata: { a: 1 },
    });
    expect(made.code).toMatch(/^G-[0-9A-Za-z]{5}$/);
    expect(await eventsOf(body.id)).toEqual(["campaign.created"]);
    expect(await eventsOf(made.id)).toEqual(["voucher.created"]);
  });

  test.each([
    [{}, "invalid_campaign", /campaign_type/],
    [{ name: 7 }, "invalid_payload", /\.name must be string/],
    [{ name: "" }, "invalid_payload", /\.name/],
    [{ name: "x".repeat(9000) }, "invalid_payload", /\.name/],
    [{ campaign_type: "GIVEAWAYS" }, "invalid_payload", /\.campaign_type/],
    [{ campaign_type: "DISCOUNT_COUPONS" }, "invalid_campaign", /discount/],
    [{ campaign_type: "DISCOUNT_COUPONS", voucher: { gift: { amount: 1 } } }, "invalid_campaign", /GIFT_VOUCHER/],
    [{ campaign_type: "GIFT_VOUCHERS", voucher: { type: "GIFT_VOUCHER" } }, "invalid_campaign", /gift\.amount/],
    [{ campaign_type: "REFERRAL_PROGRAM", voucher: {} }, "invalid_campaign", /'discount' is required/],
    [{ campaign_type: "REFERRAL_PROGRAM", voucher: { discount: ten_off } }, "invalid_campaign", /not offered/],
    [{ voucher: { discount: ten_off, is_referral_code: true } }, "invalid_campaign", /not offered/],
    [{ voucher: { loyalty_card: { points: 5 } } }, "invalid_campaign", /not offered/],
    [{ voucher: { discount: { type: "AMOUNT" } } }, "invalid_payload", /\.voucher\.discount\.amount_off/],
    [{ voucher: { discount: ten_off, redemption: { quantity: 0 } } }, "invalid_campaign", /quantity/],
    [{ voucher: { discount: ten_off }, vouchers_count: -1 }, "invalid_payload", /\.vouchers_count/],
    [{ voucher: { discount: ten_off }, vouchers_count: 1.5 }, "invalid_payload", /\.vouchers_count/],
    [{ voucher: { discount: ten_off }, vouchers_count: 1_000_001 }, "invalid_payload", /\.vouchers_count/],
    [
      { voucher: { discount: ten_off, code_config: { charset: "AB", pattern: "S-##" } }, vouchers_count: 5 },
      "invalid_code_config",
      /only 4/,
    ],
    [
      { voucher: { discount: ten_off, code_config: { pattern: "ONE" } }, vouchers_count: 2 },
      "invalid_code_config",
      /only 1/,
    ],
    [{ voucher: { discount: ten_off }, activity_duration_after_publishing: "soon" }, "invalid_payload", /duration/],
    [
      { voucher: { discount: ten_off }, validity_timeframe: { duration: "PT1H", interval: "P1D" } },
      "invalid_campaign",
      /start_date/,
    ],
    [
      { promotion: { tiers: [{ name: "t", action: { discount: { type: "AMOUNT" } } }] } },
      "invalid_payload",
      /\.promotion\.tiers\[0\]\.action\.discount\.amount_off/,
    ],
    [{ promotion: { tiers: [{ name: "t" }] } }, "invalid_payload", /tiers\[0\] should have required property 'action'/],
  ])("%j is refused: %s", async (sent, key, details) => {
    const { body } = await api.post("/v1/campaigns", { name: "Refused", ...sent }, 400);
    expect(body).toMatchObject({ code: 400, key });
    expect(body.details).toMatch(details);
    await api.get("/v1/campaigns/Refused", 404);
  });
});

describe("a promotion", () => {
  test("lists its tiers in the order sent, ranked 1, 2, … unless they say otherwise", async () => {
    const tier = (name: string, more = {}) => ({ name, action: { discount: ten_off }, ...more });
    const tiers = [
      tier("a", { banner: "Save", category: "T" }),
      tier("b", { active: false, validity_day_of_week: [0, 6] }),
      tier("c", { hierarchy: 9, metadata: { x: 1 } }),
    ];
    const { body } = await api.post(
      "/v1/campaigns",
      { name: "Promo", campaign_type: "PROMOTION", promotion: { tiers } },
      200,
    );
    expect(body).toMatchObject({ type: "STATIC", creation_status: "DONE" });
    expect(body).not.toHaveProperty("vouchers_count");
    expect(body).not.toHaveProperty("voucher");
    expect(body.promotion).toMatchObject({ object: "list", data_ref: "tiers", total: 3, has_more: false });
    const [a, b, c] = body.promotion.tiers;
    expect(a).toMatchObject({
      name: "a",
      banner: "Save",
      hierarchy: 1,
      active: true,
      promotion_id: body.id,
      object: "promotion_tier",
    });
    expect(a.categories).toMatchObject([{ name: "T" }]);
    expect(a.campaign).toEqual({ id: body.id, active: true, object: "campaign" });
    expect(a.summary).toEqual({
      redemptions: { total_redeemed: 0 },
      orders: { total_amount: 0, total_discount_amount: 0 },
    });
    expect(b).toMatchObject({ hierarchy: 2, active: false, validity_day_of_week: [0, 6] });
    expect(c).toMatchObject({ hierarchy: 9, metadata: { x: 1 } });
    expect((await api.get("/v1/campaigns/Promo", 200)).body).toEqual(body);
    const refused = await api.post("/v1/campaigns/Promo/vouchers", {}, 400);
    expect(refused.body.key).toBe("invalid_campaign");
    expect((await api.post("/v1/vouchers", { campaign: "Promo", discount: ten_off }, 400)).body.key).toBe(
      "invalid_campaign",
    );
  });

  test.each([[{}], [{ promotion: null }], [{ promotion: {} }], [{ promotion: { tiers: [] } }]])(
    "may begin without tiers: %j",
    async (sent) => {
      const { body } = await api.post(
        "/v1/campaigns",
        { name: `empty ${JSON.stringify(sent)}`, campaign_type: "PROMOTION", ...sent },
        200,
      );
      expect(body.promotion.tiers).toEqual([]);
    },
  );
});

describe("adding a voucher", () => {
  test("takes from the campaign what the body does not say", async () => {
    const { body: campaign } = await api.post(
      "/v1/campaigns",
      coupons("Add", { expiration_date: "2026-12-01", category: "C1" }),
      200,
    );
    const plain = await api.post("/v1/campaigns/Add/vouchers", undefined, 200);
    expect(plain.body).toMatchObject({ campaign_id: campaign.id, discount: ten_off, active: true, category: "C1" });
    const own = {
      code: "ADDED",
      expiration_date: "2027-01-01",
      redemption: { quantity: 2 },
      metadata: { m: 1 },
      category: "C2",
      active: false,
    };
    const { body } = await api.post(`/v1/campaigns/${campaign.id}/vouchers?vouchers_count=1`, own, 200);
    expect(body).toMatchObject({
      code: "ADDED",
      expiration_date: "2027-01-01T00:00:00.000Z",
      active: true,
      category: "C2",
      metadata: { m: 1 },
    });
    const styled = await api.post("/v1/campaigns/Add/vouchers", { code_config: { length: 3, prefix: "Z" } }, 200);
    expect(styled.body.code).toMatch(/^Z[0-9A-Za-z]{3}$/);
    await api.post("/v1/campaigns/Add/vouchers/NAMED", {}, 200);
    await api.post("/v1/campaigns/Add/vouchers/NAMED", {}, 409);
    expect((await api.get("/v1/campaigns/Add", 200)).body.vouchers_count).toBe(4);
    expect(await eventsOf(campaign.id)).toEqual([
      "campaign.created",
      ...Array.from({ length: 4 }, () => "campaign.vouchers.added"),
    ]);
  });

  test("counts right when 24 requests add at once and some are deleted", async () => {
    await api.post("/v1/campaigns", coupons("Crowd"), 200);
    const added = await Promise.all(
      Array.from({ length: 24 }, () => api.post("/v1/campaigns/Crowd/vouchers", {}, 200)),
    );
    await Promise.all(
      added.slice(0, 6).map(({ body }, i) => api.delete(`/v1/vouchers/${body.code}?force=${i % 2 === 0}`, 204)),
    );
    expect((await api.get("/v1/campaigns/Crowd", 200)).body.vouchers_count).toBe(18);
    expect((await vouchersOf("Crowd")).length).toBe(18);
  });

  test.each(["vouchers_count=0", "vouchers_count=-1", "vouchers_count=x", "vouchers_count=1000001"])(
    "refuses %s",
    async (query) => {
      await api.post(`/v1/campaigns/Add/vouchers?${query}`, {}, 400);
    },
  );

  test("is refused for an unknown campaign, and by a standalone one", async () => {
    expect((await api.post("/v1/campaigns/nobody/vouchers", {}, 404)).body).toMatchObject({
      resource_type: "campaign",
      resource_id: "nobody",
    });
    await api.post("/v1/campaigns", coupons("Solo", { type: "STANDALONE", join_once: true, vouchers_count: 5 }), 200);
    expect((await api.get("/v1/campaigns/Solo", 200)).body).toMatchObject({
      join_once: false,
      vouchers_count: 0,
      creation_status: "DONE",
    });
    expect((await api.post("/v1/campaigns/Solo/vouchers", {}, 400)).body.details).toMatch(/STANDALONE/);
  });

  test("through POST /v1/vouchers joins a campaign; a standalone one takes one named code", async () => {
    const campaign = "Solo";
    expect((await api.post("/v1/vouchers", { campaign }, 400)).body.key).toBe("invalid_campaign");
    const answers = await Promise.all(["S1", "S2", "S3"].map((code) => api.post(`/v1/vouchers/${code}`, { campaign })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const { body } = await api.post(
      "/v1/vouchers/JOINED",
      { campaign: "Add", discount: { type: "AMOUNT", amount_off: 7 } },
      200,
    );
    expect(body).toMatchObject({
      campaign: "Add",
      discount: { amount_off: 7 },
      expiration_date: "2026-12-01T00:00:00.000Z",
    });
    expect((await api.post("/v1/vouchers", { campaign: "Add", gift: { amount: 7 } }, 400)).body.key).toBe(
      "invalid_voucher",
    );
  });
});

describe("a campaign that is changed", () => {
  test("changes what is sent, clears what is null, and passes over the rest", async () => {
    const made = await api.post(
      "/v1/campaigns",
      coupons("Edit", { start_date: "2026-03-01", description: "d", metadata: { a: 1, b: 2 }, category: "C1" }),
      200,
    );
    clock.advance({ minutes: 1 });
    const sent = {
      start_date: null,
      description: "e",
      metadata: { b: null, c: 3 },
      unset_metadata_fields: ["a"],
      category: null,
      name: "Other",
      vouchers_count: 9,
      type: "STATIC",
      join_once: true,
    };
    const { body } = await api.put("/v1/campaigns/Edit", sent, 200);
    expect(body).toMatchObject({
      name: "Edit",
      description: "e",
      metadata: { b: null, c: 3 },
      category_id: null,
      type: "STATIC",
      join_once: true,
      vouchers_count: 0,
    });
    expect(body.metadata).not.toHaveProperty("a");
    expect(body).not.toHaveProperty("start_date");
    expect(body.voucher).not.toHaveProperty("start_date");
    expect(body.updated_at > made.body.created_at).toBe(true);
    expect((await api.get("/v1/campaigns/Edit", 200)).body).toMatchObject({ ...body });
    expect((await eventsOf(body.id)).at(-1)).toBe("campaign.updated");
    await api.put("/v1/campaigns/nobody", {}, 404);
  });

  test.each([
    [{ type: "STANDALONE" }, /type/],
    [{ discount: { type: "PERCENT", percent_off: 5 } }, /discount type/],
    [{ validity_timeframe: { duration: "PT1H", interval: "P1D" } }, /start_date/],
  ])("is not changed by %j", async (sent, details) => {
    const { body } = await api.put("/v1/campaigns/Edit", sent, 400);
    expect(body.key).toBe("invalid_campaign");
    expect(body.details).toMatch(details);
  });

  test("is switched off and on; the second time nothing happens", async () => {
    const { body } = await api.post("/v1/campaigns", coupons("Switch"), 200);
    for (const action of ["disable", "disable", "enable", "enable"]) {
      expect((await api.post(`/v1/campaigns/Switch/${action}`, {}, 200)).body).toEqual({});
    }
    expect((await api.get("/v1/campaigns/Switch", 200)).body.active).toBe(true);
    expect(await eventsOf(body.id)).toEqual(["campaign.created", "campaign.disabled", "campaign.enabled"]);
    expect((await api.post("/v1/campaigns/nobody/disable", undefined, 404)).body.resource_type).toBe("campaign");
  });
});

describe("the list of campaigns", () => {
  test("is newest first, filtered, and shows categories when asked to", async () => {
    const { api } = await anotherProject();
    for (const name of ["L1", "L2", "L3"]) {
      clock.advance({ minutes: 1 });
      await api.post("/v1/campaigns", coupons(name, { category: "C", vouchers_count: 1 }), 200);
    }
    await api.post("/v1/campaigns", { name: "L4", promotion: {} }, 200);
    const named = async (query: string) =>
      (await api.get(`/v1/campaigns?${query}`, 200)).body.campaigns.map(({ name }: { name: string }) => name);
    expect(await named("limit=2&campaign_type=DISCOUNT_COUPONS")).toEqual(["L3", "L2"]);
    expect(await named("campaign_type=PROMOTION")).toEqual(["L4"]);
    expect(await named("campaign_type=DISCOUNT_COUPONS&order=created_at")).toEqual(["L1", "L2", "L3"]);
    expect(await named("campaign_status=FAILED")).toEqual([]);
    expect(await named("is_referral_code=true")).toEqual([]);
    const { body } = await api.get("/v1/campaigns?campaign_type=DISCOUNT_COUPONS", 200);
    expect(body).toMatchObject({ object: "list", data_ref: "campaigns", total: 3 });
    expect(body.campaigns[0]).toMatchObject({ category: "C", categories: [], vouchers_count: 1 });
    const expanded = await api.get("/v1/campaigns?expand=category&campaign_type=DISCOUNT_COUPONS", 200);
    expect(expanded.body.campaigns[0].categories).toMatchObject([{ name: "C", object: "category" }]);
    for (const query of ["limit=0", "page=101", "order=name", "campaign_type=X"])
      await api.get(`/v1/campaigns?${query}`, 400);
  });
});

describe("a deleted campaign", () => {
  test("takes its vouchers along; in the bin their codes stay taken", async () => {
    const { id } = (await api.post("/v1/campaigns", coupons("Gone"), 200)).body;
    await api.post("/v1/campaigns/Gone/vouchers/GONE", {}, 200);
    const { body } = await api.delete("/v1/campaigns/Gone", 202);
    expect(body.async_action_id).toMatch(/^aa_/);
    await api.get("/v1/campaigns/Gone", 404);
    await settle();
    await api.get("/v1/vouchers/GONE", 404);
    await api.post("/v1/vouchers/GONE", { discount: ten_off }, 409);
    for (const force of ["", "?force=true"]) await api.delete(`/v1/campaigns/Gone${force}`, 404);
    const told = (await eventsOf(id)).at(-1);
    expect(told).toBe("campaign.deleted");
  });

  test("gives name and codes back when it is deleted for good", async () => {
    const tiers = [{ name: "t", action: { discount: ten_off } }];
    for (let i = 0; i < 2; i += 1) {
      await api.post("/v1/campaigns", coupons("Twice"), 200);
      await api.post("/v1/campaigns/Twice/vouchers/TWICE", {}, 200);
      await api.post("/v1/campaigns/Twice/vouchers/TWICE-BIN", {}, 200);
      await api.delete("/v1/vouchers/TWICE-BIN", 204);
      await api.delete("/v1/campaigns/Twice?force=true", 202);
      await api.post("/v1/campaigns", { name: "Tiers", promotion: { tiers } }, 200);
      await api.delete("/v1/campaigns/Tiers?force=true", 202);
      await settle();
    }
  });

  test("leaves no voucher behind that was added at the same time", async () => {
    await api.post("/v1/campaigns", coupons("Leaving"), 200);
    const adding = Array.from({ length: 12 }, (_, i) => api.post(`/v1/campaigns/Leaving/vouchers/LEFT-${i}`, {}));
    const [removed, ...added] = await Promise.all([api.delete("/v1/campaigns/Leaving?force=true"), ...adding]);
    expect(removed.status).toBe(202);
    for (const { status } of added) expect([200, 404]).toContain(status);
    await settle();
    for (let i = 0; i < 12; i += 1) await api.get(`/v1/vouchers/LEFT-${i}`, 404);
  });
});

test("another project's campaign is unreachable by name and by id", async () => {
  const { body } = await api.post("/v1/campaigns", coupons("Private"), 200);
  const other = await anotherProject();
  for (const name of ["Private", body.id]) {
    await other.api.get(`/v1/campaigns/${name}`, 404);
    await other.api.put(`/v1/campaigns/${name}`, { description: "x" }, 404);
    await other.api.post(`/v1/campaigns/${name}/disable`, {}, 404);
    await other.api.post(`/v1/campaigns/${name}/vouchers`, {}, 404);
    await other.api.post(`/v1/campaigns/${name}/vouchers?vouchers_count=3`, {}, 404);
    await other.api.post("/v1/vouchers", { campaign: name, campaign_id: name, discount: ten_off }, 404);
    await other.api.delete(`/v1/campaigns/${name}?force=true`, 404);
  }
  expect((await api.get("/v1/campaigns/Private", 200)).body).toEqual(body);
});
