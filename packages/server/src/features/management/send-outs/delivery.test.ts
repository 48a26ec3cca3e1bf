import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test, vi } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { answering, aReceiver, silent } from "./receiver.fixtures.js";
import { shopsOn } from "./shop.fixtures.js";

// The clock stands at the machine's, since receivers refuse what was signed long ago.
const service = await startService({ webhook_allow_private: true, now: new Date().toISOString() });
const { clock, management, runDue } = service;
const aShop = shopsOn(service);

describe("a message", () => {
  test("says what happened, to what, when and by whom, in one compact line", async () => {
    const receiver = await aReceiver();
    const { project, webhook_id, customer } = await aShop(receiver.url);
    const { id: customer_id } = await customer('Zoë ☕ "quoted"');
    await runDue();
    const [message, ...others] = receiver.received;
    expect(others).toEqual([]);
    const created_at = new Date(clock.now()).toISOString();
    expect(message?.body).toEqual({
      id: expect.stringMatching(/^whs_[0-9a-f]{18}$/),
      project_id: project.id,
      created_at,
      type: "customer.created",
      data: { customer: expect.objectContaining({ id: customer_id, name: 'Zoë ☕ "quoted"' }) },
      source: { id: webhook_id, object: "webhook", target_url: receiver.url },
      event: {
        id: expect.stringMatching(/^evcus_/),
        type: "customer.created",
        created_at,
        entity_id: customer_id,
        group_id: expect.stringMatching(/^v-[0-9a-f]{18}$/),
        event_source: { channel: "API", api_key: expect.objectContaining({ app_id: project.app_id }) },
      },
    });
    expect(message?.text).toBe(JSON.stringify(message?.body));
    expect(message?.headers["content-type"]).toBe("application/json");
  });

  test("is verified by a receiver in both ways with the project's webhook_token", async () => {
    const receiver = await aReceiver();
    const { webhook_token, customer } = await aShop(receiver.url);
    await customer("Ann");
    await runDue();
    const [message] = receiver.received;
    const { text = "", headers = {} } = message ?? {};
    expect(headers["x-voucherify-signature"]).toBe(createHmac("sha256", webhook_token).update(text).digest("hex"));
    const library = new Webhook(Buffer.from(webhook_token).toString("base64"));
    expect(library.verify(text, headers as Record<string, string>)).toEqual(message?.body);
    expect(headers["webhook-id"]).toBe(message?.body.id);
  });

  test("has the headers that the project wants, beside our own", async () => {
    const receiver = await aReceiver();
    const shop = await aShop(receiver.url);
    await shop.change({ custom_headers: { Authorization: "Bearer s3cret", "X-Shop": "north" } });
    await shop.customer("Ann");
    await runDue();
    expect(receiver.received[0]?.headers).toMatchObject({
      ...{ authorization: "Bearer s3cret", "x-shop": "north", "content-type": "application/json" },
      "webhook-signature": expect.stringMatching(/^v1,/),
    });
  });

  test("goes to each webhook of the project that is on and asks for it, with an id of its own, and to no other", async () => {
    const [one, two, other, off] = [await aReceiver(), await aReceiver(), await aReceiver(), await aReceiver()];
    const shop = await aShop(one.url);
    await shop.aWebhook(two.url, ["voucher.created", "customer.created", "customer.deleted"]);
    await shop.aWebhook(other.url, ["customer.updated"]);
    const of_another = await aShop(other.url);
    await (await aShop(off.url)).change({ active: false });
    const { id } = await shop.customer("Ann");
    await runDue();
    await shop.project.api.delete(`/v1/customers/${id}`, 204);
    await runDue();
    expect(one.received.map(({ body }) => body.type)).toEqual(["customer.created"]);
    expect(two.received.map(({ body }) => body.type)).toEqual(["customer.created", "customer.deleted"]);
    expect(one.received[0]?.body.event.id).toBe(two.received[0]?.body.event.id);
    expect(one.received[0]?.body.id).not.toBe(two.received[0]?.body.id);
    expect([other.received, off.received]).toEqual([[], []]);
    await of_another.customer("Bob");
    await runDue();
    expect(one.received).toHaveLength(1);
  });

  test("tells a fact under each of its names that is asked for", async () => {
    const receiver = await aReceiver();
    const names = ["voucher.gift.balance_added", "voucher.gift.transaction.created"];
    const { project } = await aShop(receiver.url, names);
    const { code, id } = (await project.api.post("/v1/vouchers", { gift: { amount: 500 } }, 200)).body;
    await project.api.post(`/v1/vouchers/${code}/balance`, { amount: 100 }, 200);
    await runDue();
    expect(receiver.received.map(({ body }) => body.type).sort()).toEqual(names);
    expect(receiver.received.map(({ body }) => body.event.entity_id)).toEqual([id, id]);
  });
});

