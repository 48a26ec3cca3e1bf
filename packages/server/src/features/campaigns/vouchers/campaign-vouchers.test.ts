import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { createRunner } from "../../async-actions/index.js";
import { campaignJobs } from "../campaign.jobs.js";

const { api, clock, project, context } = await startService();

const runner = createRunner(context, campaignJobs, { project_ids: [project.id] });

/** Edits a campaign, and does what that has set going. */
async function edit(name: string, change: Record<string, unknown>) {
  const { body } = await api.put(`/v1/campaigns/${name}`, change, 200);
  await runner.runDue(clock.now());
  return body;
}

const ten_off = { type: "AMOUNT", amount_off: 1000 };

async function campaignWith(name: string, voucher_codes: string[], more: Record<string, unknown> = {}) {
  const voucher = more.voucher ?? { discount: ten_off };
  const { body } = await api.post("/v1/campaigns", { name, ...more, voucher }, 200);
  for (const code of voucher_codes) await api.post(`/v1/campaigns/${name}/vouchers/${code}`, {}, 200);
  clock.advance({ minutes: 1 });
  return body;
}

/** What a publication and a redemption leave behind; both come with features of their own. */
async function markPublished(code: string) {
  await context.db.run(sql`
    update vouchers set publish_count = 1 where vouchers.project_id = ${project.id} and vouchers.code = ${code}`);
}
async function markRedeemed(code: string) {
  await context.db.run(sql`
    insert into voucher_usage (project_id, voucher_id, quantity, redeemed_quantity)
    select vouchers.project_id, vouchers.id, vouchers.quantity, 1 from vouchers
     where vouchers.project_id = ${project.id} and vouchers.code = ${code}`);
}

