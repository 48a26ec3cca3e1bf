import { afterAll, describe, expect, test } from "vitest";
import { aDatabase } from "../../../test/harness/database.js";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { importsOn } from "../imports/import.fixtures.js";
import { aMember, aName, aProgram } from "../loyalties/loyalty.fixtures.js";
import { aReceiver } from "../management/send-outs/receiver.fixtures.js";
import { aMarker, tablesWith as dumped } from "./permanent-deletion.fixtures.js";
import { settled_ms } from "./traces.js";

// All tables are read, and what other files left there is much.
const database_url = await aDatabase(afterAll);
const service = await startService({ webhook_allow_private: true, database_url });
const { context, management, runDue, clock } = service;
const tablesWith = (marker: string) => dumped(context.db, marker);

const booksOf = ({ id }: { id: string }) =>
  context.db.many(sql`
    select ledger_entries.id, ledger_entries.amount, ledger_entries.balance, ledger_entries.total, ledger_entries.type
      from ledger_entries where ledger_entries.project_id = ${id}
    union all
    select pending_points.id, pending_points.points, 0, 0, pending_points.status
      from pending_points where pending_points.project_id = ${id}
    order by 1`);

/** With what is looked for once more, minutes later. */
async function forget({ api }: Awaited<ReturnType<typeof service.anotherProject>>, id: string): Promise<void> {
  await api.post(`/v1/customers/${id}/permanent-deletion`, undefined, 200);
  clock.advance({ ms: settled_ms });
  await runDue();
}

