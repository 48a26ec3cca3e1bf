import { describe, expect, test } from "vitest";
import { aContextApart } from "../../../../test/harness/database.js";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { runDue as runLoopDue } from "../../../platform/jobs/loop.js";
import { scheduleWork } from "../../../platform/jobs/schedules.js";
import { answering, aReceiver } from "./receiver.fixtures.js";
import { aSendOut } from "./send-out.fixtures.js";
import { schedules } from "./send-out.schedules.js";

const service = await startService({ webhook_allow_private: true });
const { clock, context, management, anotherProject, runDue } = service;

/** A project with a webhook, whose customers are told of. */
async function aShop(target_url: string) {
  const project = await anotherProject();
  const path = `/management/v1/projects/${project.id}`;
  const fields = { target_url, events: ["customer.created"] };
  const { id: webhook_id } = (await management.post(`${path}/webhooks`, fields, 200)).body;
  const log = `${path}/send-outs`;
  return {
    project,
    webhook_id: webhook_id as string,
    log,
    webhook: `${path}/webhooks/${webhook_id}`,
    fields,
    customer: async (name: string) => (await project.api.post("/v1/customers", { name }, 200)).body.id as string,
    only: async () => (await management.get(log, 200)).body.data[0],
    entries: async () => (await management.get(log, 200)).body.data,
  };
}

describe("the log of messages", () => {
  test("shows a message from its beginning to its end, with what came back", async () => {
    const receiver = await aReceiver(answering(500, {}, "not now"));
    const shop = await aShop(receiver.url);
    const customer_id = await shop.customer("Ann");
    const created_at = new Date(clock.now()).toISOString();
    await runDue();
    const failed = await shop.only();
    expect(failed).toEqual({
      id: receiver.received[0]?.body.id,
      object: "send_out",
      status: "RETRYING",
      type: "customer.created",
      source: { id: shop.webhook_id, object: "webhook", target_url: receiver.url },
      event: {
        id: receiver.received[0]?.body.event.id,
        entity_id: customer_id,
        group_id: receiver.received[0]?.body.event.group_id,
        created_at,
      },
      attempts: 1,
      executed_at: created_at,
      next_attempt_at: new Date(clock.now() + 60_000).toISOString(),
      last_error: "answered 500",
      response: { status: 500, body: "not now" },
    });
    receiver.answers(answering(200, {}, "thanks"));
    clock.advance({ minutes: 1 });
    await runDue();
    const { body } = await management.get(`${shop.log}/${failed.id}`, 200);
    expect(body).toEqual({
      ...failed,
      status: "SUCCEEDED",
      attempts: 2,
      executed_at: new Date(clock.now()).toISOString(),
      next_attempt_at: null,
      last_error: null,
      response: { status: 200, body: "thanks" },
      message: receiver.received[0]?.text,
    });
  });

  test("says of each message that was not sent why", async () => {
    const closed = await aReceiver();
    const shop = await aShop(closed.url);
    await closed.close();
    await shop.customer("Ann");
    await runDue();
    expect(await shop.only()).toMatchObject({ status: "RETRYING", response: null });
    expect((await shop.only()).last_error).toContain("ECONNREFUSED");
    await management.put(shop.webhook, { ...shop.fields, active: false }, 200);
    clock.advance({ minutes: 1 });
    await runDue();
    expect(await shop.only()).toMatchObject({
      status: "FAILED",
      attempts: 1,
      last_error: "the webhook was switched off",
    });
    await management.put(shop.webhook, { ...shop.fields, active: true }, 200);
    await shop.customer("Bob");
    await runDue();
    await management.delete(shop.webhook, 204);
    clock.advance({ minutes: 1 });
    await runDue();
    expect(await shop.only()).toMatchObject({ status: "FAILED", attempts: 1, last_error: "the webhook was deleted" });
  });

  test("keeps the first 4 KB of an answer, and any answer at all", async () => {
    const receiver = await aReceiver(answering(200, {}, `\0é${"x".repeat(1_000_000)}`));
    const shop = await aShop(receiver.url);
    await shop.customer("Ann");
    await runDue();
    const { status, response } = await shop.only();
    expect(status).toBe("SUCCEEDED");
    expect(response.body).toBe(`é${"x".repeat(4_093)}`);
  });

  test("shows a message for thirty days", async () => {
    const receiver = await aReceiver();
    const shop = await aShop(receiver.url);
    await shop.customer("Ann");
    await runDue();
    const { id } = await shop.only();
    clock.advance({ days: 29, hours: 23 });
    expect((await shop.only()).id).toBe(id);
    clock.advance({ hours: 1 });
    expect(await shop.entries()).toEqual([]);
    await management.get(`${shop.log}/${id}`, 404);
    await management.post(`${shop.log}/${id}/retry`, undefined, 404);
  });

  test("is dropped by the month, thirty days after its end, unless something of it has yet to be sent", async () => {
    const apart = await aContextApart({ now: "2026-03-31T10:00:00Z" });
    const work = scheduleWork(apart.context, schedules);
    const runs = () => runLoopDue(apart.context, [work], apart.clock.now());
    const left = async () => {
      const rows = await apart.db.many<{ id: string }>(sql`
        select send_outs.id from send_outs where send_outs.project_id = 'proj' order by send_outs.created_at`);
      return rows.map(({ id }) => id);
    };
    await runs();
    const ended = await aSendOut(apart, "proj", { webhook_id: "wh_1" });
    apart.clock.advance({ days: 1 });
    await runs();
    const due = await aSendOut(apart, "proj", { webhook_id: "wh_1", status: "RETRYING", due_at: "2026-04-01" });
    apart.clock.set("2026-04-30T23:00:00Z");
    await runs();
    expect(await left()).toEqual([ended, due]);
    apart.clock.set("2026-05-01T06:00:00Z");
    await runs();
    expect(await left()).toEqual([due]);
    apart.clock.set("2026-08-01T06:00:00Z");
    await runs();
    expect(await left()).toEqual([due]);
    expect(apart.errors).toEqual([]);
  });

  test("is another project's to nobody", async () => {
    const receiver = await aReceiver();
    const [mine, other] = [await aShop(receiver.url), await aShop(receiver.url)];
    await mine.customer("Ann");
    await runDue();
    const { id } = await mine.only();
    expect(await other.entries()).toEqual([]);
    for (const path of [`${other.log}/${id}`, "/management/v1/projects/proj_none/send-outs"])
      await management.get(path, 404);
    await management
      .get(`${other.log}?webhook_id=${mine.webhook_id}`, 200)
      .then(({ body }) => expect(body.data).toEqual([]));
    expect((await management.post(`${other.log}/${id}/retry`, undefined, 404)).body).toMatchObject({
      details: `Cannot find send_out with id ${id}`,
      resource_type: "send_out",
    });
  });
});

