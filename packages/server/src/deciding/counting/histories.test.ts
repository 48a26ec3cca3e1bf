import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Answer, createClient } from "../../../test/harness/client.js";
import { startService } from "../../../test/harness/service.js";
import { type Counted, openHistories, readCounts, type Sums } from "../../books/index.js";
import { sql } from "../../platform/db/sql.js";
import { addPast, type Past } from "./histories.fixtures.js";

const { api, clock, context, project } = await startService();
// A process shares transactions among its requests; only another one, with connections of its own, races with it.
const second = await startService();
const nodes = [api, createClient(second.url, { "x-app-id": project.app_id, "x-app-token": project.app_token })];
const discount = { type: "AMOUNT", amount_off: 100 };

let made = 0;
function aName(of: string): string {
  made += 1;
  return `${of}-${made}`;
}

async function aRule(...limits: [name: string, at_most: number][]): Promise<string> {
  const rules = Object.fromEntries(
    limits.map(([name, at_most], i) => [i + 1, { name, conditions: { $less_than_or_equal: [at_most] } }]),
  );
  const logic = limits.map((_, i) => i + 1).join(" and ");
  return (await api.post("/v1/validation-rules", { name: aName("rule"), rules: { ...rules, logic } }, 200)).body.id;
}

async function aVoucher(...limits: [name: string, at_most: number][]) {
  const code = aName("V");
  const validation_rules = limits.length === 0 ? [] : [await aRule(...limits)];
  const { id } = (await api.post(`/v1/vouchers/${code}`, { discount, validation_rules }, 200)).body;
  return { id: id as string, code };
}

const aCustomer = async () => (await api.post("/v1/customers", { source_id: aName("c") }, 200)).body.id as string;

const past = (more: Partial<Past>) =>
  addPast(context, {
    project_id: project.id,
    channel_ids: [project.app_id, "key-other"],
    count: 300,
    day: "2026-03-02",
    days: 40,
    ...more,
  });

const redeem = (node: typeof api, code: string, customer_id?: string) =>
  node.post("/v1/redemptions", {
    redeemables: [{ object: "voucher", id: code }],
    customer: customer_id === undefined ? undefined : { id: customer_id },
    order: { amount: 1000 },
  });
const redeemed = (answers: Answer[]) => answers.filter(({ status }) => status === 200).length;
const rush = (count: number, ask: (node: typeof api, i: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, i) => ask(nodes[i % 2] as typeof api, i)));

/** What a count is by definition: all that succeeded and was not undone. */
const plainCount = ({ scope, customer_id, channel_id, since }: Counted) =>
  context.db.one<Sums>(sql`
    select count(*) as redemptions, coalesce(sum(redemptions.order_amount), 0) as orders_amount,
           coalesce(sum(redemptions.discount_amount), 0) as discount_amount,
           coalesce(sum(redemptions.amount), 0) as gift_credits
      from redemptions
     where redemptions.project_id = ${project.id} and redemptions.object = 'redemption' and redemptions.status = 'SUCCEEDED'
       and ${scope.id} = any(array[redemptions.voucher_id, redemptions.promotion_tier_id, redemptions.campaign_id])
       and (${customer_id}::text is null or redemptions.customer_id = ${customer_id})
       and (${channel_id}::text is null or redemptions.channel ->> 'channel_id' = ${channel_id})
       and (${since}::date is null or redemptions.day >= ${since}::date)`);

describe("counts are those of the redemptions, one by one", () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ does: fc.constant("redeem" as const), which: fc.nat(3), who: fc.nat(2) }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constant("undo" as const), which: fc.nat(99), who: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("wait" as const), which: fc.nat(50), who: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("open" as const), which: fc.nat(3), who: fc.nat(2) }) },
  );

  test("whatever is redeemed and undone, before and after a history is counted in rows, rule or no rule", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        const customers = [await aCustomer(), await aCustomer()];
        // Two that are looked at with each redemption, two that nobody counts until a step does.
        const vouchers = [
          await aVoucher(["redemption.count.per_api_key", 1e6], ["redemption.count.per_customer.monthly", 1e6]),
          await aVoucher(["redemption.count.daily", 1e6], ["campaign.orders.amount", 1e9]),
          await aVoucher(),
          await aVoucher(),
        ];
        for (const { id } of vouchers.slice(0, 3)) await past({ voucher_id: id, customer_ids: customers });
        const ids: string[] = [];
        for (const { does, which, who } of steps) {
          const voucher = vouchers[which % 4] as (typeof vouchers)[0];
          if (does === "redeem") {
            const { body } = await redeem(api, voucher.code, customers[who]);
            // Without a customer a limit per customer is a refusal.
            if (body.redemptions) ids.push(body.redemptions[0].id);
          }
          if (does === "wait") clock.advance({ hours: which });
          if (does === "undo" && ids.length > 0) {
            await api.post(`/v1/redemptions/${ids.splice(which % ids.length, 1)[0]}/rollback`, {}, 200);
          }
          if (does === "open") {
            await context.db.transaction((tx) => openHistories(tx, project.id, [{ kind: "voucher", id: voucher.id }]));
          }
        }
        const day = new Date(clock.now()).toISOString().slice(0, 10);
        const counted = vouchers.flatMap(({ id }) =>
          [null, ...customers].flatMap((customer_id) =>
            (customer_id === null ? [null, project.app_id, "key-other"] : [null]).flatMap((channel_id) =>
              [null, day, "2026-02-20"].map(
                (since): Counted => ({ scope: { column: "voucher_id", id }, customer_id, channel_id, since }),
              ),
            ),
          ),
        );
        let read = await readCounts(context.db, project.id, counted);
        if ("too_long" in read) {
          const { too_long } = read;
          await context.db.transaction((tx) => openHistories(tx, project.id, too_long));
          read = await readCounts(context.db, project.id, counted);
        }
        expect(read).toEqual({ sums: await Promise.all(counted.map(plainCount)) });
      }),
      { numRuns: 6 },
    );
  });
});

