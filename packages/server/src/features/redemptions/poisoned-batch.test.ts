import { setTimeout as pause } from "node:timers/promises";
import { expect, inject, test, vi } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { openDatabase } from "../../platform/db/database.js";
import { lockKeys } from "../../platform/db/locks.js";
import { sql } from "../../platform/db/sql.js";
import { createLog } from "../../platform/log.js";

const { api, context, project } = await startService();
const discount = { type: "AMOUNT", amount_off: 100 };
const batch_max = 64;

const redeem = (code: string, status = 200) =>
  api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: code }], order: { amount: 500 } }, status);

const recordedOf = (voucher_id: string) =>
  context.db.one<{ rows: number; used: number }>(sql`
    select (select count(*) from redemptions where redemptions.project_id = ${project.id} and redemptions.voucher_id = ${voucher_id}
               and redemptions.result = 'SUCCESS') as rows,
           (select coalesce(sum(voucher_usage.redeemed_quantity), 0) from voucher_usage
             where voucher_usage.project_id = ${project.id} and voucher_usage.voucher_id = ${voucher_id}) as used`);

/** A code whose campaign has been redeemed as often as PostgreSQL can count. */
async function beyondCounting(code: string): Promise<string> {
  const voucher = { type: "DISCOUNT_VOUCHER", discount };
  const campaign = (await api.post("/v1/campaigns", { name: code, campaign_type: "DISCOUNT_COUPONS", voucher }, 200))
    .body;
  const { id } = (await api.post(`/v1/campaigns/${code}/vouchers/${code}`, {}, 200)).body;
  await context.db.run(sql`
    insert into usage_days (project_id, object_id, day, slot, redemptions, orders_amount, discount_amount, gift_credits, units)
    select ${project.id}, ${campaign.id}, day::date, slot, 9223372036854775807, 0, 0, 0, 0
      from generate_series('2026-03-01'::date, '2026-03-03'::date, interval '1 day') as day, generate_series(0, 15) as slot`);
  return id;
}

/** A code with a discount that the engine has never heard of. */
async function beyondDeciding(code: string): Promise<string> {
  const { id } = (await api.post(`/v1/vouchers/${code}`, { discount }, 200)).body;
  await context.db.run(sql`
    update vouchers set discount = '{"type": "UNHEARD_OF"}' where vouchers.project_id = ${project.id} and vouchers.id = ${id}`);
  return id;
}

/** Sends the requests while two others wait for a key, so that all of them wait for one batch; they have so long to get there. */
async function together(good: { id: string; code: string }, send: () => Promise<unknown>[], ms: number): Promise<void> {
  const url = inject("database_url");
  const other = openDatabase({ url, log: createLog("silent"), connections_max: 1, prepared: false });
  const sent: Promise<unknown>[] = [];
  await other.transaction(async (tx) => {
    await lockKeys(tx, [{ project_id: project.id, kind: "voucher", id: good.id }]);
    for (let i = 0; i < 2; i += 1) {
      sent.push(redeem(good.code));
      await pause(100);
    }
    sent.push(...send());
    await pause(ms);
  });
  await other.close();
  await Promise.all(sent);
}

test.each([
  ["that PostgreSQL cannot count any further", 400, beyondCounting],
  ["that the engine cannot decide on", 500, beyondDeciding],
])(
  "of 64 requests in one batch the one %s fails alone",
  async (_, status, aPoisoned) => {
    vi.spyOn(context.log, "error").mockImplementation(() => undefined);
    const warned = vi.spyOn(context.log, "warn").mockImplementation(() => undefined);
    const poisoned_id = await aPoisoned(`POISONED-${status}`);
    const all = (code: string) =>
      Array.from({ length: batch_max }, (_, i) => (i === 30 ? redeem(`POISONED-${status}`, status) : redeem(code)));
    let company = 0;
    // A machine that is busy elsewhere takes longer to read them all.
    for (let ms = 300; company < batch_max && ms <= 5_000; ms *= 2) {
      const code = `GOOD-${status}-${ms}`;
      const { id } = (await api.post(`/v1/vouchers/${code}`, { discount }, 200)).body;
      warned.mockClear();
      await together({ id, code }, () => all(code), ms);
      expect(await recordedOf(id)).toEqual({ rows: batch_max + 1, used: batch_max + 1 });
      expect(await recordedOf(poisoned_id)).toEqual({ rows: 0, used: 0 });
      company = Math.max(...warned.mock.calls.map(([told]) => (told as { requests?: number }).requests ?? 0));
    }
    expect(company).toBeGreaterThan(1);
  },
  60_000,
);
