import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
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
