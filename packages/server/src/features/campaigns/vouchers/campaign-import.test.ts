import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { importsOn } from "../../imports/import.fixtures.js";

const service = await startService();
const { api, project, context, clock } = service;
const { send, ended, pieces } = importsOn(service);

const discount = { type: "AMOUNT", amount_off: 100 };
const gift = { type: "GIFT_VOUCHER", gift: { amount: 5000, effect: "APPLY_TO_ITEMS" } };
let named = 0;
async function aCampaign(voucher: object = { discount }, more: object = {}) {
  named += 1;
  return (await api.post("/v1/campaigns", { name: `Campaign ${named}`, voucher, ...more }, 200)).body;
}
const voucher = async (code: string) => (await api.get(`/v1/vouchers/${code}`, 200)).body;
const imported = async ({ id }: { id: string }, text: string) =>
  ended(project, await send(api, `/v1/campaigns/${id}/importCSV`, text, { status: 200 }));
const countOf = async ({ id }: { id: string }) => (await api.get(`/v1/campaigns/${id}`, 200)).body.vouchers_count;

describe("a file of vouchers of a campaign", () => {
  test("gives each its own credit, category and metadata, and the campaign's where it says nothing", async () => {
    const campaign = await aCampaign(gift);
    const action = await imported(
      campaign,
      "Code,Active,Gift Amount,Category,Shop\nGA-1,TRUE,80,VIP,North\nGA-2,,,,\n,TRUE,10,,\n",
    );
    expect(action).toMatchObject({ type: "CAMPAIGN.VOUCHERS_IMPORT_CSV", operation_status: "SUCCESS" });
    expect(action.result).toEqual({
      message: "2 voucher(s) imported successfully, 1 failed.",
      failed: [{ code: "", row: 3, reason: "Code is required" }],
      done_count: 2,
      failed_count: 1,
    });
    expect(await voucher("GA-1")).toMatchObject({
      campaign_id: campaign.id,
      gift: { amount: 8000, balance: 8000, effect: "APPLY_TO_ITEMS" },
      category: "VIP",
      metadata: { Shop: "North" },
    });
    expect(await voucher("GA-2")).toMatchObject({ gift: { amount: 5000 }, active: true, category: null, metadata: {} });
    expect(await countOf(campaign)).toBe(2);
  });

  test("is told as vouchers that were added, once, and none of them by itself", async () => {
    const campaign = await aCampaign();
    await imported(campaign, "Code\nE-1\nE-2");
    await imported(campaign, "Code\nE-2");
    const events = await context.db.many<{ type: string; count: number | null }>(sql`
      select events.type, (events.data ->> 'count')::int as count from events
       where events.project_id = ${project.id} and events.entity_id = ${campaign.id} order by events.type`);
    expect(events.filter(({ type }) => type !== "campaign.created")).toEqual([
      { type: "campaign.vouchers.added", count: 2 },
    ]);
    const { id } = await voucher("E-1");
    const of_voucher = sql`select from events where events.project_id = ${project.id} and events.entity_id = ${id}`;
    expect(await context.db.many(of_voucher)).toEqual([]);
  });

  test("passes over what a standalone file says, none of which becomes metadata", async () => {
    const campaign = await aCampaign({ discount, redemption: { quantity: 2 } });
    const columns = "Code,Voucher Type,Value,Discount Type,Discount Effect,Redemption Limit,Additional Info";
    await imported(campaign, `${columns}\nS-1,GIFT_VOUCHER,99,PERCENT,APPLY_TO_ITEMS,7,note`);
    expect(await voucher("S-1")).toMatchObject({
      type: "DISCOUNT_VOUCHER",
      discount,
      redemption: { quantity: 2 },
      additional_info: null,
      metadata: {},
    });
  });

  test("brings points of its own to loyalty cards", async () => {
    const card = { type: "LOYALTY_CARD", loyalty_card: { points: 100 } };
    const campaign = await aCampaign(card, { campaign_type: "LOYALTY_PROGRAM" });
    await imported(campaign, "Code,Loyalty Points\nL-1,250\nL-2,\nL-3,many");
    expect(await voucher("L-1")).toMatchObject({ loyalty_card: { points: 250, balance: 250 } });
    expect(await voucher("L-2")).toMatchObject({ loyalty_card: { points: 100, balance: 100 } });
    await api.get("/v1/vouchers/L-3", 404);
  });

  test("copies the campaign's metadata to vouchers where that is asked for, key by key", async () => {
    const campaign = await aCampaign(undefined, { use_voucher_metadata_schema: true, metadata: { Shop: "All", a: 1 } });
    await imported(campaign, "Code,Shop\nCM-1,North\nCM-2,");
    expect((await voucher("CM-1")).metadata).toEqual({ Shop: "North", a: 1 });
    expect((await voucher("CM-2")).metadata).toEqual({ Shop: "All", a: 1 });
  });

  test("starts vouchers of a campaign that is over as inactive, unless it says otherwise", async () => {
    const campaign = await aCampaign(undefined, { expiration_date: "2026-03-02T11:00:00Z" });
    clock.advance({ hours: 2 });
    await imported(campaign, "Code,Active\nO-1,\nO-2,true");
    expect([(await voucher("O-1")).active, (await voucher("O-2")).active]).toEqual([false, true]);
  });

  test("changes codes of the campaign that are there, and refuses those that are elsewhere", async () => {
    const [campaign, other] = [await aCampaign(gift), await aCampaign()];
    await imported(other, "Code\nELSEWHERE");
    await imported(campaign, "Code,Gift Amount,Category\nMINE,10,One");
    const { result } = await imported(campaign, "Code,Gift Amount,Category,Active\nMINE,20,Two,FALSE\nELSEWHERE,1,,");
    expect(result.failed).toEqual([
      { code: "ELSEWHERE", row: 2, reason: "Duplicated voucher exists with id ELSEWHERE" },
    ]);
    expect(await voucher("MINE")).toMatchObject({ gift: { amount: 1000 }, category: "Two", active: false });
    expect(await countOf(campaign)).toBe(1);
  });

  test("finds no fault with what it passes over of a code that is there", async () => {
    const campaign = await aCampaign(gift);
    await imported(campaign, "Code,Gift Amount\nPASSED,10");
    const columns = "Code,Gift Amount,Active,Category,Start Date";
    const { result } = await imported(campaign, `${columns}\nPASSED,abc,false,Re,nope\nPASSED-NEW,abc,,,`);
    expect(result.failed).toEqual([
      { code: "PASSED-NEW", row: 2, reason: "Column 'Gift Amount' must be an amount such as 45 or 45.50" },
    ]);
    expect(await voucher("PASSED")).toMatchObject({ gift: { amount: 1000 }, category: "Re", active: false });
  });

  test("goes into a campaign whose vouchers are being generated still", async () => {
    const campaign = await aCampaign(undefined, { vouchers_count: 3 });
    expect(campaign.vouchers_generation_status).toBe("IN_PROGRESS");
    expect((await imported(campaign, "Code\nBESIDE")).result.done_count).toBe(1);
    expect(await countOf(campaign)).toBe(4);
  });
});

