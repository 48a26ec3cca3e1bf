import { describe, expect, test } from "vitest";
import { type Fields, idsOf } from "../../src/features/promotions/promotion.fixtures.js";
import { startService } from "../harness/service.js";
import { storedOf } from "../harness/stored.js";
import { an_order, aShop, aStockedShop } from "./shop.fixtures.js";

const service = await startService();
const modes = { redeemables_application_mode: "PARTIAL" };
const statuses = (entries: { id: string; status: string }[] = []) => entries.map(({ id, status }) => `${id} ${status}`);

describe("which entries a validation answers, and where (redemption.md §6)", () => {
  const all = "APPLICABLE INAPPLICABLE SKIPPED".split(" ");
  test.each<[string, Fields, string[], boolean, string[], string[] | undefined, string[] | undefined]>([
    ["ALL, all apply", {}, ["A", "B"], true, ["A APPLICABLE", "B APPLICABLE"], undefined, undefined],
    [
      "ALL, one does not",
      {},
      ["A", "OFF", "B"],
      false,
      ["A", "OFF", "B"].map((code, i) => `${code} ${all[i]}`),
      ["OFF INAPPLICABLE"],
      ["B SKIPPED"],
    ],
    [
      "ALL, one too many",
      { applicable_redeemables_limit: 2 },
      ["A", "B", "C"],
      true,
      ["A APPLICABLE", "B APPLICABLE"],
      undefined,
      ["C SKIPPED"],
    ],
    ["PARTIAL, one does not", modes, ["OFF", "A"], true, ["A APPLICABLE"], ["OFF INAPPLICABLE"], undefined],
    [
      "PARTIAL, one does not and one is too many",
      { ...modes, applicable_redeemables_limit: 1 },
      ["OFF", "A", "B"],
      true,
      ["A APPLICABLE"],
      ["OFF INAPPLICABLE"],
      ["B SKIPPED"],
    ],
    [
      "PARTIAL, none applies",
      modes,
      ["OFF", "OUT"],
      false,
      ["OFF INAPPLICABLE", "OUT INAPPLICABLE"],
      ["OFF INAPPLICABLE", "OUT INAPPLICABLE"],
      undefined,
    ],
  ])("%s", async (_, rules, codes, valid, redeemables, inapplicable, skipped) => {
    const shop = await aStockedShop(service, rules);
    const body = await shop.validate(codes);
    expect(body.id).toMatch(/^valid_/);
    expect(body.valid).toBe(valid);
    expect(statuses(body.redeemables)).toEqual(redeemables);
    expect(body.inapplicable_redeemables && statuses(body.inapplicable_redeemables)).toEqual(inapplicable);
    expect(body.skipped_redeemables && statuses(body.skipped_redeemables)).toEqual(skipped);
    expect("inapplicable_redeemables" in body).toBe(inapplicable !== undefined);
    expect("skipped_redeemables" in body).toBe(skipped !== undefined);
    expect("order" in body).toBe(valid);
  });

  test("everything SKIPPED is not valid", async () => {
    const shop = await aStockedShop(service, { redeemables_no_effect_rule: "SKIP" });
    const body = await shop.validate(["A"], { order: { amount: 0 } });
    expect(body).toMatchObject({ valid: false, redeemables: [{ id: "A", status: "SKIPPED" }] });
    expect(idsOf(body.skipped_redeemables)).toEqual(["A"]);
    expect(body).not.toHaveProperty("order");
    expect(body).not.toHaveProperty("inapplicable_redeemables");
  });

  test("applicable ones in the order in which they apply, not that in which they were asked", async () => {
    const shop = await aShop(service, { redeemables_sorting_rule: "CATEGORY_HIERARCHY" });
    const category = async (name: string, hierarchy: number) =>
      (await shop.api.post("/v1/categories", { name, hierarchy }, 200)).body.id;
    await shop.voucher("LAST", { category_id: await category("last", 9) });
    await shop.voucher("FIRST", { category_id: await category("first", 1) });
    expect(idsOf((await shop.validate(["LAST", "FIRST"])).redeemables)).toEqual(["FIRST", "LAST"]);
  });

  test("those before the first that does not apply with their order and result in full", async () => {
    const shop = await aStockedShop(service);
    const { redeemables } = await shop.validate(["A", "OFF", "B"]);
    expect(redeemables[0]).toMatchObject({
      order: { amount: 10_000, discount_amount: 100, applied_discount_amount: 100, total_amount: 9_900 },
      result: { discount: { type: "AMOUNT", amount_off: 100 } },
    });
  });
});

