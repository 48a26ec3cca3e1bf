import { describe, expect, test } from "vitest";
import type { StoredEvent } from "../../src/events/event.js";
import { toldAs } from "../../src/events/twins.js";
import { aMember, aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import { aReward, coin, given } from "../../src/features/rewards/reward.fixtures.js";
import { sql } from "../../src/platform/db/sql.js";
import { startService } from "../harness/service.js";
import { an_order, aShop, aStockedShop, asked, type Shop } from "./shop.fixtures.js";

const service = await startService();
const eventsOf = ({ id }: Shop) =>
  service.context.db.many<StoredEvent>(sql`
    select events.id, events.type, events.entity_id, events.customer_id, events.data from events where events.project_id = ${id} `);

/** The events that this work leaves. */
async function toldBy(shop: Shop, work: () => Promise<unknown>) {
  const before = new Set((await eventsOf(shop)).map(({ id }) => id));
  await work();
  return (await eventsOf(shop)).filter(({ id }) => !before.has(id));
}
const typesOf = (events: StoredEvent[]) => events.map(({ type }) => type).sort();

describe("what is told (redemption.md §19, events-and-webhooks.md §4)", () => {
  test("of one redemption: that, and what became of the order", async () => {
    const shop = await aStockedShop(service);
    const types = typesOf(await toldBy(shop, () => shop.redeem(["A"])));
    expect(types).toEqual(["customer.order.created", "customer.order.paid", "redemption.succeeded"]);
  });

  test("of a new customer: that they were created; of a known one only what changed", async () => {
    const shop = await aStockedShop(service);
    const redeem = (customer: Record<string, unknown>) => shop.redeem(["A"], { customer });
    expect(typesOf(await toldBy(shop, () => redeem({ source_id: "ann" })))).toEqual([
      "customer.created",
      "redemption.succeeded",
    ]);
    expect(typesOf(await toldBy(shop, () => redeem({ source_id: "ann" })))).toEqual(["redemption.succeeded"]);
    expect(typesOf(await toldBy(shop, () => redeem({ source_id: "ann", name: "Ann" })))).toEqual([
      "customer.updated",
      "redemption.succeeded",
    ]);
  });

  test("of a stack of three: one for each and one for their parent", async () => {
    const shop = await aStockedShop(service);
    const types = typesOf(await toldBy(shop, () => shop.redeem(["A", "B", "C"], {})));
    expect(types).toEqual(Array.from({ length: 4 }, () => "redemption.succeeded"));
  });

  test("of a failure: one, however many were asked for; nothing of what was refused before", async () => {
    const shop = await aStockedShop(service);
    const customer = { source_id: "ann", name: "Ann" };
    const types = typesOf(await toldBy(shop, () => shop.redeem(["A", "OFF", "OUT"], { customer }, 400)));
    expect(types).toEqual(["redemption.failed"]);
    expect(await toldBy(shop, () => shop.redeem(["A", "A"], {}, 400))).toEqual([]);
    expect(await toldBy(shop, () => shop.redeem(["A"], { customer: { id: "NIL" } }, 404))).toEqual([]);
  });

  test("of a gift card: each movement of its balance, there and back", async () => {
    const shop = await aShop(service);
    await shop.voucher("GIFT", { gift: { amount: 500 } });
    const order = (await shop.api.post("/v1/orders", { amount: 300, status: "PAID" }, 200)).body;
    let redemption = "";
    const spent = await toldBy(shop, async () => {
      redemption = (await shop.redeem(["GIFT"], { order: { id: order.id } })).redemptions[0].id;
    });
    expect(typesOf(spent)).toContain("voucher.gift.transaction.created");
    expect(typesOf(spent)).toContain("redemption.succeeded");
    const back = typesOf(await toldBy(shop, () => shop.api.post(`/v1/redemptions/${redemption}/rollback`, {}, 200)));
    expect(back).toEqual([
      "customer.order.canceled",
      "redemption.rollback.succeeded",
      "voucher.gift.transaction.created",
    ]);
  });

  test("of points: each movement of the balance", async () => {
    const shop = await aShop(service);
    const program = await aProgram(shop, {}, 700);
    const reward = await aReward(shop, coin(40, 5));
    await given(shop, program, reward);
    const { card } = await aMember(shop, program);
    const pay = asked(card.code, { reward: { id: reward.id, points: 80 } });
    const told = await toldBy(shop, () => shop.redeem([pay], { order: an_order, customer: { id: card.holder_id } }));
    const names = ["voucher.loyalty_card.transaction.created", "customer.redemption.succeeded"] as const;
    const twins = told.flatMap((event) => toldAs(event, names));
    expect(twins.map(({ type }) => type).sort()).toEqual([...names].sort());
  });

  test("of a rollback of two: one for each and one for their parent", async () => {
    const shop = await aStockedShop(service);
    const { parent_redemption } = await shop.redeem(["A", "B"], {});
    const path = `/v1/redemptions/${parent_redemption.id}/rollbacks`;
    const types = typesOf(await toldBy(shop, () => shop.api.post(path, {}, 200)));
    expect(types).toEqual(Array.from({ length: 3 }, () => "redemption.rollback.succeeded"));
    expect(typesOf(await toldBy(shop, () => shop.api.post(path, {}, 400)))).toEqual(["redemption.rollback.failed"]);
  });

  test("of a rollback of what is older than three months: that it failed", async () => {
    const shop = await aStockedShop(service);
    const [{ id }] = (await shop.redeem(["A"], {})).redemptions;
    service.clock.advance({ days: 93 });
    const rollBack = () => shop.api.post(`/v1/redemptions/${id}/rollback`, {}, 400);
    const events = await toldBy(shop, rollBack);
    expect(typesOf(events)).toEqual(["redemption.rollback.failed"]);
    expect((await shop.record(id)).status).toBe("SUCCEEDED");
  });

  test("of a validation: nothing that a webhook would hear", async () => {
    const shop = await aStockedShop(service);
    const session = { type: "LOCK" };
    const customer = { source_id: "ann" };
    expect(await toldBy(shop, () => shop.validate(["A"], { order: an_order, customer }))).toEqual([]);
    expect(await toldBy(shop, () => shop.validate(["A"], { order: an_order, session }))).toEqual([]);
  });
});
