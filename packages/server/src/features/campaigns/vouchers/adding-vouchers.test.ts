import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";

const { api, project, context } = await startService();

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
