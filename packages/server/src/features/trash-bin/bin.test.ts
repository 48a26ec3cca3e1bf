import { describe, expect, test } from "vitest";
import { editSettings } from "../../../test/harness/edits.js";
import { startService, type TestProject } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { someoneIn } from "../people/people.fixtures.js";

const service = await startService();
const { clock, context, anotherProject, runDue } = service;
const discount = { type: "AMOUNT", amount_off: 100 };
const coupons = (name: string, vouchers_count = 0) => ({
  name,
  campaign_type: "DISCOUNT_COUPONS",
  voucher: { discount },
  vouchers_count,
});

type Api = TestProject["api"];
const entriesOf = async (api: Api) => (await api.get("/v1/trash-bin?limit=100", 200)).body.data;
const entryOf = async (api: Api, name: string) =>
  (await entriesOf(api)).find(({ resource_name }: { resource_name: string }) => resource_name === name);
const named = async (api: Api) =>
  (await entriesOf(api)).map(({ resource_name }: { resource_name: string }) => resource_name);

describe("the bin", () => {
  test("shows what was deleted, what it was called and what it belonged to", async () => {
    const { api } = await anotherProject();
    const campaign = (await api.post("/v1/campaigns", coupons("Spring"), 200)).body;
    const voucher = (await api.post("/v1/campaigns/Spring/vouchers/ONE", {}, 200)).body;
    const product = (await api.post("/v1/products", { source_id: "mug", name: "Mug" }, 200)).body;
    const sku = (await api.post("/v1/products/mug/skus", { source_id: "mug-red" }, 200)).body;
    clock.set("2026-03-02T11:00:00.000Z");
    await api.delete("/v1/vouchers/ONE", 204);
    await api.delete("/v1/products/mug/skus/mug-red", 204);
    await api.delete("/v1/products/mug", 204);
    await api.delete("/v1/campaigns/Spring", 202);
    await runDue();

    const { body } = await api.get("/v1/trash-bin", 200);
    const at = { created_at: "2026-03-02T11:00:00.000Z", deleted_by_user_id: null };
    const id = expect.stringMatching(/^tbe_/);
    const entry = (type: string, of: { id: string }, resource_name: string, resource_parent_id: string | null) => ({
      ...{ ...at, id, object: type, resource_type: type },
      ...{ resource_id: of.id, resource_name, resource_parent_id },
    });
    expect(body).toEqual({
      object: "list",
      data_ref: "data",
      data: [
        entry("campaign", campaign, "Spring", null),
        entry("product", product, "Mug", null),
        entry("sku", sku, "mug-red", product.id),
        entry("voucher", voucher, "ONE", campaign.id),
      ],
      total: 4,
      has_more: false,
    });
  });

  test("says who was signed in and put something there", async () => {
    const { id, api } = await anotherProject();
    const { browser, user } = await someoneIn(service, id, "USER");
    await api.post("/v1/vouchers/ONE", { discount }, 200);
    await browser.post("/v1/campaigns", coupons("Spring", 2), 200);
    await runDue();
    await browser.delete("/v1/vouchers/ONE", 204);
    await browser.delete("/v1/campaigns/Spring", 202);
    await runDue();
    const entries = await entriesOf(api);
    expect(entries.map((entry: Record<string, unknown>) => [entry.resource_name, entry.deleted_by_user_id])).toEqual([
      ["Spring", user.id],
      ["ONE", user.id],
    ]);
  });

  test("counts the entries of the page, and says where the next one begins", async () => {
    const { api } = await anotherProject();
    for (const code of ["A", "B", "C"]) {
      await api.post(`/v1/vouchers/${code}`, { discount }, 200);
      await api.delete(`/v1/vouchers/${code}`, 204);
    }
    const { body } = await api.get("/v1/trash-bin?limit=2", 200);
    expect(body).toMatchObject({ total: 2, has_more: true, more_starting_after: body.data[1].id });
    const next = (await api.get(`/v1/trash-bin?limit=2&starting_after_id=${body.more_starting_after}`, 200)).body;
    expect(next.data).toMatchObject([{ resource_name: "A" }]);
    expect(next).toMatchObject({ total: 1, has_more: false });
    expect(next).not.toHaveProperty("more_starting_after");
  });

  test("holds nothing that was deleted for good, nor what went into it with its campaign or product", async () => {
    const { api } = await anotherProject();
    await api.post("/v1/vouchers/FORCED", { discount }, 200);
    await api.delete("/v1/vouchers/FORCED?force=true", 204);
    await api.post("/v1/campaigns", coupons("Three", 3), 200);
    await api.post("/v1/products", { source_id: "pot" }, 200);
    await api.post("/v1/products/pot/skus", { source_id: "pot-red" }, 200);
    await runDue();
    await api.delete("/v1/campaigns/Three", 202);
    await api.delete("/v1/products/pot", 204);
    await runDue();
    expect(await named(api)).toEqual(["Three", "pot"]);
  });

  test("loses a voucher or SKU with its campaign or product that is deleted for good", async () => {
    const { api } = await anotherProject();
    await api.post("/v1/campaigns", coupons("Whole"), 200);
    await api.post("/v1/campaigns/Whole/vouchers/PART", {}, 200);
    await api.delete("/v1/vouchers/PART", 204);
    await api.delete("/v1/campaigns/Whole?force=true", 202);
    await runDue();
    expect(await named(api)).toEqual([]);
  });
});