describe("an edit of a campaign", () => {
  test("reaches the vouchers that were neither published nor redeemed; metadata reaches all", async () => {
    await campaignWith("Follow", ["FRESH", "PUBLISHED", "REDEEMED"], {
      use_voucher_metadata_schema: true,
      expiration_date: "2026-06-01",
      metadata: { a: 1 },
    });
    await markPublished("PUBLISHED");
    await markRedeemed("REDEEMED");
    const change = {
      expiration_date: "2026-07-01",
      discount: { type: "AMOUNT", amount_off: 5 },
      category: "New",
      metadata: { b: 2 },
    };
    await edit("Follow", change);
    const shown = async (code: string) => (await api.get(`/v1/vouchers/${code}`, 200)).body;
    expect(await shown("FRESH")).toMatchObject({
      expiration_date: "2026-07-01T00:00:00.000Z",
      discount: { amount_off: 5 },
      category: "New",
      metadata: { a: 1, b: 2 },
    });
    for (const code of ["PUBLISHED", "REDEEMED"]) {
      expect(await shown(code)).toMatchObject({
        expiration_date: "2026-06-01T00:00:00.000Z",
        discount: ten_off,
        category: null,
        metadata: { a: 1, b: 2 },
      });
    }
  });

  test("leaves alone what it does not name, and every voucher when it changes nothing of theirs", async () => {
    await campaignWith("Keep", ["KEEP"]);
    await api.put("/v1/vouchers/KEEP", { category: "Own" }, 200);
    const before = (await api.get("/v1/vouchers/KEEP", 200)).body;
    await edit("Keep", { description: "x", metadata: { m: 1 }, join_once: true });
    expect((await api.get("/v1/vouchers/KEEP", 200)).body).toEqual(before);
    await edit("Keep", { validity_day_of_week: [2] });
    const { body } = await api.get("/v1/vouchers/KEEP", 200);
    expect(body).toMatchObject({ category: "Own", validity_day_of_week: [2], discount: ten_off });
  });

  test("of one date leaves the days, hours and other dates that a voucher has of its own", async () => {
    await campaignWith("Dates", []);
    const daily = [{ start_time: "03:00", expiration_time: "03:01" }];
    const own = {
      XMAS: { start_date: "2040-12-24T00:00:00.000Z" },
      MONDAYS: { validity_day_of_week: [1] },
      NIGHTLY: { validity_hours: { daily } },
    };
    for (const [code, fields] of Object.entries(own)) {
      await api.post(`/v1/campaigns/Dates/vouchers/${code}`, fields, 200);
    }
    clock.advance({ minutes: 1 });
    await edit("Dates", { expiration_date: "2041-01-01" });
    const shown = async (code: string) => (await api.get(`/v1/vouchers/${code}`, 200)).body;
    for (const [code, fields] of Object.entries(own)) {
      expect(await shown(code)).toMatchObject({ ...fields, expiration_date: "2041-01-01T00:00:00.000Z" });
    }
    // Days and hours cannot stand on one voucher.
    await edit("Dates", { validity_day_of_week: [2] });
    expect(await shown("NIGHTLY")).toMatchObject({ validity_day_of_week: [2] });
    expect(await shown("NIGHTLY")).not.toHaveProperty("validity_hours");
    await edit("Dates", { validity_day_of_week: null, validity_hours: { daily } });
    expect(await shown("MONDAYS")).toMatchObject({ validity_day_of_week: null, validity_hours: { daily } });
  });

  test("gives unused gift cards the new amount, and later ones too", async () => {
    await campaignWith("Gifts", ["G1", "G2"], { voucher: { gift: { amount: 500 } } });
    await markPublished("G2");
    await edit("Gifts", { gift: { amount: 700 } });
    const amounts = await Promise.all(
      ["G1", "G2"].map(async (code) => (await api.get(`/v1/vouchers/${code}`, 200)).body.gift.balance),
    );
    expect(amounts).toEqual([700, 500]);
    expect((await api.post("/v1/campaigns/Gifts/vouchers/G3", {}, 200)).body.gift).toMatchObject({
      amount: 700,
      effect: "APPLY_TO_ORDER",
    });
  });

  test("is MODIFYING until its vouchers have followed, and then told of once", async () => {
    const { id } = await campaignWith("Status", ["STATUS"]);
    const { body } = await api.put("/v1/campaigns/Status", { expiration_date: "2027-01-01" }, 200);
    expect(body).toMatchObject({ creation_status: "MODIFYING", vouchers_generation_status: "MODIFYING" });
    expect(body.async_action_id).toMatch(/^aa_/);
    await runner.runDue(clock.now());
    const settled = (await api.get("/v1/campaigns/Status", 200)).body;
    expect(settled).toMatchObject({ creation_status: "DONE", vouchers_generation_status: "DONE" });
    const told = await context.db.many(sql`
      select events.data from events
       where events.project_id = ${project.id} and events.entity_id = ${id} and events.type = 'campaign.updated'`);
    expect(told).toMatchObject([{ data: { campaign: { creation_status: "DONE" } } }]);
  });

  test("of a campaign without vouchers has nothing to set going", async () => {
    await campaignWith("Empty", []);
    const body = await edit("Empty", { expiration_date: "2027-01-01" });
    expect(body).toMatchObject({ creation_status: "DONE", expiration_date: "2027-01-01T00:00:00.000Z" });
    expect(body).not.toHaveProperty("async_action_id");
  });

  test("by a dozen parallel requests leaves campaign and voucher with the same dates", async () => {
    await campaignWith("Together", ["TOGETHER"]);
    const days = Array.from({ length: 12 }, (_, i) => `2027-01-${i + 10}`);
    await Promise.all(days.map((expiration_date) => api.put("/v1/campaigns/Together", { expiration_date }, 200)));
    await runner.runDue(clock.now());
    const campaign = (await api.get("/v1/campaigns/Together", 200)).body;
    expect(campaign).toMatchObject({ creation_status: "DONE", vouchers_generation_status: "DONE" });
    expect((await api.get("/v1/vouchers/TOGETHER", 200)).body.expiration_date).toBe(campaign.expiration_date);
  });
});
