import { afterAll, expect, inject, test } from "vitest";
import { startService } from "../../test/harness/service.js";
import { type Counted, countHistory, readCounts } from "../books/index.js";
import { type Database, openDatabase } from "../platform/db/database.js";
import { lockKeys } from "../platform/db/locks.js";
import { sql } from "../platform/db/sql.js";
import { addPast, historiesOf } from "./counting/histories.fixtures.js";

const { api, context, project } = await startService();
const other = openDatabase({ url: inject("database_url"), log: context.log, connections_max: 1, prepared: false });
afterAll(() => other.close());

async function untilSomebodyWaits(locktype: "advisory" | "transactionid" = "advisory"): Promise<void> {
  for (;;) {
    const { waiting } = await context.db.one<{ waiting: number }>(
      sql`select count(*) as waiting from pg_locks where pg_locks.locktype = ${locktype} and not pg_locks.granted`,
    );
    if (waiting > 0) return;
  }
}

/** Holds a voucher's key while the work goes on, as another redemption would. */
async function whileHeld(voucher_id: string, work: () => Promise<void>): Promise<void> {
  await other.transaction(async (tx) => {
    await lockKeys(tx, [{ project_id: project.id, kind: "voucher", id: voucher_id }]);
    await work();
  });
}

test("a redemption that waits for its voucher sees the campaign that was disabled meanwhile", async () => {
  const campaign = (
    await api.post(
      "/v1/campaigns",
      {
        name: "Waits",
        campaign_type: "DISCOUNT_COUPONS",
        voucher: { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } },
      },
      200,
    )
  ).body;
  const voucher = (await api.post(`/v1/campaigns/${campaign.id}/vouchers/WAITS-1`, {}, 200)).body;
  const redeem = () =>
    api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: "WAITS-1" }], order: { amount: 500 } });
  expect((await redeem()).status).toBe(200);

  let waiting: ReturnType<typeof redeem> | undefined;
  await whileHeld(voucher.id, async () => {
    waiting = redeem();
    await untilSomebodyWaits();
    await api.post("/v1/campaigns/Waits/disable", {}, 200);
  });
  expect(await waiting).toMatchObject({ status: 400, body: { key: "voucher_disabled" } });

  await api.post("/v1/campaigns/Waits/enable", {}, 200);
  expect((await redeem()).status).toBe(200);
});

test("a redemption that waits while a limit is set takes the limit's key before it counts", async () => {
  const discount = { type: "AMOUNT", amount_off: 100 };
  const voucher = { type: "DISCOUNT_VOUCHER", discount };
  const campaign = (
    await api.post("/v1/campaigns", { name: "Limited", campaign_type: "DISCOUNT_COUPONS", voucher }, 200)
  ).body;
  const { id } = (await api.post("/v1/campaigns/Limited/vouchers/LIMITED-1", {}, 200)).body;
  const rules = { "1": { name: "campaign.redemptions.count", conditions: { $less_than_or_equal: [1] } }, logic: "1" };
  const rule = (await api.post("/v1/validation-rules", { name: "one", rules }, 200)).body;
  let waiting: ReturnType<typeof api.post> | undefined;
  let is_answered = false;
  const limit_held = openDatabase({
    url: inject("database_url"),
    log: context.log,
    connections_max: 1,
    prepared: false,
  });
  await limit_held.transaction(async (tx) => {
    await lockKeys(tx, [{ project_id: project.id, kind: "counter", id: campaign.id }]);
    await whileHeld(id, async () => {
      waiting = api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: "LIMITED-1" }] });
      void waiting.then(() => (is_answered = true));
      await untilSomebodyWaits();
      const related = { related_object_id: campaign.id, related_object_type: "campaign" };
      await api.post(`/v1/validation-rules/${rule.id}/assignments`, related, 200);
    });
    await new Promise((passed) => setTimeout(passed, 100));
    await untilSomebodyWaits();
    expect(is_answered).toBe(false);
  });
  expect(await waiting).toMatchObject({ status: 200 });
  await limit_held.close();
});

