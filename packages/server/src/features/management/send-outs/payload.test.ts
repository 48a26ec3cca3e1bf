import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { answering, aReceiver } from "./receiver.fixtures.js";
import { shopsOn } from "./shop.fixtures.js";

const service = await startService({ webhook_allow_private: true });
const { clock, management, runDue } = service;
const aShop = shopsOn(service);

describe("the data of a message", () => {
  test("is the customer, as the API shows one", async () => {
    const receiver = await aReceiver();
    const { project, customer } = await aShop(receiver.url);
    const { id } = await customer("Ann");
    await runDue();
    const { body } = await project.api.get(`/v1/customers/${id}`, 200);
    const { assets: _, ...shown } = body;
    expect(receiver.received[0]?.body.data).toEqual({ customer: shown });
  });

  test("is the voucher as it was, as the API shows one, with its campaign or null", async () => {
    const receiver = await aReceiver();
    const { project } = await aShop(receiver.url, ["voucher.created", "voucher.disabled"]);
    const { api } = project;
    const { body: alone } = await api.post("/v1/vouchers", { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
    const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
    const campaign = (await api.post("/v1/campaigns", { name: "Spring", voucher }, 200)).body;
    const { body: of_campaign } = await api.post("/v1/campaigns/Spring/vouchers", {}, 200);
    await api.post(`/v1/vouchers/${alone.code}/disable`, undefined, 200);
    await runDue();
    const data = (type: string, id: string) =>
      receiver.received.find(({ body }) => body.type === type && body.event.entity_id === id)?.body.data;
    const { updated_at, ...as_made } = alone;
    expect(data("voucher.created", alone.id)).toMatchObject({ campaign: null, voucher: { ...as_made, active: true } });
    expect(data("voucher.disabled", alone.id)).toMatchObject({
      campaign: null,
      voucher: { ...as_made, active: false },
    });
    expect(data("voucher.created", of_campaign.id)).toMatchObject({
      campaign: { id: campaign.id, name: "Spring", object: "campaign" },
      voucher: { id: of_campaign.id, campaign: "Spring" },
    });
  });

  test("that cannot be written holds up no other, and is tried again", async () => {
    const receiver = await aReceiver();
    const shop = await aShop(receiver.url);
    const { id } = await shop.customer("Ann");
    await shop.customer("Bob");
    const { db } = service.context;
    // As no version of ours has written it.
    const { data } = await db.one<{ data: object }>(sql`
      with kept as (
        select events.data from events where events.project_id = ${shop.project.id} and events.entity_id = ${id}
      )
      update events set data = '{}' from kept where events.project_id = ${shop.project.id} and events.entity_id = ${id}
      returning kept.data`);
    await runDue();
    expect(receiver.names()).toEqual(["Bob"]);
    const { body } = await management.get(`/management/v1/projects/${shop.project.id}/send-outs?status=RETRYING`, 200);
    expect(body.data).toMatchObject([{ event: { entity_id: id }, last_error: "the message could not be written" }]);
    await db.run(sql`
      update events set data = ${JSON.stringify(data)}::jsonb
       where events.project_id = ${shop.project.id} and events.entity_id = ${id}`);
    clock.advance({ minutes: 1 });
    await runDue();
    expect(receiver.names()).toEqual(["Bob", "Ann"]);
  });
});

test("what is told of a customer who is deleted for good is sent no more", async () => {
  const receiver = await aReceiver(answering(500));
  const shop = await aShop(receiver.url);
  const { id } = await shop.customer("Ann");
  await runDue();
  await shop.project.api.post(`/v1/customers/${id}/permanent-deletion`, {}, 200);
  receiver.answers(answering(200));
  clock.advance({ days: 1 });
  await runDue();
  const { rows } = await service.context.db.one<{ rows: number }>(
    sql`
      select count(*) as rows from send_outs where send_outs.project_id = ${shop.project.id}`,
  );
  expect(rows).toBe(0);
  expect(receiver.received).toHaveLength(1);
});