describe("who asks", () => {
  test("is told by a tracking id, the same for the same customer; nobody has none", async () => {
    const shop = await aStockedShop(service);
    const { id } = (await shop.api.post("/v1/customers", { source_id: "ann" }, 200)).body;
    const trackedBy = async (more: Fields) => (await shop.validate(["A"], { order: an_order, ...more })).tracking_id;
    const tracking_id = await trackedBy({ customer: { source_id: "ann" } });
    expect(tracking_id).toMatch(/^track_/);
    for (const same of [{ customer: { id } }, { tracking_id: "ann" }, { tracking_id }])
      expect(await trackedBy(same)).toBe(tracking_id);
    expect(await trackedBy({ customer: { source_id: "bob" } })).not.toBe(tracking_id);
    expect(await shop.validate(["A"])).not.toHaveProperty("tracking_id");
    expect(await shop.validate(["OFF"], { customer: { id } })).toMatchObject({ valid: false, tracking_id });
  });
});

describe("a session", () => {
  const session = { type: "LOCK", key: "till", ttl: 5, ttl_unit: "MINUTES" };
  test.each<[string, Fields | undefined, Fields | undefined]>([
    ["A", session, session],
    ["OFF", session, undefined],
    ["A", undefined, undefined],
  ])("is echoed where it was asked for and the validation is valid: %s, %j", async (code, sent, echoed) => {
    const shop = await aStockedShop(service);
    const body = await shop.validate([code], { order: an_order, ...(sent && { session: sent }) });
    expect(body.session).toEqual(echoed);
    expect("session" in body).toBe(echoed !== undefined);
  });
});

test("the stacking rules stand in every validation, those by default with exactly their keys", async () => {
  const shop = await aStockedShop(service);
  const defaults = {
    redeemables_limit: 30,
    applicable_redeemables_limit: 5,
    applicable_exclusive_redeemables_limit: 1,
    // Unset, and shown as the limit that then holds: the shape requires it (ADR 8).
    applicable_redeemables_per_category_limit: 5,
    applicable_redeemables_category_limits: {},
    exclusive_categories: [],
    joint_categories: [],
    redeemables_application_mode: "ALL",
    redeemables_sorting_rule: "REQUESTED_ORDER",
    redeemables_no_effect_rule: "REDEEM_ANYWAY",
    no_effect_skip_categories: [],
    no_effect_redeem_anyway_categories: [],
    redeemables_products_application_mode: "STACK",
    redeemables_rollback_order_mode: "WITH_ORDER",
    grouped_redeemables_sorting_rule: "JOINT_ALWAYS_LAST",
  };
  for (const code of ["A", "OFF"]) {
    const { discount_calculation_mode, initial_amount_mode_categories, discounted_amount_mode_categories, ...shown } = (
      await shop.validate([code])
    ).stacking_rules;
    expect(shown).toEqual(defaults);
  }
});

describe("the order of a validation", () => {
  test("is not stored: no id, status or date, nobody's, with ids of lines made for it", async () => {
    const shop = await aStockedShop(service);
    const items = [{ source_id: "x", related_object: "product", quantity: 2, price: 500 }];
    const { order } = await shop.validate(["A"], { order: { items }, customer: { source_id: "ann" } });
    for (const key of ["id", "status", "created_at", "updated_at"]) expect(order).not.toHaveProperty(key);
    expect(order).toMatchObject({ customer_id: null, referrer_id: null, object: "order", amount: 1_000 });
    expect(order.items[0].id).toMatch(/^ordli_/);
    expect((await shop.api.get("/v1/orders", 200)).body.total).toBe(0);
  });

  test("that is stored and named has them", async () => {
    const shop = await aStockedShop(service);
    const stored = (await shop.api.post("/v1/orders", { amount: 5_000 }, 200)).body;
    const { order } = await shop.validate(["A"], { order: { id: stored.id } });
    expect(order).toMatchObject({
      id: stored.id,
      status: "CREATED",
      created_at: stored.created_at,
      total_amount: 4_900,
    });
  });
});

test("nothing is written: no customer, order, product, event nor record, valid or not", async () => {
  const shop = await aStockedShop(service);
  const items = [
    { source_id: "mug", related_object: "product", quantity: 1, product: { name: "Mug", price: 500, override: true } },
  ];
  const more = {
    customer: { source_id: "new", name: "New" },
    order: { source_id: "cart", items },
    metadata: { till: 1 },
  };
  await shop.api.post("/v1/customers", { source_id: "old", name: "Old" }, 200);
  await service.runDue();
  const before = await storedOf(service.context, shop.id);
  for (const codes of [["A"], ["OFF"], ["A", "NOWHERE"]]) {
    await shop.validate(codes, more);
    await shop.validate(codes, { ...more, customer: { source_id: "old", name: "Other" } });
  }
  await service.runDue();
  expect(await storedOf(service.context, shop.id)).toEqual(before);
});
