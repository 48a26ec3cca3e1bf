import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { aMember, aProgram } from "../../loyalties/loyalty.fixtures.js";
import { aShop, type Filter, is, type Shop, vip } from "./membership.fixtures.js";

const service = await startService();
const { clock, management } = service;

describe("the members of an auto-update segment (rules.md §14)", () => {
  test("are all that its filter holds when it is made, and nobody is told", async () => {
    const project = await aShop(service);
    await project.manyCustomers(450, { vip: true });
    await project.aCustomer("plain");
    const id = await project.aSegment(vip);
    await project.runDue();
    expect(await project.members(id)).toHaveLength(450);
    expect(await project.told()).toEqual([]);
    expect((await project.api.get(`/v1/customers?segment_id=${id}&limit=1`, 200)).body.total).toBe(450);
  });

  test("enter and leave as customers change, each told once, however often it is looked at", async () => {
    const project = await aShop(service);
    const id = await project.aSegment(vip);
    await project.runDue();
    const ann = await project.aCustomer("ann", { metadata: { vip: true } });
    await project.runDue();
    clock.advance({ minutes: 1 });
    await project.aCustomer("ann", { name: "Ann" });
    await project.runDue();
    expect(await project.members(id)).toEqual(["ann"]);
    expect(await project.told()).toEqual(["+ann"]);
    clock.advance({ minutes: 1 });
    await project.aCustomer("ann", { metadata: { vip: false } });
    await project.runDue();
    clock.advance({ minutes: 1 });
    await project.aCustomer("ann", { metadata: { vip: true } });
    await project.runDue();
    expect(await project.told()).toEqual(["+ann", "-ann", "+ann"]);
    const { body } = await project.api.get(`/v1/customers/${ann}/activity?limit=1`, 200);
    expect(body.data[0]).toMatchObject({
      type: "customer.segment.entered",
      data: { data: { customer: { id: ann, source_id: "ann" }, segment: { id, name: "S", object: "segment" } } },
    });
  });

  test("follow the customer's tier, and are told with it", async () => {
    const project = await aShop(service);
    const { id: program_id } = await aProgram(project);
    await project.api.post(`/v1/loyalties/${program_id}/tiers`, [{ name: "Gold", points: { from: 100 } }], 200);
    await project.aSegment({ junction: "and", "loyalty_tier.name": is("Gold") });
    const { card } = await aMember(project, { id: program_id }, "ann");
    await project.runDue();
    expect(await project.told()).toEqual([]);
    for (const [points, told] of [
      [120, ["+ann"]],
      [-60, ["+ann", "-ann"]],
      [50, ["+ann", "-ann", "+ann"]],
    ] as const) {
      clock.advance({ minutes: 1 });
      await project.api.post(`/v1/loyalties/members/${card.code}/balance`, { points }, 200);
      await project.runDue();
      expect(await project.told()).toEqual(told);
    }
  });

  test("follow what is left on a gift card, whoever redeems it, and go with its campaign", async () => {
    const project = await aShop(service);
    await project.aCustomer("ann");
    const voucher = { type: "GIFT_VOUCHER", gift: { amount: 500 } };
    const sent = { name: "Cards", campaign_type: "GIFT_VOUCHERS", voucher, vouchers_count: 1 };
    const campaign = (await project.api.post("/v1/campaigns", sent, 200)).body;
    await project.runDue();
    const given = { customer: { source_id: "ann" }, campaign: { name: "Cards" } };
    const { code } = (await project.api.post("/v1/publications", given, 200)).body.voucher;
    const more_than = (amount: number) => ({ conditions: { $more_than: [amount] } });
    const some = await project.aSegment({
      junction: "and",
      "summary.redemptions.gift.amount_to_go": more_than(0),
    });
    const full = await project.aSegment({
      junction: "and",
      "summary.redemptions.gift.amount_to_go": more_than(400),
    });
    await project.runDue();
    clock.advance({ minutes: 1 });
    const redeemables = [{ object: "voucher", id: code, gift: { credits: 200 } }];
    const order = { amount: 1000 };
    const { id } = (await project.api.post("/v1/redemptions", { redeemables, order }, 200)).body.redemptions[0];
    await project.runDue();
    expect([await project.members(some), await project.members(full)]).toEqual([["ann"], []]);
    clock.advance({ minutes: 1 });
    await project.api.post(`/v1/redemptions/${id}/rollback`, {}, 200);
    await project.runDue();
    expect(await project.members(full)).toEqual(["ann"]);
    await project.api.delete(`/v1/campaigns/${campaign.id}`, 202);
    await project.runDue();
    await project.runDue();
    expect([await project.members(some), await project.members(full)]).toEqual([[], []]);
  });

  test("follow an order that becomes another customer's: of the former one too, by whatever way", async () => {
    const project = await aShop(service);
    for (const name of ["ann", "bob", "cid", "dee"]) await project.aCustomer(name);
    const id = await project.aSegment({ junction: "and", "summary.orders.total_count": is(1) });
    await project.runDue();
    clock.advance({ minutes: 1 });
    const order = { source_id: "o-1", amount: 100, status: "PAID" };
    const { body } = await project.api.post("/v1/orders", { ...order, customer: { source_id: "ann" } }, 200);
    const code = (await project.api.post("/v1/vouchers", { discount: { type: "AMOUNT", amount_off: 10 } }, 200)).body
      .code;
    const redeemables = [{ object: "voucher", id: code }];
    const of = (source_id: string) => ({ order: { id: body.id }, customer: { source_id } });
    const ways: [string, () => Promise<unknown>][] = [
      ["ann", async () => undefined],
      ["bob", () => project.api.put(`/v1/orders/${body.id}`, { customer: { source_id: "bob" } }, 200)],
      ["cid", () => project.api.post("/v1/orders/import", [{ ...order, customer: { source_id: "cid" } }], 200)],
      ["dee", () => project.api.post("/v1/redemptions", { redeemables, ...of("dee") }, 200)],
    ];
    for (const [name, happens] of ways) {
      await happens();
      await project.runDue();
      clock.advance({ minutes: 1 });
      expect(await project.members(id)).toEqual([name]);
    }
    expect((await project.told()).sort()).toEqual(["+ann", "+bob", "+cid", "+dee", "-ann", "-bob", "-cid"]);
  });

  test.each<[string, Filter, (project: Shop) => Promise<unknown>]>([
    [
      "an order",
      { "summary.orders.total_count": is(1) },
      ({ api }) => api.post("/v1/orders", { amount: 100, status: "PAID", customer: { source_id: "ann" } }, 200),
    ],
    [
      "an order that is paid later",
      { "summary.orders.total_amount": { conditions: { $more_than: [50] } } },
      async ({ api }) => {
        const { body } = await api.post("/v1/orders", { amount: 100, customer: { source_id: "ann" } }, 200);
        await api.put(`/v1/orders/${body.id}`, { status: "PAID" }, 200);
      },
    ],
    [
      "a bulk update",
      vip,
      ({ api }) => api.post("/v1/customers/bulk/async", [{ source_id: "ann", metadata: { vip: true } }], 202),
    ],
    [
      "a redemption",
      { "summary.redemptions.total_succeeded": is(1) },
      async ({ api }) => {
        await api.post("/v1/vouchers/R", { discount: { type: "AMOUNT", amount_off: 1 } }, 200);
        const redeemables = [{ object: "voucher", id: "R" }];
        await api.post("/v1/redemptions", { redeemables, customer: { source_id: "ann" } }, 200);
      },
    ],
    [
      "a rollback",
      { "summary.redemptions.total_rolled_back": is(1) },
      async ({ api }) => {
        await api.post("/v1/vouchers/B", { discount: { type: "AMOUNT", amount_off: 1 } }, 200);
        const redeemables = [{ object: "voucher", id: "B" }];
        const sent = { redeemables, customer: { source_id: "ann" } };
        const { id } = (await api.post("/v1/redemptions", sent, 200)).body.redemptions[0];
        await api.post(`/v1/redemptions/${id}/rollback`, {}, 200);
      },
    ],
    [
      "a custom event",
      { "events.sign_up.count": is(1) },
      async ({ api, id }) => {
        const schemas = `/management/v1/projects/${id}/custom-event-schemas`;
        await management.post(schemas, { name: "sign_up", schema: { properties: {} } }, 200);
        await api.post("/v1/events", { event: "sign_up", customer: { source_id: "ann" } }, 200);
      },
    ],
    [
      "a publication",
      { "publications.created_at": { conditions: { $has_value: [] } } },
      async ({ api }) => {
        await api.post("/v1/vouchers/P", { discount: { type: "AMOUNT", amount_off: 1 } }, 200);
        await api.post("/v1/publications", { voucher: "P", customer: { source_id: "ann" } }, 200);
      },
    ],
    [
      "points",
      { "loyalty.points": { conditions: { $more_than: [10] } } },
      async ({ api }) => {
        const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 5 } };
        const program = (await api.post("/v1/loyalties", { name: "L", voucher }, 200)).body.id;
        const customer = { source_id: "ann" };
        const card = (await api.post(`/v1/loyalties/${program}/members`, { customer }, 200)).body.code;
        await service.runDue();
        await api.post(`/v1/vouchers/${card}/balance`, { amount: 10 }, 200);
      },
    ],
  ])("enter by %s", async (_, filter, happen) => {
    const project = await aShop(service);
    await project.aCustomer("ann");
    const id = await project.aSegment({ junction: "and", ...filter });
    await project.runDue();
    expect(await project.members(id)).toEqual([]);
    await happen(project);
    await project.runDue();
    expect(await project.members(id)).toEqual(["ann"]);
    expect(await project.told()).toEqual(["+ann"]);
  });

  test("enter and leave as days pass where the project is, told once", async () => {
    const project = await aShop(service, { timezone: "Pacific/Auckland" });
    clock.set("2026-09-26T11:00:00Z"); // The 26th, 23:00; the clocks go forward on the 27th.
    const filter = { junction: "and", created_at: { conditions: { $more_than: [1], $less_than: [3] } } };
    await project.aCustomer("ann");
    const id = await project.aSegment(filter);
    const membersAt = async (instant: string) => {
      clock.set(instant);
      await project.runDue();
      return project.members(id);
    };
    expect(await membersAt("2026-09-27T10:59:00Z")).toEqual([]); // The 27th, 23:59.
    expect(await membersAt("2026-09-27T11:00:00Z")).toEqual(["ann"]); // The 28th: two days ago.
    expect(await membersAt("2026-09-28T10:59:00Z")).toEqual(["ann"]);
    expect(await membersAt("2026-09-28T11:00:00Z")).toEqual([]);
    expect(await project.told()).toEqual(["+ann", "-ann"]);
  });

  test("are judged once for the days that were missed", async () => {
    const project = await aShop(service);
    await project.aCustomer("ann", { birthdate: "1990-03-20" });
    const id = await project.aSegment({ junction: "and", birthdate: { conditions: { $today_md: [true] } } });
    clock.set("2026-10-01T10:00:00Z");
    await project.runDue();
    clock.set("2027-03-20T10:00:00Z");
    await project.runDue();
    expect(await project.members(id)).toEqual(["ann"]);
    expect(await project.told()).toEqual(["+ann"]);
  });

  test("of a passive or static segment are not kept, and never told", async () => {
    const project = await aShop(service);
    await project.aSegment(vip, "passive");
    await project.api.post("/v1/segments", { name: "static", type: "static", customers: [] }, 200);
    await project.aCustomer("ann", { metadata: { vip: true } });
    await project.runDue();
    expect(await project.memberships()).toBe(0);
    expect(await project.told()).toEqual([]);
  });

  test("are gone with the segment, and with the customer; nobody is told to have left", async () => {
    const project = await aShop(service);
    const [ended, kept] = [await project.aSegment(vip), await project.aSegment(vip)];
    await project.runDue();
    for (const name of ["ann", "bob"]) await project.aCustomer(name, { metadata: { vip: true } });
    await project.runDue();
    expect(await project.memberships()).toBe(4);
    await project.api.delete(`/v1/segments/${ended}`, 204);
    await project.api.delete("/v1/customers/ann", 204);
    await project.runDue();
    expect(await project.members(kept)).toEqual(["bob"]);
    expect(await project.memberships()).toBe(1);
    expect((await project.told()).filter((one) => one.startsWith("-"))).toEqual([]);
  });
});
