import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { isAskedFor, subscribedTo, webhook_events } from "./subscriptions.js";

const { clock, management, project, anotherProject } = await startService();
const pathOf = ({ id }: { id: string }) => `/management/v1/projects/${id}/webhooks`;
const path = pathOf(project);
const webhook = { target_url: "https://hooks.example/guerdon", events: ["customer.created", "redemption.succeeded"] };
const aWebhook = async (fields: object = {}) => (await management.post(path, { ...webhook, ...fields }, 200)).body;

describe("a webhook", () => {
  test("is made, read and listed with the webhooks of its project", async () => {
    const mine = await anotherProject();
    const { body } = await management.post(pathOf(mine), webhook, 200);
    expect(body).toEqual({
      ...webhook,
      id: expect.stringMatching(/^wh_/),
      object: "webhook",
      custom_header_names: [],
      active: true,
      created_at: new Date(clock.now()).toISOString(),
    });
    expect((await management.get(`${pathOf(mine)}/${body.id}`, 200)).body).toEqual(body);
    expect((await management.get(pathOf(mine), 200)).body).toEqual({
      object: "list",
      data_ref: "data",
      data: [body],
      total: 1,
    });
  });

  test("may be made switched off", async () => {
    expect(await aWebhook({ active: false })).toMatchObject({ active: false });
  });

  test("changes as a whole: its events are those that are sent, and active stays unless it is", async () => {
    const { id, created_at } = await aWebhook({ active: false });
    clock.advance({ minutes: 1 });
    const change = { target_url: "http://hooks.example/other", events: ["voucher.created"] };
    const { body } = await management.put(`${path}/${id}`, change, 200);
    expect(body).toEqual({ ...change, custom_header_names: [], id, object: "webhook", active: false, created_at });
    expect((await management.put(`${path}/${id}`, { ...change, active: true }, 200)).body).toMatchObject({
      active: true,
    });
    expect((await management.get(`${path}/${id}`, 200)).body).toMatchObject({ ...change, active: true });
  });

  test("is gone after DELETE", async () => {
    const { id } = await aWebhook();
    await management.delete(`${path}/${id}`, 204);
    for (const asked of [
      management.get(`${path}/${id}`, 404),
      management.put(`${path}/${id}`, webhook, 404),
      management.delete(`${path}/${id}`, 404),
    ]) {
      expect((await asked).body).toMatchObject({
        key: "not_found",
        details: `Cannot find webhook with id ${id}`,
        resource_id: id,
        resource_type: "webhook",
      });
    }
  });

  test("is another project's to nobody, and an unknown project has none", async () => {
    const { id } = await aWebhook();
    const other = await anotherProject();
    expect((await management.get(pathOf(other), 200)).body.data).toEqual([]);
    await management.get(`${pathOf(other)}/${id}`, 404);
    await management.put(`${pathOf(other)}/${id}`, webhook, 404);
    await management.delete(`${pathOf(other)}/${id}`, 404);
    await management.get(`${path}/${id}`, 200);
    const unknown = pathOf({ id: "proj_unknown" });
    for (const asked of [
      management.get(unknown, 404),
      management.post(unknown, webhook, 404),
      management.get(`${unknown}/${id}`, 404),
    ])
      expect((await asked).body).toMatchObject({ resource_type: "project" });
  });

  test("is one of fifty at most, however many are made at once", async () => {
    const crowded = await anotherProject();
    const answers = await Promise.all(Array.from({ length: 55 }, () => management.post(pathOf(crowded), webhook)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect((await management.get(pathOf(crowded), 200)).body.total).toBe(50);
  });
});

describe("the events of a webhook", () => {
  test("may be spelt as the published contract spells them, and are answered as they are called", async () => {
    const events = [
      "campaign.vouchers.aded",
      "voucher.gift.balance_aded",
      "voucher.loyalty_card.pending_points.aded",
      "voucher.loyalty_card.points_aded",
      "voucher.loyalty_card.points_added",
      "customer.updated",
      "customer.reward_redemptions.completed",
      "customer.holder.assignment.created",
    ];
    const { id } = await aWebhook({ events });
    expect((await management.get(`${path}/${id}`, 200)).body.events).toEqual([
      "campaign.vouchers.added",
      "voucher.gift.balance_added",
      "voucher.loyalty_card.pending_points.added",
      "voucher.loyalty_card.points_added",
      "customer.updated",
      "customer.reward_redemptions.completed",
      "customer.holder.assignment.created",
    ]);
  });

  test("are all there will ever be where all are asked for, and then again those that are named", async () => {
    const { target_url } = webhook;
    const { id, events } = await aWebhook({ events: [...webhook_events].reverse() });
    expect(events).toEqual(webhook_events);
    expect(isAskedFor(subscribedTo(webhook_events), "voucher.of_a_later_version")).toBe(true);
    const named = webhook_events.slice(1);
    const { body } = await management.put(`${path}/${id}`, { target_url, events: named }, 200);
    expect(body.events).toEqual(named);
    expect(isAskedFor(subscribedTo(named), "voucher.of_a_later_version")).toBe(false);
  });

  test.each([
    [{ events: [] }, "events"],
    [{ events: ["customer.creatd"] }, "events"],
    [{ events: ["customer.order.paid"] }, "events"],
    [{ events: "customer.created" }, "events"],
    [{ events: undefined }, "events"],
    [{ target_url: undefined }, "target_url"],
    [{ target_url: 5 }, "target_url"],
    [{ target_url: "" }, "target_url"],
    [{ target_url: "hooks.example" }, "target_url"],
    [{ target_url: "ftp://hooks.example" }, "target_url"],
    [{ target_url: "http://127.0.0.1:3000/" }, "target_url"],
    [{ target_url: "http://localhost/" }, "target_url"],
    [{ target_url: "http://[::ffff:10.0.0.1]/" }, "target_url"],
    [{ target_url: "https://ann:secret@hooks.example/" }, "target_url"],
    [{ target_url: `https://hooks.example/${"a".repeat(2048)}` }, "target_url"],
    [{ active: "yes" }, "active"],
  ])("and the rest are refused where they are wrong, and nothing is stored: %j", async (fields, name) => {
    const mine = await anotherProject();
    const { id } = (await management.post(pathOf(mine), webhook, 200)).body;
    for (const asked of [
      management.post(pathOf(mine), { ...webhook, ...fields }, 400),
      management.put(`${pathOf(mine)}/${id}`, { ...webhook, ...fields }, 400),
    ]) {
      const { body } = await asked;
      expect(body).toMatchObject({ key: "invalid_payload" });
      expect(body.details).toContain(name);
    }
    expect((await management.get(pathOf(mine), 200)).body.data).toMatchObject([webhook]);
  });
});

describe("headers of a project's own", () => {
  test("are set with a webhook, stay through an edit that does not name them, and are shown by name alone", async () => {
    const custom_headers = { Authorization: "Bearer s3cret", "X-Shop": "north" };
    const { id, ...made } = await aWebhook({ custom_headers });
    expect(made.custom_header_names).toEqual(["authorization", "x-shop"]);
    const put = async (fields: object) => (await management.put(`${path}/${id}`, { ...webhook, ...fields }, 200)).body;
    expect((await put({})).custom_header_names).toEqual(["authorization", "x-shop"]);
    expect((await put({ custom_headers: { "x-till": "7" } })).custom_header_names).toEqual(["x-till"]);
    expect((await put({ custom_headers: null })).custom_header_names).toEqual([]);
    expect(JSON.stringify(made)).not.toContain("s3cret");
  });

  test.each([
    [{ "X Shop": "north" }, "'X Shop' is no name of a header"],
    [{ "": "north" }, "'' is no name of a header"],
    [{ "Content-Type": "text/plain" }, "'Content-Type' is a header that a message has by itself"],
    [{ "webhook-signature": "v1," }, "'webhook-signature' is a header that a message has by itself"],
    [{ "X-Voucherify-Signature": "00" }, "'X-Voucherify-Signature' is a header that a message has by itself"],
    [{ host: "bank.example" }, "'host' is a header that a message has by itself"],
    [{ "x-shop": "1", "X-Shop": "2" }, "'X-Shop' is named twice"],
    [{ "x-shop": "one\r\nx-other: two" }, "'x-shop' must have a value of printable ASCII"],
    [{ "x-shop": "nörth" }, "'x-shop' must have a value of printable ASCII"],
    [{ "x-shop": " north" }, "'x-shop' must have a value of printable ASCII"],
    [{ "x-shop": "n".repeat(2_001) }, "custom_headers.x-shop"],
    [Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, "1"])), "custom_headers"],
  ])("are refused by their name: %j", async (custom_headers, words) => {
    const { body } = await management.post(path, { ...webhook, custom_headers }, 400);
    expect(body).toMatchObject({ key: "invalid_payload", details: expect.stringContaining(words) });
  });
});

test("private targets are taken where the operator allows them", async () => {
  const open = await startService({ webhook_allow_private: true });
  await open.management.post(pathOf(open.project), { ...webhook, target_url: "http://127.0.0.1:3000/" }, 200);
});
