import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { by_the_clock } from "../../../test/harness/by-the-clock.js";
import { type Answer, createClient } from "../../../test/harness/client.js";
import { startService } from "../../../test/harness/service.js";
import { type Counted, readCounts, sumUnitsOfHistories, type UnitsAsked } from "../../books/index.js";
import { sql } from "../../platform/db/sql.js";
import { Problem } from "../../platform/http/problems.js";
import { addPast, historiesOf, type Past, summed } from "./histories.fixtures.js";
import { HistoriesTooLong, withHistories } from "./histories.js";

const { api, clock, context, project, runDue } = await startService();
// A process shares transactions among its requests; only another one, with connections of its own, races with it.
const second = await startService();
const nodes = [api, createClient(second.url, { "x-app-id": project.app_id, "x-app-token": project.app_token })];
const discount = { type: "AMOUNT", amount_off: 100 };
const cups_off = { type: "PERCENT", percent_off: 50, effect: "APPLY_TO_ITEMS" };

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
  const validation_rules = limits.length === 0 ? [] : [await aRule(...limits)];
  return aVoucherOf({ discount, validation_rules });
}

async function aVoucherOf(fields: object) {
  const code = aName("V");
  const { id } = (await api.post(`/v1/vouchers/${code}`, fields, 200)).body;
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
    order: { items: [{ product_id: "cup", quantity: 2, price: 500 }] },
  });
const redeemed = (answers: Answer[]) => answers.filter(({ status }) => status === 200).length;
const rush = (count: number, ask: (node: typeof api, i: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, i) => ask(nodes[i % 2] as typeof api, i)));

const { plainCount, plainUnits, count, read } = historiesOf(context, project.id);

describe("counts are those of the redemptions, one by one", () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ does: fc.constant("redeem" as const), which: fc.nat(3), who: fc.nat(2) }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constant("undo" as const), which: fc.nat(99), who: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("wait" as const), which: fc.nat(50), who: fc.nat(2) }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constant("count" as const), which: fc.nat(300), who: fc.nat(2) }) },
  );

  test("whatever is redeemed and undone, before, while and after a history is counted in rows, rule or no rule", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        const customers = [await aCustomer(), await aCustomer()];
        // Two that are looked at with each redemption, two that nobody counts until a step does.
        const vouchers = [
          await aVoucher(["redemption.count.per_api_key", 1e6], ["redemption.count.per_customer.monthly", 1e6]),
          await aVoucher(["redemption.count.daily", 1e6], ["campaign.orders.amount", 1e9]),
          await aVoucherOf({ discount: cups_off }),
          await aVoucher(),
        ];
        for (const { id } of vouchers.slice(0, 3)) await past({ voucher_id: id, customer_ids: customers });
        const ids: string[] = [];
        for (const { id } of await context.db.many<{ id: string }>(sql`
          select redemptions.id from redemptions where redemptions.project_id = ${project.id}
             and redemptions.voucher_id = ${vouchers[2]?.id} and redemptions.status = 'SUCCEEDED'
           order by redemptions.created_at, redemptions.id limit 20`))
          ids.push(id);
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
          if (does === "count") {
            const customer = customers[who];
            await count(customer ? { kind: "customer", id: customer } : { kind: "voucher", id: voucher.id }, 1 + which);
          }
        }
        const day = new Date(clock.now()).toISOString().slice(0, 10);
        const counted = vouchers.flatMap(({ id }) =>
          [null, ...customers].flatMap((customer_id) =>
            (customer_id === null ? [null, project.app_id, "key-other"] : [null]).flatMap((channel_id) =>
              [null, day, "2026-02-20"].map(
                (since): Counted => ({ scope: { object: "voucher", id }, customer_id, channel_id, since }),
              ),
            ),
          ),
        );
        expect((await read(() => readCounts(context.db, project.id, counted))).sums).toEqual(
          await Promise.all(counted.map(plainCount)),
        );
        const asked = vouchers.flatMap(({ id: object_id }) =>
          [
            { kind: "voucher" as const, id: object_id },
            ...customers.map((id) => ({ kind: "customer" as const, id })),
          ].map((history): UnitsAsked => ({ object_id, history })),
        );
        const { units } = await read(() => sumUnitsOfHistories(context.db, project.id, asked, null));
        expect(units.map(summed)).toEqual(await Promise.all(asked.map(plainUnits)));
      }),
      { numRuns: 6 },
    );
  }, 60_000);
});

