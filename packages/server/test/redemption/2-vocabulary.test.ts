import { expect, test } from "vitest";
import { aStack, askingFor, type Fields, idsOf } from "../../src/features/promotions/promotion.fixtures.js";
import { startService } from "../harness/service.js";
import { an_order, aShop, asked } from "./shop.fixtures.js";

const service = await startService();

test("ids say what they are of (redemption.md §2)", async () => {
  const shop = await aShop(service, { redeemables_limit: 30 });
  const stack = await aStack(shop.api);
  await shop.voucher("OFF", { active: false });
  const items = [{ source_id: "mug", related_object: "product", price: 10_000 }];
  const more = { customer: { source_id: "ann" }, order: { items }, session: { type: "LOCK" } };
  const valid = (await shop.api.post("/v1/validations", askingFor(stack, more), 200)).body;
  const { redemptions, parent_redemption, order } = (
    await shop.api.post("/v1/redemptions", askingFor(stack, more), 200)
  ).body;
  const failed = await shop.redeem(["OFF"], undefined, 400);
  const undo = `/v1/redemptions/${parent_redemption.id}/rollbacks`;
  const { rollbacks, parent_rollback } = (await shop.api.post(undo, {}, 200)).body;
  const again = (await shop.api.post(undo, {}, 400)).body;
  const rules = await service.management.get(`/management/v1/projects/${shop.id}/stacking-rules`, 200);
  const named = {
    valid_: [valid.id],
    ssn_: [valid.session.key],
    track_: [valid.tracking_id, parent_redemption.tracking_id],
    promo_: [...stack.tiers, ...idsOf(valid.redeemables)],
    stack_: [stack.id],
    stk_: idsOf(rules.body.data),
    r_: [parent_redemption.id, ...idsOf(redemptions)],
    rf_: [failed.resource_id],
    rr_: [parent_rollback.id, ...idsOf(rollbacks)],
    rrf_: [again.resource_id],
    ord_: [order.id],
    ordli_: [...idsOf(order.items), ...idsOf(valid.order.items)],
    "v-": [failed.request_id, again.request_id],
  };
  for (const [prefix, ids] of Object.entries(named))
    for (const id of ids) expect(id).toMatch(new RegExp(`^${prefix}[0-9A-Za-z+/=_-]+$`));
});

test("exclusive, joint and common are what their category is", async () => {
  const shop = await aShop(service);
  const category = async (name: string) => (await shop.api.post("/v1/categories", { name, hierarchy: 1 }, 200)).body.id;
  const [exclusive, joint, other] = [await category("exclusive"), await category("joint"), await category("other")];
  const rules = { exclusive_categories: [exclusive], joint_categories: [joint] };
  await service.management.post(`/management/v1/projects/${shop.id}/stacking-rules`, rules, 200);
  for (const [code, category_id] of Object.entries({ EXCLUSIVE: exclusive, JOINT: joint, OTHER: other }))
    await shop.voucher(code, { category_id });
  await shop.voucher("NONE");
  const options = { expand: ["category"] };
  const body = await shop.validate(["NONE", "OTHER", "JOINT", "EXCLUSIVE"], { order: an_order, options });
  expect(idsOf(body.redeemables)).toEqual(["EXCLUSIVE", "JOINT"]);
  expect(idsOf(body.skipped_redeemables)).toEqual(["NONE", "OTHER"]);
  const typesOf = (entries: { categories?: Fields[] }[]) =>
    entries.map(({ categories }) => categories?.[0]?.stacking_rules_type);
  expect(typesOf(body.redeemables)).toEqual(["EXCLUSIVE", "JOINT"]);
  expect(typesOf(body.skipped_redeemables)).toEqual([undefined, undefined]);
});

test("a parent stands for two or more that were redeemed together", async () => {
  const shop = await aShop(service);
  for (const code of ["A", "B"]) await shop.voucher(code);
  expect(await shop.redeem([asked("A")])).not.toHaveProperty("parent_redemption");
  const { parent_redemption, redemptions } = await shop.redeem(["A", "B"]);
  expect(redemptions.map((child: { redemption: string }) => child.redemption)).toEqual([
    parent_redemption.id,
    parent_redemption.id,
  ]);
});