describe("a permanent deletion leaves nothing of the person", () => {
  test("in the books of their cards, and what counts as it was", async () => {
    const project = await service.anotherProject();
    const { api } = project;
    const { marker, marked } = aMarker();
    const program = await aProgram(project);
    const rule = { event: "order.paid", loyalty: { type: "FIXED", points: 10 }, source: { banner: "Paid" } };
    const pending_points = { period_type: "DAY", period_value: 5 };
    await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule, { ...rule, pending_points }], 200);
    const { card, source_id } = await aMember(project, program);
    const customer = { source_id };
    for (const name of ["order", "another"]) {
      const order = { source_id: marked(name), customer, amount: 1_000, status: "PAID" };
      await api.post("/v1/orders", order, 200);
    }
    await runDue();
    const [waits] = (await api.get(`/v1/loyalties/members/${card.id}/pending-points`, 200)).body.data;
    await api.post(`/v1/loyalties/members/${card.id}/pending-points/${waits.id}/activate`, undefined, 200);
    const by_hand = { points: 50, reason: marked("reason"), source_id: marked("by-hand") };
    await api.post(`/v1/loyalties/members/${card.code}/balance`, by_hand, 200);
    const other = await aMember(project, program);
    const given = [{ code: card.code, points: 5, reason: marked("to a friend"), source_id: marked("transfer") }];
    await api.post(`/v1/loyalties/${program.id}/members/${other.card.code}/transfers`, given, 200);
    // A gift card that was sold to nobody is theirs by what they do with it.
    const gift = aName("GIFT");
    await api.post(`/v1/vouchers/${gift}`, { type: "GIFT_VOUCHER", gift: { amount: 5_000 } }, 200);
    const redeemables = [{ object: "voucher", id: gift, gift: { credits: 100 } }];
    const order = { source_id: marked("gift-order"), amount: 1_000 };
    const redeemed = await api.post("/v1/redemptions", { redeemables, customer, order }, 200);
    const [{ id }] = redeemed.body.redemptions;
    await api.post(`/v1/redemptions/${id}/rollback?reason=${marked("rollback")}`, {}, 200);
    await runDue();
    expect(await tablesWith(marker)).toEqual(
      expect.arrayContaining(["ledger_entries", "pending_points", "redemptions", "orders"]),
    );
    const before = await booksOf(project);

    await forget(project, card.holder_id);
    expect(await tablesWith(marker)).toEqual([]);
    expect(await booksOf(project)).toEqual(before);
    const { data } = (await api.get(`/v1/loyalties/members/${card.id}/transactions`, 200)).body;
    expect(data.map(({ reason, source_id }: Record<string, unknown>) => [reason, source_id])).toEqual(
      data.map(() => [null, null]),
    );
    expect(data.length).toBe(6);
  });

  test("in what others were told who came by their code, or were sent beside them", async () => {
    const project = await service.anotherProject();
    const { api } = project;
    const { marker, marked } = aMarker();
    const receiver = await aReceiver();
    const own = `/management/v1/projects/${project.id}`;
    const events = ["redemption.succeeded", "customer.created", "voucher.updated", "publication.succeeded"];
    await management.post(`${own}/webhooks`, { target_url: receiver.url, events }, 200);
    const channel = { type: "webhook", event_name: "told", target_url: receiver.url };
    const designed = { ...channel, payload: '{"customer": {"name": {{customer.name}}}, "by": {{referrer.name}}}' };
    for (const [event, by] of [
      ["customer.referred", channel],
      ["customer.order.paid", designed],
    ] as const) {
      const automation = { name: aName("Tells"), trigger: { event }, action: { type: "SEND" }, channel: by };
      await management.post(`${own}/automations`, automation, 200);
    }
    const discount = { type: "AMOUNT", amount_off: 100 };
    const friends = { name: aName("Friends"), campaign_type: "REFERRAL_PROGRAM", voucher: { discount } };
    const campaign = (await api.post("/v1/campaigns", friends, 200)).body;
    const person = { source_id: marked("source"), name: marked("name"), email: `${marker}@example.com` };
    const published = (await api.post("/v1/publications", { campaign: { name: campaign.id }, customer: person }, 200))
      .body;
    const { id } = published.customer;
    const friend = { source_id: aName("friend"), name: "Friend" };
    const redeemables = [{ object: "voucher", id: published.voucher.code }];
    await api.post("/v1/redemptions", { redeemables, customer: friend, order: { amount: 1_000 } }, 200);
    const order = { customer: friend, referrer: { id }, amount: 1_000, status: "PAID" };
    await api.post("/v1/orders", order, 200);
    await api.post("/v1/customers", { source_id: aName("stranger") }, 200);
    await api.put(`/v1/vouchers/${published.voucher.code}`, { metadata: { seen: true } }, 200);
    await runDue();
    const told = receiver.received.filter(({ text }) => text.includes(marker));
    expect(
      new Set(told.map(({ body }) => `${body.event.type} ${(body.data.customer as { name: string } | null)?.name}`)),
    ).toEqual(
      new Set([
        `customer.created ${person.name}`,
        `publication.succeeded ${person.name}`,
        "customer.referred Friend",
        "redemption.succeeded Friend",
        "customer.order.paid Friend",
      ]),
    );

    await forget(project, id);
    expect(await tablesWith(marker)).toEqual([]);
    // What was told of somebody who has nothing to do with them stays.
    const { data } = (await management.get(`${own}/send-outs?limit=100`, 200)).body;
    expect(data.map(({ type }: { type: string }) => type)).toEqual(expect.arrayContaining(["customer.created"]));
  });

  test("in imports of customers and orders, and what they refused", async () => {
    const project = await service.anotherProject();
    const { api } = project;
    const { send, ended } = importsOn(service);
    const { marker, marked } = aMarker();
    const size = { type: "number", array: false, optional: false };
    const schema = { related_object: "customer", properties: { size } };
    await management.post(`/management/v1/projects/${project.id}/metadata-schemas`, schema, 200);
    const text =
      "Name,Email,Source_id,size\n" +
      `${marked("name")},${marker}@example.com,${marked("source")},1\n` +
      `Somebody,,${marked("source")},${marked("refused")}\n`;
    await ended(project, await send(api, "/v1/customers/importCSV", text, { status: 202 }));
    const { id } = (await api.get(`/v1/customers/${marked("source")}`, 200)).body;
    const customer = { source_id: marked("source"), metadata: { size: 2 } };
    await api.post("/v1/orders/import", [{ source_id: marked("order"), customer, amount: 1_000 }], 200);
    const off = { source_id: marked("source"), metadata: { size: marked("off") } };
    await api.post("/v1/customers/bulk/async", [off], 202);
    await runDue();
    expect(await tablesWith(marker)).toEqual(expect.arrayContaining(["async_actions", "customers", "orders"]));

    await forget(project, id);
    expect(await tablesWith(marker)).toEqual([]);
  });
});
