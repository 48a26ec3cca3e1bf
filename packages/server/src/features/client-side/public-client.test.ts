import sdk from "@voucherify/sdk";
import { describe, expect, test } from "vitest";
import { page_origin, startService, type TestProject } from "../../../test/harness/service.js";

const { url, api, project } = await startService();
await api.post("/v1/vouchers/SDK-10", { discount: { type: "PERCENT", percent_off: 10 } }, 200);

/** The client that shops' pages use, as it is published. */
const clientOf = ({ client_id, client_token }: TestProject, more: { origin?: string; trackingId?: string } = {}) =>
  sdk.VoucherifyClientSide({
    apiUrl: url,
    clientApplicationId: client_id,
    clientSecretKey: client_token,
    origin: page_origin,
    ...more,
  });

describe("the public client of pages", () => {
  test("validates and redeems redeemables", async () => {
    const client = clientOf(project);
    const asked = {
      redeemables: [{ object: "voucher" as const, id: "SDK-10" }],
      order: { amount: 2000 },
      customer: { source_id: "stackable" },
    };
    const validation = await client.validateStackable(asked);
    expect(validation).toMatchObject({ valid: true, order: { total_amount: 1800 } });
    const redeemed = await client.redeemStackable(asked);
    expect(redeemed.redemptions[0]).toMatchObject({ result: "SUCCESS", voucher: { code: "SDK-10" } });
  });

  test("asks what a cart could use", async () => {
    const { redeemables } = await clientOf(project).qualifications({ order: { amount: 2000 }, scenario: "ALL" });
    expect(redeemables.data).toMatchObject([{ id: "SDK-10", object: "voucher", order: { total_amount: 1800 } }]);
  });

  test("validates one code with all that it can say, written as its query has it", async () => {
    const client = clientOf(project, { trackingId: "sdk-visitor" });
    const answer = await client.validate({
      code: " SDK-10\n",
      amount: 3000,
      items: [{ source_id: "mug", related_object: "product", quantity: 2, amount: 3000 }],
      orderMetadata: { gift: true },
      customer: { source_id: "sdk-visitor", metadata: { age: 18 } },
      metadata: { page: "cart" },
      session_type: "LOCK",
      session_key: "sdk-session",
      session_ttl: 5,
      session_ttl_unit: "MINUTES",
    });
    expect(answer).toMatchObject({
      valid: true,
      code: "SDK-10",
      order: { amount: 3000, total_amount: 2700 },
      tracking_id: expect.stringMatching(/^track_/),
      session: { key: "sdk-session", type: "LOCK", ttl: 5, ttl_unit: "MINUTES" },
    });
  });

  test("validates promotions where it has no code", async () => {
    expect(await clientOf(project).validate({ amount: 1000 })).toMatchObject({ valid: false, promotions: [] });
  });

  test("goes on as the visitor that it was given, from the first look to the redemption", async () => {
    const client = clientOf(project);
    const { tracking_id } = await client.validate("SDK-10");
    client.setIdentity(tracking_id);
    const redeemed = await client.redeem("SDK-10", { order: { amount: 1000 } });
    expect(redeemed).toMatchObject({ object: "redemption", result: "SUCCESS", tracking_id });
    const again = await client.redeem("SDK-10");
    expect(again.customer_id).toBe(redeemed.customer_id);
  });

  test("is told of a code that nobody has, and turned away where it is not trusted", async () => {
    expect(await clientOf(project).validate("NOBODYS")).toMatchObject({ valid: false, reason: "voucher not found" });
    await expect(clientOf(project).redeem("NOBODYS")).rejects.toMatchObject({ code: 404, key: "not_found" });
    const elsewhere = clientOf(project, { origin: "https://evil.example" });
    await expect(elsewhere.validate("SDK-10")).rejects.toMatchObject({ code: 401, key: "unauthorized" });
  });
});
