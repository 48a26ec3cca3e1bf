import { afterAll, describe, expect, inject, test } from "vitest";
import { type Answer, createClient } from "../../../test/harness/client.js";
import { startService } from "../../../test/harness/service.js";
import { openDatabase } from "../../platform/db/database.js";
import { lockKeys } from "../../platform/db/locks.js";
import { sql } from "../../platform/db/sql.js";

const { api, context, project } = await startService();
// A process shares transactions among its requests; only another one, with connections of its own, races with it.
const second = await startService();
const credentials = { "x-app-id": project.app_id, "x-app-token": project.app_token };
const nodes = [api, createClient(second.url, credentials)];
const other = openDatabase({ url: inject("database_url"), log: context.log, connections_max: 2, prepared: false });
afterAll(() => other.close());

const free = { type: "PERCENT", percent_off: 100, effect: "APPLY_TO_ITEMS" };

/** A coupon campaign whose rule limits the cups that are given away, with some codes. */
async function aCampaign(name: string, limits: object, codes_count = 1) {
  const included = [{ object: "product", id: "cup", ...limits }];
  const rule = { name, rules: { logic: "" }, applicable_to: { included } };
  const rule_id = (await api.post("/v1/validation-rules", rule, 200)).body.id;
  const voucher = { type: "DISCOUNT_VOUCHER", discount: free };
  const fields = { name, campaign_type: "DISCOUNT_COUPONS", voucher, validation_rules: [rule_id] };
  const { id } = (await api.post("/v1/campaigns", fields, 200)).body;
  const codes = Array.from({ length: codes_count }, (_, i) => `${name}-${i}`);
  for (const code of codes) await api.post(`/v1/campaigns/${id}/vouchers/${code}`, {}, 200);
  return { id, rule_id, codes };
}

/** Redeems two cups of 1.00 each. */
const redeem = (node: typeof api, code: string, customer?: object) =>
  node.post("/v1/redemptions", {
    redeemables: [{ object: "voucher", id: code }],
    customer,
    order: { items: [{ product_id: "cup", quantity: 2, price: 100 }] },
  });

const given = (answers: Answer[]) =>
  answers.reduce((sum, { body }) => sum + (body.order?.total_discount_amount ?? 0) / 100, 0);

/** 64 redemptions at once, from both processes in turn. */
const rush = (ask: (node: typeof api, i: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: 64 }, (_, i) => ask(nodes[i % 2] as typeof api, i)));

describe("64 redemptions at once", () => {
  test("give no unit more than a campaign's budget has, and none less", async () => {
    const { id, codes } = await aCampaign("Rush", { product_campaign_quantity_limit: 75 }, 16);
    expect(given(await rush((node, i) => redeem(node, codes[i % codes.length] as string)))).toBe(75);
    const { units } = await context.db.one<{ units: number }>(sql`
      select sum(unit_usage.units)::bigint as units from unit_usage
       where unit_usage.project_id = ${project.id} and unit_usage.object_id = ${id}`);
    expect(units).toBe(75);
  });

  test("give each customer what the customer's budget has, although nobody waits for the campaign", async () => {
    const { codes } = await aCampaign("Each", { product_customer_campaign_quantity_limit: 7 }, 16);
    // Each customer comes to both processes, with codes that are not asked for in the other. They exist before, since
    // making one would hold the others up.
    const racer = (i: number) => ({ source_id: `racer-${Math.floor(i / 2) % 4}` });
    for (const i of [0, 2, 4, 6]) await api.post("/v1/customers", racer(i), 200);
    await rush((node, i) => redeem(node, codes[i % codes.length] as string, racer(i)));
    const customers = await context.db.many<{ units: number }>(sql`
      select sum(item.units)::bigint as units
        from redemptions cross join jsonb_to_recordset(redemptions.units) as item (units bigint)
       where redemptions.project_id = ${project.id} and redemptions.customer_id is not null
       group by redemptions.customer_id`);
    expect(customers.map(({ units }) => units)).toEqual([7, 7, 7, 7]);
  });

  test("leave a budget as it was once all are rolled back at once", async () => {
    const { codes } = await aCampaign("Back", { product_campaign_quantity_limit: 9 }, 4);
    const answers = await rush((node, i) => redeem(node, codes[i % codes.length] as string));
    const redemptions = answers.flatMap(({ body }) => body.redemptions ?? []);
    await rush((node, i) => node.post(`/v1/redemptions/${redemptions[i]?.id}/rollback`));
    expect(given(await rush((node, i) => redeem(node, codes[i % codes.length] as string)))).toBe(9);
  });
});

test("a redemption that waits while a budget is set takes the campaign's key before it counts", async () => {
  const { id, rule_id, codes } = await aCampaign("Waits", {});
  const [code] = codes as [string];
  const voucher_id = (await api.get(`/v1/vouchers/${code}`, 200)).body.id;
  expect(given([await redeem(api, code)])).toBe(2);
  let waiting: Promise<Answer> | undefined;
  let is_answered = false;
  await whileHeld("counter", id, async () => {
    await whileHeld("voucher", voucher_id, async () => {
      waiting = redeem(api, code);
      void waiting.then(() => (is_answered = true));
      await untilSomebodyWaits();
      const included = [{ object: "product", id: "cup", product_campaign_quantity_limit: 3 }];
      await api.put(`/v1/validation-rules/${rule_id}`, { applicable_to: { included } }, 200);
    });
    await new Promise((passed) => setTimeout(passed, 100));
    await untilSomebodyWaits();
    expect(is_answered).toBe(false);
  });
  expect(given([(await waiting) as Answer])).toBe(1);
});

/** Holds a key while the work goes on, as a transaction of another process would. */
const whileHeld = (kind: "counter" | "voucher", id: string, work: () => Promise<void>) =>
  other.transaction(async (tx) => {
    await lockKeys(tx, [{ project_id: project.id, kind, id }]);
    await work();
  });

async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const { waiting } = await context.db.one<{ waiting: number }>(
      sql`select count(*) as waiting from pg_locks where pg_locks.locktype = 'advisory' and not pg_locks.granted`,
    );
    if (waiting > 0) return;
  }
}
