import { describe, expect, test } from "vitest";
import { startService, type TestProject } from "../../../../test/harness/service.js";
import { isoOf } from "../../../platform/clock.js";
import { sql } from "../../../platform/db/sql.js";
import { aCampaign, sends, shopsOn } from "./automation.fixtures.js";

const service = await startService({ webhook_allow_private: true });
const { clock, context, runDue } = service;
const aShop = shopsOn(service);

/** Hands each event out again that automations were told of, as whoever dies before it is noted would. */
async function handOutAgain({ id }: TestProject): Promise<void> {
  await context.db.run(sql`
    insert into inbox (project_id, consumer, event_id, created_at, due_at)
    select distinct events.project_id, 'automations', events.id, events.created_at, ${isoOf(clock.now())}::timestamptz
      from events join automation_steps on automation_steps.project_id = events.project_id
                                       and automation_steps.event_id = events.id
     where events.project_id = ${id}`);
}

describe("an automation that gives a code", () => {
  test("publishes it to the event's customer first, and then tells which", async () => {
    const shop = await aShop();
    const campaign = await aCampaign(shop.project);
    const action = { type: "PUBLISH", campaign_id: campaign.id };
    const automation = await shop.make(sends(shop.receiver.url, { action, trigger: { event: "customer.order.paid" } }));
    const { id } = await shop.customer();
    await shop.api.post("/v1/orders", { customer: { id }, amount: 1_000, status: "PAID" }, 200);
    await runDue();
    const [publication, ...others] = await shop.publications();
    expect(others).toEqual([]);
    const metadata = { source_type: "distribution", source_id: automation.id, distribution_id: automation.id };
    expect(publication).toMatchObject({ customer_id: id, channel: "Automation", result: "SUCCESS", metadata });
    const [message, ...repeated] = shop.receiver.received;
    expect(repeated).toEqual([]);
    expect(message?.body.data).toMatchObject({
      customer: { id },
      order: { amount: 1_000 },
      campaign: { id: campaign.id },
      voucher: { code: publication.voucher.code, holder_id: id },
      publication: { id: publication.id, metadata },
    });
    expect(await shop.activityOf({ id })).toContain("customer.publication.succeeded");
  });

  test("needs no channel: the code is given, and nobody is told", async () => {
    const shop = await aShop();
    const { id: campaign_id } = await aCampaign(shop.project);
    await shop.make({
      name: "welcome",
      trigger: { event: "customer.created" },
      action: { type: "PUBLISH", campaign_id },
    });
    const { id } = await shop.customer();
    await runDue();
    expect(await shop.publications()).toMatchObject([{ customer_id: id }]);
  });

  test("that has none left, or was deleted, tells nobody; what it was refused is in the customer's activity", async () => {
    const shop = await aShop();
    const campaign = await aCampaign(shop.project, { type: "STATIC", vouchers_count: 1 });
    await runDue();
    const action = { type: "PUBLISH", campaign_id: campaign.id };
    await shop.make(sends(shop.receiver.url, { action }));
    const [first, second] = [await shop.customer(), await shop.customer()];
    await runDue();
    const activities = [await shop.activityOf(first), await shop.activityOf(second)].flat();
    const of = (type: string) => activities.filter((one) => one === type);
    expect(of("customer.publication.succeeded")).toHaveLength(1);
    expect(of("customer.publication.failed")).toHaveLength(1);
    expect(shop.receiver.received).toHaveLength(1);
    await shop.api.delete(`/v1/campaigns/${campaign.id}?force=true`, 202);
    await runDue();
    await shop.customer();
    await runDue();
    expect(shop.receiver.received).toHaveLength(1);
  });

  test("stops where it sets itself off: one code for what follows from a request, and one for the next request", async () => {
    const shop = await aShop();
    const filter = { junction: "and", "metadata.vip": { conditions: { $is: [true] } } };
    const segment = await shop.api.post("/v1/segments", { name: "VIP", type: "auto-update", filter }, 200);
    await runDue();
    const { id: campaign_id } = await aCampaign(shop.project);
    const publishes = (event: string) =>
      shop.make({
        ...{ name: event, trigger: { event, segment_id: segment.body.id } },
        action: { type: "PUBLISH", campaign_id },
      });
    await publishes("customer.segment.entered");
    const { id } = await shop.customer({ metadata: { vip: true } });
    await runDue();
    // As if the code had moved the customer out of the segment and into it again.
    await context.db.run(sql`
      insert into events (project_id, id, type, entity_id, customer_id, group_id, event_source, data, created_at)
      select events.project_id, events.id || i, events.type, events.entity_id, events.customer_id, events.group_id,
             events.event_source, events.data, events.created_at
        from events cross join generate_series(1, 5) as i
       where events.project_id = ${shop.project.id} and events.type = 'customer.segment.entered'`);
    await context.db.run(sql`
      insert into outbox_parcels (project_id, created_at, facts)
      select events.project_id, events.created_at,
             json_build_array(json_build_object('id', events.id, 'type', events.type, 'entity_id', events.entity_id,
                                                'created_at', (extract(epoch from events.created_at) * 1000)::bigint))
        from events
       where events.project_id = ${shop.project.id} and events.type = 'customer.segment.entered'`);
    await runDue();
    expect(await shop.publications()).toHaveLength(1);
    for (const vip of [false, true]) {
      await shop.api.put(`/v1/customers/${id}`, { metadata: { vip } }, 200);
      await runDue();
    }
    expect(await shop.publications()).toHaveLength(2);
  });
});

