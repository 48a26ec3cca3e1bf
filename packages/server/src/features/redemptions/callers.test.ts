import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { aToken, bearing } from "../oauth/oauth.fixtures.js";

const { api, url, project, context } = await startService();
const token = bearing(url, await aToken(api, "redemptions"));

async function aVoucher(code: string, name: string, limit: number) {
  const rules = { "1": { name, conditions: { $less_than_or_equal: [limit] } }, logic: "1" };
  const rule = (await api.post("/v1/validation-rules", { name: code, rules }, 200)).body;
  const discount = { type: "AMOUNT", amount_off: 100 };
  await api.post(`/v1/vouchers/${code}`, { discount, validation_rules: [rule.id] }, 200);
  return { redeemables: [{ object: "voucher", id: code }], order: { amount: 1000 } };
}

describe("a limit per key", () => {
  test("counts a token's redemptions with those of the key that minted it", async () => {
    const request = await aVoucher("PER-KEY", "redemption.count.per_api_key", 2);
    await api.post("/v1/redemptions", request, 200);
    await token.post("/v1/redemptions", request, 200);
    for (const caller of [api, token]) {
      const { body } = await caller.post("/v1/redemptions", request, 400);
      expect(body.key).toBe("redemption_rules_violated");
    }
  });

  test("leaves other keys' redemptions out", async () => {
    const request = await aVoucher("OTHER-KEY", "redemption.count.per_api_key", 1);
    await api.post("/v1/redemptions", request, 200);
    await context.db.run(sql`
      update redemptions set channel = '{"channel_id":"another","channel_type":"API"}'
       where redemptions.project_id = ${project.id} and redemptions.voucher_id is not null`);
    await api.post("/v1/redemptions", request, 200);
    await api.post("/v1/redemptions", request, 400);
  });
});

test("a limit per user counts nothing of what keys redeem", async () => {
  const request = await aVoucher("PER-USER", "redemption.count.per_user", 1);
  for (const caller of [api, token]) await caller.post("/v1/redemptions", request, 200);
});

test("a redemption and its rollback name the key, whether it came itself or by a token", async () => {
  const channel = { channel_id: project.app_id, channel_type: "API" };
  const request = await aVoucher("NAMED", "order.amount", 5000);
  for (const caller of [api, token]) {
    const { body } = await caller.post("/v1/redemptions", request, 200);
    expect(body.redemptions[0].channel).toEqual(channel);
    const rollback = await caller.post(`/v1/redemptions/${body.redemptions[0].id}/rollback`, {}, 200);
    expect(rollback.body.channel).toEqual(channel);
  }
});