test("a redemption that is under way when a limit is set counts for the first one that the limit holds for", async () => {
  const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
  const campaign = { name: "Under way", campaign_type: "DISCOUNT_COUPONS", voucher };
  const { id: campaign_id } = (await api.post("/v1/campaigns", campaign, 200)).body;
  const { id: voucher_id } = (await api.post("/v1/campaigns/Under way/vouchers/UNDER-WAY", {}, 200)).body;
  await api.post("/v1/campaigns/Under way/vouchers/BESIDE", {}, 200);
  const rules = { "1": { name: "campaign.redemptions.count", conditions: { $less_than_or_equal: [2] } }, logic: "1" };
  const rule = (await api.post("/v1/validation-rules", { name: "two", rules }, 200)).body;
  const redeem = (code: string) => api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: code }] });
  expect((await redeem("UNDER-WAY")).status).toBe(200);

  let both: ReturnType<typeof redeem>[] = [];
  await other.transaction(async (tx) => {
    // It has decided by then, and waits with what it writes.
    await tx.run(sql`
      select voucher_usage.voucher_id from voucher_usage
       where voucher_usage.project_id = ${project.id} and voucher_usage.voucher_id = ${voucher_id} for update`);
    const under_way = redeem("UNDER-WAY");
    await untilSomebodyWaits("transactionid");
    const related = { related_object_id: campaign_id, related_object_type: "campaign" };
    await api.post(`/v1/validation-rules/${rule.id}/assignments`, related, 200);
    const beside = redeem("BESIDE");
    both = [under_way, beside];
    await Promise.race([beside, untilSomebodyWaits()]);
  });
  const [under_way, beside] = await Promise.all(both);
  expect(under_way).toMatchObject({ status: 200 });
  expect(beside).toMatchObject({ status: 400, body: { key: "redemption_rules_violated" } });
});

test("a rollback waits for whoever counts under a limit, and the next one counts without what it gave back", async () => {
  const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
  const conditions = { $less_than_or_equal: [1] };
  const rules = { "1": { name: "campaign.redemptions.count", conditions }, logic: "1" };
  const rule = (await api.post("/v1/validation-rules", { name: "one at a time", rules }, 200)).body;
  const sent = { name: "Given back", campaign_type: "DISCOUNT_COUPONS", voucher, validation_rules: [rule.id] };
  const campaign = (await api.post("/v1/campaigns", sent, 200)).body;
  for (const code of ["BACK-1", "BACK-2"]) await api.post(`/v1/campaigns/${campaign.id}/vouchers/${code}`, {}, 200);
  const redeem = (code: string) => api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: code }] });
  const { id } = (await redeem("BACK-1")).body.redemptions[0];
  expect(await redeem("BACK-2")).toMatchObject({ status: 400, body: { key: "redemption_rules_violated" } });

  let rollback: ReturnType<typeof api.post> | undefined;
  await other.transaction(async (tx) => {
    await lockKeys(tx, [{ project_id: project.id, kind: "counter", id: campaign.id }]);
    rollback = api.post(`/v1/redemptions/${id}/rollback`, {});
    const first = await Promise.race([rollback.then(() => "answered"), untilSomebodyWaits().then(() => "waits")]);
    expect(first).toBe("waits");
  });
  expect((await rollback)?.status).toBe(200);
  expect((await redeem("BACK-2")).status).toBe(200);
});