describe("what leaves the bin for good", () => {
  test("frees a code, and is told of once", async () => {
    const { api, id: project_id } = await anotherProject();
    const voucher = (await api.post("/v1/vouchers/AGAIN", { discount }, 200)).body;
    await api.delete("/v1/vouchers/AGAIN", 204);
    await api.post("/v1/vouchers/AGAIN", { discount }, 409);
    const entry = await entryOf(api, "AGAIN");
    await api.delete(`/v1/trash-bin/${entry.id}`, 204);
    await api.post("/v1/vouchers/AGAIN", { discount }, 200);
    expect(await entriesOf(api)).toEqual([]);
    expect((await api.get("/v1/vouchers?limit=1", 200)).body.total).toBe(1);
    const told = await context.db.many(sql`
      select events.type from events
       where events.project_id = ${project_id} and events.entity_id = ${voucher.id} and events.type = 'voucher.deleted'`);
    expect(told).toHaveLength(1);
  });

  test("frees source ids, those of a product's SKUs too", async () => {
    const { api } = await anotherProject();
    await api.post("/v1/products", { source_id: "cup", name: "Cup" }, 200);
    for (const source_id of ["cup-red", "cup-blue"]) await api.post("/v1/products/cup/skus", { source_id }, 200);
    await api.delete("/v1/products/cup/skus/cup-red", 204);
    await api.delete(`/v1/trash-bin/${(await entryOf(api, "cup-red")).id}`, 204);
    await api.post("/v1/products/cup/skus", { source_id: "cup-red" }, 200);
    await api.delete("/v1/products/cup/skus/cup-red", 204);
    await api.delete("/v1/products/cup", 204);
    await api.delete(`/v1/trash-bin/${(await entryOf(api, "Cup")).id}`, 204);
    expect(await entriesOf(api)).toEqual([]);
    await api.post("/v1/products", { source_id: "cup" }, 200);
    for (const source_id of ["cup-red", "cup-blue"]) await api.post("/v1/products/cup/skus", { source_id }, 200);
  });

  test("frees a campaign's name and all its codes, and leaves counts of what lives right", async () => {
    const { api, id: project_id } = await anotherProject();
    const campaign = (await api.post("/v1/campaigns", coupons("Autumn"), 200)).body;
    for (const code of ["X", "Y", "Z"]) await api.post(`/v1/campaigns/Autumn/vouchers/${code}`, {}, 200);
    await api.post("/v1/vouchers/STAYS", { discount }, 200);
    await api.delete("/v1/vouchers/X", 204);
    await api.delete("/v1/campaigns/Autumn", 202);
    await runDue();
    await api.post("/v1/campaigns", coupons("Autumn"), 409);
    await api.delete(`/v1/trash-bin/${(await entryOf(api, "Autumn")).id}`, 204);
    expect(await entriesOf(api)).toEqual([]);
    expect((await api.get("/v1/vouchers?limit=1", 200)).body.total).toBe(1);
    await api.post("/v1/campaigns", coupons("Autumn"), 200);
    for (const code of ["X", "Y", "Z"]) await api.post(`/v1/campaigns/Autumn/vouchers/${code}`, {}, 200);
    const told = await context.db.many(sql`
      select events.type from events where events.project_id = ${project_id}
         and events.entity_id = ${campaign.id} and events.type = 'campaign.deleted'`);
    expect(told).toHaveLength(1);
  });

  test("frees the name of a campaign with many vouchers once an action has deleted them", async () => {
    const { api, id: project_id } = await anotherProject();
    await api.post("/v1/campaigns", coupons("Many", 2_500), 200);
    await runDue();
    await api.delete("/v1/campaigns/Many", 202);
    await runDue();
    await api.delete(`/v1/trash-bin/${(await entryOf(api, "Many")).id}`, 204);
    expect(await entriesOf(api)).toEqual([]);
    expect((await api.get("/v1/vouchers?limit=1", 200)).body.total).toBe(0);
    await api.post("/v1/campaigns", coupons("Many"), 409);
    await runDue();
    await api.post("/v1/campaigns", coupons("Many"), 200);
    const left = await context.db.many(sql`
      select vouchers.id from vouchers where vouchers.project_id = ${project_id} limit 1`);
    expect(left).toEqual([]);
    const told = await context.db.many(sql`
      select events.type from events where events.project_id = ${project_id} and events.type = 'campaign.deleted'`);
    expect(told).toHaveLength(1);
    expect((await api.get("/v1/vouchers?limit=1", 200)).body.total).toBe(0);
  });

  test("goes once: the second time there is no such entry", async () => {
    const { api } = await anotherProject();
    await api.post("/v1/vouchers/ONCE", { discount }, 200);
    await api.delete("/v1/vouchers/ONCE", 204);
    const { id } = await entryOf(api, "ONCE");
    const answers = await Promise.all([1, 2].map(() => api.delete(`/v1/trash-bin/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    const { body } = await api.delete(`/v1/trash-bin/${id}`, 404);
    expect(body).toMatchObject({ key: "not_found", resource_type: "bin_entry", resource_id: id });
  });

  test("is not for a key that may only read, or only redeem", async () => {
    const { api, id: project_id } = await anotherProject();
    await api.post("/v1/vouchers/READ", { discount }, 200);
    await api.delete("/v1/vouchers/READ", 204);
    const { id } = await entryOf(api, "READ");
    const asRole = (role: string) =>
      editSettings(
        context,
        project_id,
        sql`update api_keys set role = ${role} where api_keys.project_id = ${project_id}`,
      );
    await asRole("VIEWER");
    await api.get("/v1/trash-bin", 200);
    expect((await api.delete(`/v1/trash-bin/${id}`, 403)).body.key).toBe("missing_required_permission");
    await asRole("MERCHANT");
    expect((await api.get("/v1/trash-bin", 403)).body.key).toBe("missing_required_permission");
  });
});
