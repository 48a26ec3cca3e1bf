import { describe, expect, test } from "vitest";
import { type Fields, off, tiersOf } from "../../src/features/promotions/promotion.fixtures.js";
import { startService } from "../harness/service.js";
import { grownSince, storedOf } from "../harness/stored.js";

const { api, management, project, context, anotherProject } = await startService();

const order = { amount: 10_000 };
const failed = { object: "redemption", result: "FAILURE", status: "FAILED", order: null };
const read = async (id: string, by = api) => (await by.get(`/v1/redemptions/${id}`, 200)).body;

describe("what a failed redemption leaves (redemption.md §10)", () => {
  test("of a voucher that was found names it, and says neither what it gives nor how often it was used", async () => {
    const { id } = (await api.post("/v1/vouchers/OFF", { ...off(100), active: false }, 200)).body;
    const { body } = await api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: "OFF" }], order }, 400);
    const record = await read(body.resource_id);
    expect(record).toMatchObject({
      ...failed,
      failure_code: "voucher_disabled",
      failure_message: "voucher is disabled",
      related_object_type: "voucher",
      related_object_id: id,
    });
    const named = { id, code: "OFF", campaign: null, campaign_id: null };
    expect(record.voucher).toEqual({ ...named, discount: null, gift: null, loyalty_card: null });
    const { redemption_entries } = (await api.get("/v1/vouchers/OFF/redemption", 200)).body;
    expect(redemption_entries).toEqual([record]);
  });

  test("of a campaign's voucher names the campaign", async () => {
    const campaign = {
      name: "Spring",
      campaign_type: "DISCOUNT_COUPONS",
      voucher: { ...off(100), type: "DISCOUNT_VOUCHER" },
    };
    const campaign_id = (await api.post("/v1/campaigns", campaign, 200)).body.id;
    await api.post(`/v1/campaigns/${campaign_id}/vouchers`, { code: "LATE", expiration_date: "2001-01-01" }, 200);
    const { body } = await api.post(
      "/v1/redemptions",
      { redeemables: [{ object: "voucher", id: "LATE" }], order },
      400,
    );
    expect((await read(body.resource_id)).voucher).toMatchObject({ code: "LATE", campaign: "Spring", campaign_id });
  });

  test("of a tier that was found names it and its campaign", async () => {
    const { campaign_id, ids } = await tiersOf(api, [{ active: false }]);
    const [id] = ids;
    const { body } = await api.post("/v1/redemptions", { redeemables: [{ object: "promotion_tier", id }], order }, 400);
    const record = await read(body.resource_id);
    expect(record).toMatchObject({
      ...failed,
      failure_code: "promotion_inactive",
      related_object_type: "promotion_tier",
      related_object_id: id,
    });
    expect(record.promotion_tier).toEqual({ id, campaign: { id: campaign_id }, action: null });
  });

  test("of an unknown code is related to itself; the error names the code instead", async () => {
    await api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: "NOWHERE" }], order }, 404);
    const { redemptions } = (await api.get("/v1/redemptions?filters[failure_code][conditions][$is]=not_found", 200))
      .body;
    expect(redemptions).toHaveLength(1);
    const [record] = redemptions;
    expect(record).toMatchObject({
      ...failed,
      failure_message: "Resource not found",
      related_object_type: "redemption",
      related_object_id: record.id,
      voucher: null,
    });
  });

  test("of which nothing applies in mode PARTIAL names no voucher", async () => {
    const shop = await anotherProject();
    const rules = { redeemables_application_mode: "PARTIAL" };
    await management.post(`/management/v1/projects/${shop.id}/stacking-rules`, rules, 200);
    for (const code of ["A", "B"]) await shop.api.post(`/v1/vouchers/${code}`, { ...off(100), active: false }, 200);
    const redeemables = ["A", "B"].map((id) => ({ object: "voucher", id }));
    const { body } = await shop.api.post("/v1/redemptions", { redeemables, order }, 400);
    expect(await read(body.resource_id, shop.api)).toMatchObject({
      ...failed,
      failure_code: "no_applicable_redeemables",
      failure_message: "No applicable redeemables",
      voucher: null,
    });
  });

  test("keeps who asked, with what and by which key, and stands in the list of redemptions", async () => {
    const customer = (await api.post("/v1/customers", { source_id: "ann", name: "Ann" }, 200)).body;
    const sent: Fields = {
      redeemables: [{ object: "voucher", id: "OFF" }],
      customer: { source_id: "ann", name: "Anna" },
      metadata: { till: 7 },
      order,
    };
    const before = await storedOf(context, project.id);
    const { body } = await api.post("/v1/redemptions", sent, 400);
    expect(grownSince(before, await storedOf(context, project.id))).toEqual({
      redemptions: 1,
      events: 1,
      outbox_parcels: 1,
    });
    const record = await read(body.resource_id);
    expect(record).toMatchObject({
      customer_id: customer.id,
      // No customer data change: the name that was sent goes with the rest.
      customer: { source_id: "ann", name: "Ann" },
      tracking_id: expect.stringMatching(/^track_/),
      metadata: { till: 7 },
      channel: { channel_id: project.app_id, channel_type: "API" },
    });
    const listed = (await api.get("/v1/redemptions?result=FAILURE&customer=ann", 200)).body.redemptions;
    expect(listed).toEqual([record]);
  });

  test("is left once for a stack, by the first that does not apply, and nothing of the others is used", async () => {
    await api.post("/v1/vouchers/GOOD", off(100), 200);
    const redeemables = ["GOOD", "OFF"].map((id) => ({ object: "voucher", id }));
    const before = await storedOf(context, project.id);
    const { body } = await api.post("/v1/redemptions", { redeemables, order }, 400);
    expect(grownSince(before, await storedOf(context, project.id))).toEqual({
      redemptions: 1,
      events: 1,
      outbox_parcels: 1,
    });
    expect(await read(body.resource_id)).toMatchObject({ failure_code: "voucher_disabled", voucher: { code: "OFF" } });
  });
});
