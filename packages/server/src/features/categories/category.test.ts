import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api, clock, anotherProject } = await startService();

const ten_off = { type: "AMOUNT", amount_off: 1000 };

describe("a category", () => {
  test("is made, read, changed and listed newest first", async () => {
    const { body } = await api.post("/v1/categories", { name: "First", hierarchy: 5 }, 200);
    expect(body).toEqual({
      id: body.id,
      name: "First",
      hierarchy: 5,
      object: "category",
      created_at: "2026-03-02T10:00:00.000Z",
    });
    expect(body.id).toMatch(/^cat_/);
    expect((await api.get(`/v1/categories/${body.id}`, 200)).body).toEqual(body);
    clock.advance({ minutes: 1 });
    const changed = await api.put(`/v1/categories/${body.id}`, { name: "Renamed", hierarchy: 0 }, 200);
    expect(changed.body).toEqual({ ...body, name: "Renamed", hierarchy: 0, updated_at: "2026-03-02T10:01:00.000Z" });
    await api.post("/v1/categories", { name: "Second", hierarchy: 0 }, 200);
    const list = await api.get("/v1/categories", 200);
    expect(list.body).toMatchObject({ object: "list", data_ref: "data", total: 2 });
    expect(list.body.data.map(({ name }: { name: string }) => name)).toEqual(["Second", "Renamed"]);
  });

  test("has its name alone", async () => {
    await api.post("/v1/categories", { name: "Taken", hierarchy: 1 }, 200);
    const { body } = await api.post("/v1/categories", { name: "Taken", hierarchy: 2 }, 409);
    expect(body).toMatchObject({
      key: "duplicate_found",
      resource_type: "category",
      details: "Duplicated category exists with name Taken",
    });
    const other = await api.post("/v1/categories", { name: "Other", hierarchy: 1 }, 200);
    await api.put(`/v1/categories/${other.body.id}`, { name: "Taken", hierarchy: 1 }, 409);
  });

  test("made by its name in a voucher stands after the last one, once for parallel requests", async () => {
    const { api } = await anotherProject();
    await api.post("/v1/categories", { name: "seventh", hierarchy: 7 }, 200);
    const made = await Promise.all(
      Array.from({ length: 12 }, () => api.post("/v1/vouchers", { discount: ten_off, category: "eighth" }, 200)),
    );
    expect(new Set(made.map(({ body }) => body.category_id)).size).toBe(1);
    expect(made[0]!.body.categories).toMatchObject([{ name: "eighth", hierarchy: 8 }]);
  });

  test("shows its new name everywhere, and leaves vouchers, campaigns and tiers when it is deleted", async () => {
    const { body: category } = await api.post("/v1/categories", { name: "Shown", hierarchy: 1 }, 200);
    const tiers = [{ name: "t", action: { discount: ten_off }, category: "Shown" }];
    await api.post("/v1/vouchers/SHOWN", { discount: ten_off, category_id: category.id }, 200);
    await api.post("/v1/campaigns", { name: "Shown", promotion: { tiers }, category: "Shown" }, 200);
    await api.put(`/v1/categories/${category.id}`, { name: "New name", hierarchy: 1 }, 200);
    expect((await api.get("/v1/vouchers/SHOWN", 200)).body).toMatchObject({
      category: "New name",
      category_id: category.id,
    });
    expect((await api.get("/v1/campaigns/Shown", 200)).body).toMatchObject({
      category: "New name",
      category_id: category.id,
    });
    await api.delete(`/v1/categories/${category.id}`, 204);
    await api.delete(`/v1/categories/${category.id}`, 404);
    const voucher = (await api.get("/v1/vouchers/SHOWN", 200)).body;
    expect(voucher).toMatchObject({ categories: [] });
    expect(voucher).not.toHaveProperty("category_id");
    const { body: campaign } = await api.get("/v1/campaigns/Shown", 200);
    expect(campaign).toMatchObject({ category_id: null, categories: [] });
    expect(campaign.promotion.tiers[0]).toMatchObject({ categories: [] });
  });

  test("of another project is unknown", async () => {
    const { body } = await api.post("/v1/categories", { name: "Private", hierarchy: 1 }, 200);
    const other = await anotherProject();
    await other.api.get(`/v1/categories/${body.id}`, 404);
    await other.api.put(`/v1/categories/${body.id}`, { name: "x", hierarchy: 1 }, 404);
    await other.api.delete(`/v1/categories/${body.id}`, 404);
    await other.api.post("/v1/vouchers", { discount: ten_off, category_id: body.id }, 404);
  });

  test.each([
    [{ hierarchy: 1 }, "Payload must have required property 'name'"],
    [{ name: "x" }, "Payload must have required property 'hierarchy'"],
    [{ name: "x", hierarchy: -1 }, "Property .hierarchy must be >= 0"],
    [{ name: "x", hierarchy: 1.5 }, "Property .hierarchy must be integer"],
    [{ name: "x", hierarchy: 2 ** 53 }, "Property .hierarchy must be <= 9007199254740991"],
    [{ name: "x".repeat(9000), hierarchy: 1 }, "Property .name must NOT have more than 255 characters"],
  ])("is refused as %j", async (sent, details) => {
    expect((await api.post("/v1/categories", sent, 400)).body).toMatchObject({ key: "invalid_payload", details });
  });
});