test("a redemption of a stack that waits for a tier's limit redeems the tier that was added meanwhile, and holds its limit", async () => {
  const conditions = { $less_than_or_equal: [1] };
  const rules = { "1": { name: "redemption.count", conditions }, logic: "1" };
  const rule = (await api.post("/v1/validation-rules", { name: "once", rules }, 200)).body;
  const tier = { action: { discount: { type: "AMOUNT", amount_off: 100 } }, validation_rules: [rule.id] };
  const tiers = ["first", "second"].map((name) => ({ name, ...tier }));
  const sent = { name: "Stacked", campaign_type: "PROMOTION", promotion: { tiers } };
  const ids: string[] = (await api.post("/v1/campaigns", sent, 200)).body.promotion.tiers.map(
    ({ id }: { id: string }) => id,
  );
  const path = "/v1/promotions/Stacked/stacks";
  const stack = (await api.post(path, { name: "s", tiers: { ids: ids.slice(0, 1) } }, 200)).body;
  const redeem = () =>
    api.post("/v1/redemptions", { redeemables: [{ object: "promotion_stack", id: stack.id }], order: { amount: 500 } });

  let waiting: Promise<Awaited<ReturnType<typeof redeem>>[]> | undefined;
  await other.transaction(async (tx) => {
    await lockKeys(tx, [{ project_id: project.id, kind: "counter", id: ids[0] as string }]);
    waiting = Promise.all([redeem(), redeem()]);
    await untilSomebodyWaits();
    await api.put(`${path}/${stack.id}`, { tiers: { ids } }, 200);
  });
  const [first, second] = (await waiting) ?? [];
  expect([first?.status, second?.status].sort()).toEqual([200, 400]);
  const { redemptions } = (first?.status === 200 ? first : second)?.body ?? {};
  expect(redemptions.map((one: { related_object_id: string }) => one.related_object_id)).toEqual(ids);
});

test("a redemption that waits for its voucher sees the use that was made meanwhile", async () => {
  const voucher = (
    await api.post(
      "/v1/vouchers/LAST-1",
      { discount: { type: "AMOUNT", amount_off: 100 }, redemption: { quantity: 1 } },
      200,
    )
  ).body;
  const redeem = () => api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: "LAST-1" }] });
  let waiting: Promise<Awaited<ReturnType<typeof redeem>>[]> | undefined;
  await whileHeld(voucher.id, async () => {
    waiting = Promise.all([redeem(), redeem()]);
    await untilSomebodyWaits();
  });
  expect((await waiting)?.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test.each(["voucher", "customer"] as const)(
  "a redemption that waits while the history of its %s is counted into rows is one of those rows",
  async (kind) => {
    const code = `${kind}-counted`;
    const voucher = (await api.post(`/v1/vouchers/${code}`, { discount: { type: "AMOUNT", amount_off: 100 } }, 200))
      .body;
    const customer = (await api.post("/v1/customers", { source_id: code }, 200)).body;
    const [project_id, channel_id] = [project.id, project.app_id];
    const past = { project_id, voucher_id: voucher.id, customer_ids: [customer.id], channel_ids: [channel_id] };
    await addPast(context, { ...past, count: 300, day: "2026-03-02", days: 40 });
    const redeem = () =>
      api.post("/v1/redemptions", {
        redeemables: [{ object: "voucher", id: code }],
        customer: { id: customer.id },
        order: { amount: 500 },
      });
    let waiting: ReturnType<typeof redeem> | undefined;
    const counting: Database["transaction"] = (work) =>
      other.transaction(async (tx) => {
        const counted = await work(tx);
        waiting = redeem();
        await untilSomebodyWaits();
        return counted;
      });
    const id = { voucher: voucher.id, customer: customer.id }[kind];
    expect(await countHistory({ ...other, transaction: counting }, project_id, { kind, id })).toBe(true);
    expect((await waiting)?.status).toBe(200);
    const of_voucher = { scope: { object: "voucher" as const, id: voucher.id }, since: null };
    const asked: Counted = {
      ...of_voucher,
      ...(kind === "voucher" ? { channel_id, customer_id: null } : { channel_id: null, customer_id: customer.id }),
    };
    expect(await readCounts(context.db, project_id, [asked])).toEqual({
      sums: [await historiesOf(context, project_id).plainCount(asked)],
    });
  },
);