describe("vouchers of a campaign that are sent as JSON", () => {
  test("give what the campaign gives, and may say their own dates and redemptions", async () => {
    const campaign = await aCampaign();
    const sent = [
      { code: "CJ-1", discount: { type: "PERCENT", percent_off: 99 }, redemption: { quantity: 4 } },
      { code: "CJ-2", start_date: "2026-01-01", category: "VIP" },
    ];
    const action = await ended(project, await api.post(`/v1/campaigns/${campaign.name}/import`, sent, 202));
    expect(action).toMatchObject({
      type: "CAMPAIGN.VOUCHERS_IMPORT",
      result: { message: "2 voucher(s) imported successfully, 0 failed.", failed: [] },
    });
    expect(await voucher("CJ-1")).toMatchObject({ discount, redemption: { quantity: 4 }, active: true });
    expect(await voucher("CJ-2")).toMatchObject({ start_date: "2026-01-01T00:00:00.000Z", category: "VIP" });
  });

  test("are refused by a code that is there, which a file would change", async () => {
    const campaign = await aCampaign();
    await imported(campaign, "Code\nKNOWN");
    const { body } = await api.post(`/v1/campaigns/${campaign.id}/import`, [{ code: "KNOWN" }], 400);
    expect(body).toMatchObject({ key: "duplicate_key", details: "1 voucher codes(s) already exist." });
  });
});

describe("an import is refused at once", () => {
  test("into a campaign that is not there, was deleted, has no vouchers or has but one, and nothing of it is kept", async () => {
    const gone = await aCampaign();
    await api.delete(`/v1/campaigns/${gone.id}`, 202);
    const tiers = [{ name: "tier", action: { discount } }];
    const { body: promotion } = await api.post(
      "/v1/campaigns",
      { name: "Promotion", campaign_type: "PROMOTION", promotion: { tiers } },
      200,
    );
    const standalone = await aCampaign(undefined, { type: "STANDALONE" });
    for (const [id, status, key] of [
      ["camp_unknown", 404, "not_found"],
      [gone.id, 404, "not_found"],
      [promotion.id, 400, "invalid_campaign"],
      [standalone.id, 400, "invalid_campaign"],
    ] as const) {
      const file = await send(api, `/v1/campaigns/${id}/importCSV`, "Code\nX", { status });
      const rows = await api.post(`/v1/campaigns/${id}/import`, [{ code: "X" }], status);
      expect([file.body.key, rows.body.key]).toEqual([key, key]);
    }
    await expect.poll(() => pieces(project)).toBe(0);
  });

  test("and ends as failed where its campaign is deleted before its turn", async () => {
    const campaign = await aCampaign();
    const started = await send(api, `/v1/campaigns/${campaign.id}/importCSV`, "Code\nLATE", { status: 200 });
    await api.delete(`/v1/campaigns/${campaign.id}`, 202);
    const action = await ended(project, started);
    expect(action).toMatchObject({ status: "FAILED", result: { message: "The campaign is gone", done_count: 0 } });
    await api.get("/v1/vouchers/LATE", 404);
    expect(await pieces(project)).toBe(0);
  });
});
