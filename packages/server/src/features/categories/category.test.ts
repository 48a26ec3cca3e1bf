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
    expect(voucher).toMatchObject({ category: null, category_id: null, categories: [] });
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

  describe("named and given by id at once", async () => {
    const { api } = await anotherProject();
    const of_discount = { voucher: { type: "DISCOUNT_VOUCHER", discount: ten_off } };
    const of_points = { voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 0 } } };
    const { body: known } = await api.post("/v1/categories", { name: "Both", hierarchy: 1 }, 200);
    const campaign = (await api.post("/v1/campaigns", { name: "Both", ...of_discount }, 200)).body;
    const program = (await api.post("/v1/loyalties", { name: "Program", ...of_points }, 200)).body;
    await api.post("/v1/vouchers/BOTH", { discount: ten_off }, 200);
    const tier = { name: "t", action: { discount: ten_off } };

    test.each<[string, string, string, (naming: object) => object, string]>([
      ["POST", "a voucher", "/v1/vouchers", (naming) => ({ discount: ten_off, ...naming }), ""],
      ["POST", "a voucher of a code", "/v1/vouchers/NEW", (naming) => ({ discount: ten_off, ...naming }), ""],
      ["PUT", "a voucher", "/v1/vouchers/BOTH", (naming) => naming, ""],
      ["POST", "a campaign", "/v1/campaigns", (naming) => ({ name: "New", ...of_discount, ...naming }), ""],
      ["PUT", "a campaign", `/v1/campaigns/${campaign.name}`, (naming) => naming, ""],
      [
        "POST",
        "a tier",
        "/v1/campaigns",
        (naming) => ({ name: "New", campaign_type: "PROMOTION", promotion: { tiers: [tier, { ...tier, ...naming }] } }),
        ".promotion.tiers[1]",
      ],
      ["POST", "a voucher of a campaign", `/v1/campaigns/${campaign.name}/vouchers`, (naming) => naming, ""],
      ["POST", "its code", `/v1/campaigns/${campaign.name}/vouchers/NEW`, (naming) => naming, ""],
      ["POST", "many", `/v1/campaigns/${campaign.name}/vouchers?vouchers_count=3`, (naming) => naming, ""],
      ["POST", "a program", "/v1/loyalties", (naming) => ({ name: "New", ...of_points, ...naming }), ""],
      ["PUT", "a program", `/v1/loyalties/${program.id}`, (naming) => naming, ""],
    ])("%s of %s is refused, whether the id is known or not", async (method, _, path, bodyWith, at) => {
      for (const category_id of [known.id, "cat_none"]) {
        const raw = JSON.stringify(bodyWith({ category: "Never made", category_id }));
        expect((await api.send(method, path, { raw, status: 400 })).body).toMatchObject({
          key: "invalid_payload",
          details: `Property ${at}.category must not be sent together with category_id`,
        });
      }
      const { body } = await api.get("/v1/categories", 200);
      expect(body.data.map(({ name }: { name: string }) => name)).not.toContain("Never made");
    });

    test("is one naming when the other is null", async () => {
      const named = await api.put("/v1/vouchers/BOTH", { category: "Both", category_id: null }, 200);
      expect(named.body.category_id).toBe(known.id);
      expect((await api.put("/v1/vouchers/BOTH", { category: null, category_id: known.id }, 200)).body.category).toBe(
        "Both",
      );
      await api.put("/v1/vouchers/BOTH", { category: "", category_id: known.id }, 200);
    });
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