describe("a message that is sent again on demand", () => {
  test("comes with the same id and body, whether it had arrived or failed", async () => {
    const receiver = await aReceiver();
    const shop = await aShop(receiver.url);
    await shop.customer("Ann");
    await runDue();
    const { id } = await shop.only();
    const { body } = await management.post(`${shop.log}/${id}/retry`, undefined, 200);
    expect(body).toMatchObject({ id, status: "RETRYING", next_attempt_at: new Date(clock.now()).toISOString() });
    await runDue();
    const [first, second] = receiver.received;
    expect(second?.text).toBe(first?.text);
    expect(await shop.only()).toMatchObject({ status: "SUCCEEDED", attempts: 2 });
  });

  test("is tried once, and leaves its webhook as it is, even one that is off", async () => {
    const receiver = await aReceiver(answering(500));
    const shop = await aShop(receiver.url);
    await shop.customer("Ann");
    await runDue();
    const { id } = await shop.only();
    await management.post(`${shop.log}/${id}/retry`, undefined, 409);
    clock.advance({ days: 1 });
    for (let i = 0; i < 20; i += 1, clock.advance({ minutes: 1 })) await runDue();
    expect(await shop.only()).toMatchObject({ status: "FAILED", attempts: 13 });
    expect((await management.get(shop.webhook, 200)).body.active).toBe(false);
    await management.post(`${shop.log}/${id}/retry`, undefined, 200);
    await runDue();
    expect(await shop.only()).toMatchObject({ status: "FAILED", attempts: 14, next_attempt_at: null });
    await management.put(shop.webhook, { ...shop.fields, active: true }, 200);
    await management.post(`${shop.log}/${id}/retry`, undefined, 200);
    await runDue();
    expect((await management.get(shop.webhook, 200)).body.active).toBe(true);
    receiver.answers(answering(200));
    await management.post(`${shop.log}/${id}/retry`, undefined, 200);
    await runDue();
    expect(await shop.only()).toMatchObject({ status: "SUCCEEDED", attempts: 16 });
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
  });

  test("is refused where its webhook is gone", async () => {
    const receiver = await aReceiver();
    const shop = await aShop(receiver.url);
    await shop.customer("Ann");
    await runDue();
    const { id } = await shop.only();
    await management.delete(shop.webhook, 204);
    const { body } = await management.post(`${shop.log}/${id}/retry`, undefined, 404);
    expect(body).toMatchObject({ resource_type: "webhook", resource_id: shop.webhook_id });
  });

  test("is asked for by many at once and sent once", async () => {
    const receiver = await aReceiver();
    const shop = await aShop(receiver.url);
    await shop.customer("Ann");
    await runDue();
    const { id } = await shop.only();
    const answers = await Promise.all(Array.from({ length: 8 }, () => management.post(`${shop.log}/${id}/retry`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    await runDue();
    expect(receiver.received).toHaveLength(2);
  });
});

test("a message whose process died is sent by the next one when the lease is over, and no try is counted for it", async () => {
  const receiver = await aReceiver();
  const shop = await aShop(receiver.url);
  await shop.customer("Ann");
  await runDue();
  const { id } = await shop.only();
  // As the process left it.
  const until = new Date(clock.now() + 15_000).toISOString();
  await context.db.run(sql`
    update send_outs set status = 'WAITING', attempts = 0, lease_token = 'of the dead', due_at = ${until}
     where send_outs.project_id = ${shop.project.id} and send_outs.id = ${id}`);
  clock.advance({ ms: 14_999 });
  await runDue();
  expect(receiver.received).toHaveLength(1);
  clock.advance({ ms: 1 });
  await runDue();
  expect(receiver.received).toHaveLength(2);
  expect(await shop.only()).toMatchObject({ status: "SUCCEEDED", attempts: 1 });
});