describe("a message has arrived", () => {
  test.each([200, 201, 202, 204, 299])("when the answer is %i", async (status) => {
    const receiver = await aReceiver(answering(status));
    await (await aShop(receiver.url)).customer("Ann");
    await runDue();
    clock.advance({ days: 2 });
    await runDue();
    expect(receiver.received).toHaveLength(1);
  });

  test.each([300, 301, 302, 307, 308, 400, 401, 404, 410, 429, 500, 503])("not when it is %i", async (status) => {
    const elsewhere = await aReceiver();
    const receiver = await aReceiver(answering(status, { location: elsewhere.url }));
    await (await aShop(receiver.url)).customer("Ann");
    await runDue();
    receiver.answers(answering(200));
    clock.advance({ minutes: 1 });
    await runDue();
    expect(receiver.received).toHaveLength(2);
    expect(elsewhere.received).toEqual([]);
  });
});

describe("a message that fails", () => {
  test("is sent again as it was, signed anew, until it arrives", async () => {
    const receiver = await aReceiver(answering(500));
    const shop = await aShop(receiver.url);
    const { id } = await shop.customer("Ann");
    await runDue();
    await shop.project.api.put(`/v1/customers/${id}`, { name: "Another" }, 200);
    clock.advance({ minutes: 1 });
    await runDue();
    receiver.answers(answering(204));
    clock.advance({ minutes: 1 });
    await runDue();
    clock.advance({ days: 2 });
    await runDue();
    const [first, second, third, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(second?.text).toBe(first?.text);
    expect(third?.text).toBe(first?.text);
    const stamps = receiver.received.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(stamps.map((stamp) => stamp - (stamps[0] ?? 0))).toEqual([0, 60, 120]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-signature"])).size).toBe(3);
    expect(await shop.isActive()).toBe(true);
  });

  test("thirteen times in a day switches its webhook off; what happens then is sent to nobody", async () => {
    const receiver = await aReceiver(answering(500));
    const shop = await aShop(receiver.url);
    await shop.customer("Ann");
    const started = clock.now();
    const minutes: number[] = [];
    for (const at of [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440]) {
      for (const instant of [started + at * 60_000 - 1, started + at * 60_000]) {
        clock.set(new Date(Math.max(instant, clock.now())).toISOString());
        await runDue();
        while (minutes.length < receiver.received.length) minutes.push((clock.now() - started) / 60_000);
      }
      expect(await shop.isActive()).toBe(at < 1440);
    }
    expect(minutes).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440]);
    await shop.customer("Bob");
    await runDue();
    receiver.answers(answering(200));
    await shop.change({ active: true });
    clock.advance({ days: 1 });
    await runDue();
    expect(receiver.received).toHaveLength(13);
    await shop.customer("Cid");
    await runDue();
    expect(receiver.names().at(-1)).toBe("Cid");
  });

  test("from before a webhook was switched on again does not switch it off again", async () => {
    const receiver = await aReceiver(answering(500));
    const shop = await aShop(receiver.url);
    await shop.customer("Ann");
    await runDue();
    clock.advance({ minutes: 1 });
    await shop.change({ active: false });
    await shop.change({ active: true });
    for (let hour = 0; hour < 60; hour += 1, clock.advance({ hours: 1 })) await runDue();
    expect(receiver.received).toHaveLength(13);
    expect(await shop.isActive()).toBe(true);
  });

  test("is not sent any more once its webhook is off, or gone", async () => {
    const receiver = await aReceiver(answering(500));
    const [off, gone] = [await aShop(receiver.url), await aShop(receiver.url)];
    await off.customer("Ann");
    await gone.customer("Ann");
    await runDue();
    await off.change({ active: false });
    await management.delete(gone.path, 204);
    clock.advance({ days: 1 });
    await runDue();
    expect(receiver.received).toHaveLength(2);
  });

  test("goes to where the webhook is now", async () => {
    const [wrong, right] = [await aReceiver(answering(404)), await aReceiver()];
    const shop = await aShop(wrong.url);
    await shop.customer("Ann");
    await runDue();
    await shop.change({ target_url: right.url });
    clock.advance({ minutes: 1 });
    await runDue();
    expect(right.received.map(({ text }) => text)).toEqual(wrong.received.map(({ text }) => text));
  });
});

describe("a webhook that takes messages and does not answer", () => {
  test("has failed after ten seconds, and delays no other, neither of its project nor of another", async () => {
    const [dead, beside, elsewhere] = [await aReceiver(silent), await aReceiver(), await aReceiver()];
    const shop = await aShop(dead.url);
    await shop.aWebhook(beside.url);
    const other = await aShop(elsewhere.url);
    const names = Array.from({ length: 30 }, (_, i) => `customer ${i}`);
    await Promise.all(names.flatMap((name) => [shop.customer(name), other.customer(name)]));
    const begun = performance.now();
    const all = runDue();
    await vi.waitFor(
      () => {
        expect(beside.names().sort()).toEqual(names.toSorted());
        expect(elsewhere.names().sort()).toEqual(names.toSorted());
      },
      { timeout: 9_000 },
    );
    // Before anybody has given the dead one up.
    expect(performance.now() - begun).toBeLessThan(9_000);
    expect(dead.received.length).toBeLessThanOrEqual(10);
    await management.delete(shop.path, 204);
    await all;
    expect(performance.now() - begun).toBeGreaterThan(9_900);
  }, 40_000);
});