describe("a limit that is set late", () => {
  test("on a key counts what the key redeemed before, and exactly what is left, whatever comes at once", async () => {
    const voucher = await aVoucher();
    await past({ voucher_id: voucher.id, count: 770 });
    const before = (await plainCount(ofKey(voucher.id))).redemptions;
    const rule_id = await aRule(["redemption.count.per_api_key", before + 9]);
    await api.post(`/v1/validation-rules/${rule_id}/assignments`, { voucher: voucher.code }, 200);
    expect(redeemed(await rush(32, (node) => redeem(node, voucher.code)))).toBe(9);
    expect((await plainCount(ofKey(voucher.id))).redemptions).toBe(before + 9);
  });

  test("on a customer counts of all the customer's redemptions those of the voucher, while they are undone beside it", async () => {
    const guest = await aCustomer();
    const others = await Promise.all([aVoucher(), aVoucher(), aVoucher()]);
    for (const { id } of others) await past({ voucher_id: id, customer_ids: [guest], count: 150 });
    const voucher = await aVoucher(["redemption.count.per_customer", 5]);
    const earlier = await Promise.all(Array.from({ length: 3 }, () => redeem(api, voucher.code, guest)));
    const ids = earlier.map(({ body }) => body.redemptions[0].id);
    const answers = await rush(24, (node, i) =>
      i < 3 ? node.post(`/v1/redemptions/${ids[i]}/rollback`) : redeem(node, voucher.code, guest),
    );
    const left = await plainCount({
      scope: { column: "voucher_id", id: voucher.id },
      customer_id: guest,
      channel_id: null,
      since: null,
    });
    expect(left.redemptions).toBeLessThanOrEqual(5);
    expect(redeemed(answers.slice(3)) + 3 - 3).toBe(left.redemptions);
    while (redeemed([await redeem(api, voucher.code, guest)]) > 0) left.redemptions += 1;
    expect(left.redemptions).toBe(5);
  });

  test("on a key of a promotion tier counts exactly, though nobody holds the tier", async () => {
    const tier = { name: "t", banner: "b", action: { discount } };
    const { body } = await api.post(
      "/v1/campaigns",
      { name: aName("P"), campaign_type: "PROMOTION", promotion: { tiers: [tier] } },
      200,
    );
    const tier_id = body.promotion.tiers[0].id;
    const ask = (node: typeof api) =>
      node.post("/v1/redemptions", {
        redeemables: [{ object: "promotion_tier", id: tier_id }],
        order: { amount: 900 },
      });
    expect(redeemed(await rush(20, ask))).toBe(20);
    const rule_id = await aRule(["redemption.count.per_api_key", 27]);
    await api.post(
      `/v1/validation-rules/${rule_id}/assignments`,
      { related_object_type: "promotion_tier", related_object_id: tier_id },
      200,
    );
    expect(redeemed(await rush(20, ask))).toBe(7);
  });
});

const ofKey = (id: string): Counted => ({
  scope: { column: "voucher_id", id },
  customer_id: null,
  channel_id: project.app_id,
  since: null,
});

test("60,000 redemptions are counted as quickly as none", async () => {
  const limits: [string, number][] = [
    ["redemption.count.per_api_key", 1e6],
    ["redemption.count.per_customer", 1e6],
    ["redemption.count.monthly", 1e6],
  ];
  const [voucher, fresh] = [await aVoucher(...limits), await aVoucher(...limits)];
  const [guest, newcomer] = [await aCustomer(), await aCustomer()];
  await past({ voucher_id: voucher.id, customer_ids: [guest], count: 60_000 });
  const quickest = async (code: string, customer_id: string) => {
    const times: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      const begun = performance.now();
      expect((await redeem(api, code, customer_id)).status).toBe(200);
      times.push(performance.now() - begun);
    }
    return Math.min(...times);
  };
  const quiet = await quickest(fresh.code, newcomer);
  // One by one they took 110 ms more. The first of all makes the rows that count from then on.
  expect(await quickest(voucher.code, guest)).toBeLessThan(quiet + 30);
});
