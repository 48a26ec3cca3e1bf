import { expect, test } from "vitest";
import { startService } from "../../test/harness/service.js";
import { sql } from "../platform/db/sql.js";

const { api, clock, context, project, runDue } = await startService();

test("a session that has expired holds nothing, and is taken away on schedule", async () => {
  const discount = { type: "AMOUNT", amount_off: 100 };
  await api.post("/v1/vouchers/HELD", { discount, redemption: { quantity: 1 } }, 200);
  const redeemables = [{ object: "voucher", id: "HELD" }];
  const session = { type: "LOCK", ttl: 10, ttl_unit: "MINUTES" };
  const isValid = async (more: object = {}) =>
    (await api.post("/v1/validations", { redeemables, order: { amount: 500 }, ...more }, 200)).body.valid as boolean;
  const stored = async () =>
    (
      await context.db.many(sql`
        select voucher_sessions.session_key from voucher_sessions where voucher_sessions.project_id = ${project.id}`)
    ).length;
  expect(await isValid({ session })).toBe(true);
  await runDue();
  expect(await isValid()).toBe(false);
  expect(await stored()).toBe(1);
  clock.advance({ minutes: 11 });
  // Whether purged or not.
  expect(await isValid()).toBe(true);
  await runDue();
  expect(await stored()).toBe(0);
});