describe("an event that is handed out again", () => {
  test("finds its code given and its message sent", async () => {
    const shop = await aShop();
    const { id: campaign_id } = await aCampaign(shop.project);
    await shop.make(sends(shop.receiver.url, { action: { type: "PUBLISH", campaign_id } }));
    await shop.make(sends(shop.receiver.url));
    for (let i = 0; i < 3; i += 1) await shop.customer();
    await runDue();
    await handOutAgain(shop.project);
    await runDue();
    expect(await shop.publications()).toHaveLength(3);
    expect(shop.receiver.received).toHaveLength(6);
  });

  test("after a death between the code and the message is sent the message with that code", async () => {
    const shop = await aShop();
    const { id: campaign_id } = await aCampaign(shop.project);
    await shop.make(sends(shop.receiver.url, { action: { type: "PUBLISH", campaign_id } }));
    await shop.customer();
    await runDue();
    await context.db.run(sql`
      delete from automation_steps where automation_steps.project_id = ${shop.project.id} and step = 'SEND'`);
    await handOutAgain(shop.project);
    await runDue();
    const codes = shop.receiver.received.map(({ body }) => (body.data.voucher as { code: string }).code);
    expect(codes).toHaveLength(2);
    expect(new Set(codes).size).toBe(1);
    expect(await shop.publications()).toHaveLength(1);
  });

  test("to two processes at once is done by one of them", async () => {
    const shop = await aShop();
    const { id: campaign_id } = await aCampaign(shop.project);
    await shop.make(sends(shop.receiver.url, { action: { type: "PUBLISH", campaign_id } }));
    for (let i = 0; i < 5; i += 1) await shop.customer();
    await Promise.all([runDue(), runDue(), runDue()]);
    await runDue();
    expect(await shop.publications()).toHaveLength(5);
    expect(shop.receiver.received).toHaveLength(5);
  });
});

test("what was done is forgotten after thirty days, when nothing is handed out again", async () => {
  const shop = await aShop();
  await shop.make(sends(shop.receiver.url));
  await shop.customer();
  await runDue();
  const steps = async () =>
    (
      await context.db.one<{ rows: number }>(sql`
        select count(*) as rows from automation_steps where automation_steps.project_id = ${shop.project.id}`)
    ).rows;
  expect(await steps()).toBe(1);
  clock.advance({ days: 31 });
  await runDue();
  expect(await steps()).toBe(0);
});
