import { describe, expect, test } from "vitest";
import { startService, type TestProject } from "../../../../test/harness/service.js";
import { someoneIn } from "../../people/people.fixtures.js";

const service = await startService();
const { management, runDue, clock } = service;

const definition = { type: "string", optional: true, array: false };
const discount = { type: "AMOUNT", amount_off: 100 };

/** A project with one of everything that has metadata, each with the key and another. */
async function aShop() {
  const project = await service.anotherProject();
  const { browser } = await someoneIn(service, project.id, "ADMIN");
  const metadata = { old: "x", kept: { old: "inside" } };
  const { api } = project;
  const made = async (path: string, sent: object) => (await api.post(path, { ...sent, metadata }, 200)).body;
  const product = await made("/v1/products", {});
  const campaign = { voucher: { type: "DISCOUNT_VOUCHER", discount } };
  const paths = {
    campaign: `/v1/campaigns/${(await made("/v1/campaigns", { ...campaign, name: "own" })).id}`,
    campaign_of_vouchers: `/v1/campaigns/${
      (await made("/v1/campaigns", { ...campaign, name: "theirs", use_voucher_metadata_schema: true })).id
    }`,
    customer: `/v1/customers/${(await made("/v1/customers", {})).id}`,
    product: `/v1/products/${product.id}`,
    sku: `/v1/skus/${(await made(`/v1/products/${product.id}/skus`, {})).id}`,
    voucher: `/v1/vouchers/${(await made("/v1/vouchers", { discount })).code}`,
    order: `/v1/orders/${(await made("/v1/orders", { amount: 100 })).id}`,
  };
  const purge = (object: string, key = "old", status = 202) =>
    browser.post(`/dashboard/v1/metadata-schemas/${object}/purges`, { key }, status);
  return { project, paths, purge };
}

/** Which of the things have the key still. */
async function havingIt({ api }: TestProject, paths: Record<string, string>) {
  const having = [];
  for (const [name, path] of Object.entries(paths)) {
    const { metadata } = (await api.get(path, 200)).body;
    expect(metadata.kept, name).toEqual({ old: "inside" });
    if ("old" in metadata) having.push(name);
  }
  return having;
}

const purged = {
  campaign: ["campaign"],
  customer: ["customer"],
  product: ["product", "sku"],
  voucher: ["campaign_of_vouchers", "voucher"],
  order: ["order"],
};

test.each(Object.entries(purged))("a purge of %s metadata takes the key out of %j alone", async (object, expected) => {
  const { project, paths, purge } = await aShop();
  const other = await aShop();
  clock.advance({ minutes: 1 });
  const { async_action_id } = (await purge(object)).body;
  await runDue();
  const action = (await project.api.get(`/v1/async-actions/${async_action_id}`, 200)).body;
  const done = expected.length === 1 ? "1 object" : "2 objects";
  expect(action).toMatchObject({
    type: `${object.toUpperCase()}S.METADATA_KEY_PURGE`,
    status: "DONE",
    operation_status: "SUCCESS",
    result: { message: `Purged old from ${done}.`, done_count: expected.length },
  });
  const left = Object.keys(paths).filter((name) => !expected.includes(name));
  expect(await havingIt(project, paths)).toEqual(left);
  expect(await havingIt(other.project, other.paths)).toEqual(Object.keys(paths));
  const changed = (await project.api.get(paths[expected[0] as keyof typeof paths], 200)).body;
  expect(changed.updated_at).toBe(new Date(clock.now()).toISOString());
});

test("a purge goes through more than a slice holds, and changes each once", async () => {
  const { project, purge } = await aShop();
  const sent = Array.from({ length: 450 }, (_, i) => ({
    source_id: `c-${i}`,
    metadata: i % 2 ? { old: i } : { new: i },
  }));
  await project.api.post("/v1/customers/bulk/async", sent, 202);
  await runDue();
  const { async_action_id } = (await purge("customer")).body;
  await runDue();
  const { result } = (await project.api.get(`/v1/async-actions/${async_action_id}`, 200)).body;
  expect(result.done_count).toBe(226);
  for (const [i, metadata] of [
    [7, {}],
    [448, { new: 448 }],
    [449, {}],
  ] as const) {
    expect((await project.api.get(`/v1/customers/c-${i}`, 200)).body.metadata).toEqual(metadata);
  }
});

test("a segment that asks for the key is looked at again", async () => {
  const { project, paths, purge } = await aShop();
  const filter = { junction: "and", "metadata.old": { conditions: { $is: ["x"] } } };
  const segment = { name: "had it", type: "auto-update", filter };
  const { id } = (await project.api.post("/v1/segments", segment, 200)).body;
  await runDue();
  const held = async () => (await project.api.get(`${paths.customer}/activities`, 200)).body.data;
  const left = (entries: { type: string; data: object }[]) =>
    entries.filter((one) => one.type === "CUSTOMER.SEGMENT.LEFT" || one.type === "customer.segment.left").length;
  expect(left(await held())).toBe(0);
  await purge("customer");
  await runDue();
  expect(left(await held())).toBeGreaterThan(0);
  expect((await project.api.get(`${paths.customer}/segments`, 200)).body.data).toEqual([]);
  expect(id).toMatch(/^seg_/);
});

describe("a key is purged", () => {
  test("once its definition is removed, and not while it counts", async () => {
    const { project, paths, purge } = await aShop();
    const schemas = `/management/v1/projects/${project.id}/metadata-schemas`;
    const sent = { related_object: "order", properties: { old: definition } };
    const { id } = (await management.post(schemas, sent, 200)).body;
    const { body } = await purge("order", "old", 400);
    expect(body.details).toBe("Property .key must not be that of a definition which is not removed");
    const removed = { properties: { old: { ...definition, deleted: true } } };
    await management.put(`${schemas}/${id}`, removed, 200);
    await purge("order");
    await runDue();
    expect(await havingIt(project, { order: paths.order })).toEqual([]);
  });

  test("not when its definition came back before the work began", async () => {
    const { project, paths, purge } = await aShop();
    const { async_action_id } = (await purge("order")).body;
    const sent = { related_object: "order", properties: { old: definition } };
    await management.post(`/management/v1/projects/${project.id}/metadata-schemas`, sent, 200);
    await runDue();
    const action = (await project.api.get(`/v1/async-actions/${async_action_id}`, 200)).body;
    expect(action.status).toBe("FAILED");
    expect(await havingIt(project, { order: paths.order })).toEqual(["order"]);
  });

  test.each(["redemption", "publication", "earning_rule", "reward", "anything"])("not of a %s", async (object) => {
    const { purge } = await aShop();
    await purge(object, "old", 400);
  });

  test.each(["USER", "VIEWER", "MERCHANT"] as const)("not by a %s", async (role) => {
    const { project } = await aShop();
    const { browser } = await someoneIn(service, project.id, role);
    await browser.post("/dashboard/v1/metadata-schemas/order/purges", { key: "old" }, 403);
  });
});