describe("a history that has become long", () => {
  const isCounted = async (id: string) =>
    (await context.db.maybe(sql`
      select from long_histories where long_histories.project_id = ${project.id} and long_histories.id = ${id}
         and long_histories.counted_to = 'infinity'`)) !== undefined;

  test("is noticed while it is redeemed, whoever asks, and counted by a schedule", async () => {
    const voucher = await aVoucher();
    const guest = await aCustomer();
    await past({ voucher_id: voucher.id, customer_ids: [guest], count: 300 });
    // A few in a hundred are looked at.
    for (let i = 0; i < 2_000 && !(await isCounted(voucher.id)); i += 16) {
      await rush(16, (node) => redeem(node, voucher.code, guest));
      await runDue();
    }
    expect([await isCounted(voucher.id), await isCounted(guest)]).toEqual([true, true]);
    expect((await read(() => readCounts(context.db, project.id, [ofKey(voucher.id)]))).sums).toEqual([
      await plainCount(ofKey(voucher.id)),
    ]);
  });

  test("and that takes longer to count than a request may wait is told as busy, and counted further by the next", async () => {
    const { id } = await aVoucher();
    await past({ voucher_id: id, count: 12_000, days: 12_000 });
    const ask = async () => {
      const found = await readCounts(context.db, project.id, [ofKey(id)]);
      if ("too_long" in found) throw new HistoriesTooLong(found.too_long);
      return found.sums;
    };
    const asked = () => withHistories(context.db, project.id, ask, 0);
    for (let slices = 1; slices <= 2; slices += 1) {
      const refused = await asked().catch((error) => error);
      expect(refused).toBeInstanceOf(Problem);
      expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    }
    expect(await asked()).toEqual([await plainCount(ofKey(id))]);
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
      scope: { object: "voucher", id: voucher.id },
      customer_id: guest,
      channel_id: null,
      since: null,
    });
    expect(left.redemptions).toBeLessThanOrEqual(5);
    expect(redeemed(answers.slice(3)) + 3 - 3).toBe(left.redemptions);
    while (redeemed([await redeem(api, voucher.code, guest)]) > 0) left.redemptions += 1;
    expect(left.redemptions).toBe(5);
  });

  test("on the units of a customer counts those given before, and gives what is left, whatever comes at once", async () => {
    const guest = await aCustomer();
    const voucher = await aVoucherOf({ discount: cups_off });
    await past({ voucher_id: voucher.id, customer_ids: [guest] });
    const given = async () =>
      (await plainUnits({ object_id: voucher.id, history: { kind: "customer", id: guest } })).reduce(
        (sum, { units }) => sum + units,
        0,
      );
    const before = await given();
    const included = [{ object: "product", id: "cup", product_customer_campaign_quantity_limit: before + 7 }];
    const rule = { name: aName("rule"), rules: { logic: "" }, applicable_to: { included } };
    const rule_id = (await api.post("/v1/validation-rules", rule, 200)).body.id;
    await api.post(`/v1/validation-rules/${rule_id}/assignments`, { voucher: voucher.code }, 200);
    await rush(12, (node) => redeem(node, voucher.code, guest));
    expect(await given()).toBe(before + 7);
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
  scope: { object: "voucher", id },
  customer_id: null,
  channel_id: project.app_id,
  since: null,
});

test("60,000 redemptions and their units are counted as quickly as none", by_the_clock, async () => {
  const limits: [string, number][] = [
    ["redemption.count.per_api_key", 1e6],
    ["redemption.count.per_customer", 1e6],
    ["redemption.count.monthly", 1e6],
  ];
  const included = [{ object: "product", id: "cup", product_customer_campaign_quantity_limit: 1e6 }];
  const rule_id = await aRule(...limits);
  await api.put(`/v1/validation-rules/${rule_id}`, { applicable_to: { included } }, 200);
  const validation_rules = [rule_id];
  const [voucher, fresh] = [
    await aVoucherOf({ discount: cups_off, validation_rules }),
    await aVoucherOf({ discount: cups_off, validation_rules }),
  ];
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
  for (const history of [{ kind: "voucher", id: voucher.id } as const, { kind: "customer", id: guest } as const])
    while (!(await count(history)));
  // With what is known then a scan that stops at the first few is thought to be short.
  await context.db.run(sql`analyze redemptions`);
  // One by one they took 110 ms more, and their units as much again.
  expect(await quickest(voucher.code, guest)).toBeLessThan(quiet + 30);
});
