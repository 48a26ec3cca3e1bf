import { describe, expect, test } from "vitest";
import { startService, type TestProject } from "../../../test/harness/service.js";
import { aStack, askingFor, type Fields, idsOf, off } from "../promotions/promotion.fixtures.js";

const { api, clock, management, anotherProject } = await startService();

const validate = async (stack: { id: string }, more: Fields = {}, at = api) =>
  (await at.post("/v1/validations", askingFor(stack, more))).body;
const redeem = (stack: { id: string }, more: Fields = {}, status?: number) =>
  api.post("/v1/redemptions", askingFor(stack, more), status);

const reasonsOf = (entries: { status: string; result: { details?: { key: string } } }[] = []) =>
  entries.map(({ status, result }) => `${status} ${result.details?.key ?? ""}`.trim());

/** A project with stacking rules of its own. */
async function projectWith(rules: Fields): Promise<TestProject> {
  const project = await anotherProject();
  await management.post(`/management/v1/projects/${project.id}/stacking-rules`, rules, 200);
  return project;
}

describe("a stack that is validated", () => {
  test("becomes its tiers, in its own sequence, each on what the one before left of the order", async () => {
    const { id, campaign_id, tiers } = await aStack(api);
    const ids = [tiers[2], tiers[0], tiers[1]];
    await api.put(`/v1/promotions/${campaign_id}/stacks/${id}`, { tiers: { ids } }, 200);
    const { valid, redeemables, order } = await validate({ id });
    expect(valid).toBe(true);
    expect(redeemables).toMatchObject([
      { object: "promotion_tier", id: ids[0], order: { applied_discount_amount: 300, total_amount: 9700 } },
      { object: "promotion_tier", id: ids[1], order: { applied_discount_amount: 100, total_amount: 9600 } },
      { object: "promotion_tier", id: ids[2], order: { applied_discount_amount: 200, total_amount: 9400 } },
    ]);
    expect(order).toMatchObject({ total_amount: 9400, total_applied_discount_amount: 600 });
  });

  test("answers as its tiers do when they are listed", async () => {
    const stack = await aStack(api);
    const expand = { options: { expand: ["order", "redeemable", "category"] } };
    const redeemables = stack.tiers.map((id) => ({ object: "promotion_tier", id }));
    const listed = (await api.post("/v1/validations", { redeemables, order: { amount: 10_000 }, ...expand }, 200)).body;
    const as_stack = await validate(stack, expand);
    expect(as_stack.redeemables).toEqual(listed.redeemables);
    expect(as_stack.redeemables[0]).toMatchObject({ name: "tier 1", campaign_name: expect.any(String) });
  });

  test("follows an edit with the next request, and is gone with its last tier", async () => {
    const { id, campaign_id, tiers } = await aStack(api, [{}, {}]);
    await api.delete(`/v1/promotions/tiers/${tiers[0]}`, 204);
    expect(idsOf((await validate({ id })).redeemables)).toEqual([tiers[1]]);
    await api.put(`/v1/promotions/tiers/${tiers[1]}`, { action: off(700) }, 200);
    expect((await validate({ id })).order.total_discount_amount).toBe(700);
    await api.delete(`/v1/promotions/tiers/${tiers[1]}`, 204);
    await api.get(`/v1/promotions/${campaign_id}/stacks/${id}`, 404);
    expect((await validate({ id })).resource_type).toBe("promotion_stack");
  });

  test("opens the session that it is asked for, though tiers have nothing to reserve", async () => {
    const stack = await aStack(api);
    const session = { type: "LOCK", key: "mine" };
    expect((await validate(stack, { session })).session).toEqual({ ...session, ttl: 7, ttl_unit: "DAYS" });
    expect((await validate(stack)).valid).toBe(true);
    const { body } = await redeem(stack, { session }, 200);
    expect(body.redemptions).toHaveLength(3);
  });
});

describe("a stack is refused", () => {
  test.each([
    ["a voucher", { object: "voucher", id: "ANY" }],
    ["a tier", { object: "promotion_tier", id: "promo_any" }],
    ["another stack", { object: "promotion_stack", id: "stack_other" }],
  ])("together with %s, and nothing is written", async (_name, other) => {
    const { id, tiers } = await aStack(api);
    for (const path of ["/v1/validations", "/v1/redemptions"]) {
      const redeemables = [{ object: "promotion_stack", id }, other];
      for (const order_of_them of [redeemables, [...redeemables].reverse()]) {
        const { body } = await api.post(path, { redeemables: order_of_them, order: { amount: 1000 } }, 400);
        expect(body).toMatchObject({
          code: 400,
          key: "invalid_redeemables",
          message: "Invalid redeemables",
          details: "Promotion Stack cannot be use with other redeemables",
        });
      }
    }
    const { summary } = (await api.get(`/v1/promotions/tiers/${tiers[0]}`, 200)).body;
    expect(summary.redemptions.total_redeemed).toBe(0);
  });

  test("named twice, as a duplicate", async () => {
    const one = { object: "promotion_stack", id: (await aStack(api)).id };
    const { body } = await api.post("/v1/validations", { redeemables: [one, one] }, 400);
    expect(body.key).toBe("duplicated_redeemables");
  });

  test.each([
    ["that nobody knows", async () => "stack_none"],
    ["of another project", async () => (await aStack((await anotherProject()).api, [{}])).id],
    [
      "that was deleted",
      async () => {
        const { id, campaign_id } = await aStack(api);
        await api.delete(`/v1/promotions/${campaign_id}/stacks/${id}`, 204);
        return id;
      },
    ],
    [
      "whose campaign is in the bin",
      async () => {
        const { id, campaign_id } = await aStack(api);
        await api.delete(`/v1/campaigns/${campaign_id}`);
        return id;
      },
    ],
    ["that is a tier", async () => (await aStack(api)).tiers[0] as string],
  ])("%s is not found: there are no tiers to answer for, so it is the error of the whole", async (_name, make) => {
    const id = await make();
    const missing = {
      key: "not_found",
      message: "Resource not found",
      details: `Cannot find promotion_stack with id ${id}`,
      resource_id: id,
      resource_type: "promotion_stack",
    };
    for (const more of [{}, { session: { type: "LOCK" } }]) {
      expect((await api.post("/v1/validations", askingFor({ id }, more), 404)).body).toMatchObject(missing);
    }
    const failures = "/v1/redemptions?filters[failure_code][conditions][$is][0]=not_found";
    const { total } = (await api.get(failures, 200)).body;
    expect((await redeem({ id }, {}, 404)).body).toMatchObject(missing);
    const on_record = (await api.get(failures, 200)).body;
    expect(on_record.total).toBe(total + 1);
    expect(on_record.redemptions[0]).toMatchObject({ related_object_type: "redemption", promotion_tier: null });
  });

  test.each([
    ["promotion_inactive", {}, "disable"],
    ["promotion_not_active_now", { expiration_date: "2026-03-01T00:00:00Z" }, null],
    ["promotion_not_active_now", { start_date: "2026-03-03T00:00:00Z" }, null],
    ["promotion_not_active_now", { validity_day_of_week: [0, 6] }, null],
  ])("with %s for the first tier that is not to be had, the others after it skipped", async (key, fields, edit) => {
    const stack = await aStack(api, [{}, fields, {}]);
    if (edit) await api.post(`/v1/promotions/tiers/${stack.tiers[1]}/${edit}`, undefined, 200);
    const { valid, redeemables } = await validate(stack);
    expect(valid).toBe(false);
    expect(reasonsOf(redeemables)).toEqual([
      "APPLICABLE",
      `INAPPLICABLE ${key}`,
      "SKIPPED preceding_validation_failed",
    ]);
    const { body } = await redeem(stack, {}, 400);
    expect(body).toMatchObject({ key, resource_type: "redemption" });
    const record = (await api.get(`/v1/redemptions/${body.resource_id}`, 200)).body;
    expect(record).toMatchObject({
      status: "FAILED",
      failure_code: key,
      related_object_type: "promotion_tier",
      related_object_id: stack.tiers[1],
      order: null,
    });
    for (const id of stack.tiers) {
      const { summary } = (await api.get(`/v1/promotions/tiers/${id}`, 200)).body;
      expect(summary.redemptions.total_redeemed).toBe(0);
    }
  });

  test("while its campaign is disabled", async () => {
    const stack = await aStack(api);
    await api.post(`/v1/campaigns/${stack.campaign_id}/disable`, {}, 200);
    const { redeemables } = await validate(stack);
    expect(redeemables[0].result.error).toMatchObject({
      key: "promotion_inactive",
      message: "Inactive Promotion",
      details: `Promotion Tier with id: ${stack.tiers[0]} is disabled.`,
      redeemable_id: stack.tiers[0],
      redeemable_type: "promotion_tier",
    });
    await api.post(`/v1/campaigns/${stack.campaign_id}/enable`, {}, 200);
    expect((await validate(stack)).valid).toBe(true);
  });
});

describe("stacking rules", () => {
  test("count a stack as one that is sent, and its tiers as many that are applied", async () => {
    const project = await projectWith({ redeemables_limit: 4, applicable_redeemables_limit: 2 });
    const stack = await aStack(project.api, [{}, {}, {}, {}, {}], {});
    const { valid, redeemables, skipped_redeemables } = await validate(stack, {}, project.api);
    expect(valid).toBe(true);
    expect(idsOf(redeemables)).toEqual(stack.tiers.slice(0, 2));
    expect(idsOf(skipped_redeemables)).toEqual(stack.tiers.slice(2));
    expect(reasonsOf(skipped_redeemables)).toEqual(Array(3).fill("SKIPPED applicable_redeemables_limit_exceeded"));
  });

  test("apply five of thirty tiers by default", async () => {
    const stack = await aStack(
      api,
      Array.from({ length: 30 }, () => ({})),
    );
    const { redeemables, skipped_redeemables } = await validate(stack);
    expect([redeemables.length, skipped_redeemables.length]).toEqual([5, 25]);
  });

  test("see a tier's own category, else the stack's, else the campaign's", async () => {
    const project = await anotherProject();
    const stack = await aStack(project.api, [{ category: "own" }, {}], { category: "of the stack" });
    const { data } = (await project.api.get("/v1/categories", 200)).body;
    const of_the_stack = data.find(({ name }: { name: string }) => name === "of the stack").id;
    const rules = { exclusive_categories: [of_the_stack] };
    await management.post(`/management/v1/projects/${project.id}/stacking-rules`, rules, 200);
    const expand = { options: { expand: ["category"] } };
    const { redeemables, skipped_redeemables } = await validate(stack, expand, project.api);
    expect(redeemables).toMatchObject([
      { id: stack.tiers[1], categories: [{ name: "of the stack", stacking_rules_type: "EXCLUSIVE" }] },
    ]);
    expect(skipped_redeemables).toMatchObject([{ id: stack.tiers[0], categories: [{ name: "own" }] }]);
    expect(reasonsOf(skipped_redeemables)).toEqual(["SKIPPED exclusion_rules_not_met"]);
  });

  test("in mode PARTIAL let the others apply", async () => {
    const project = await projectWith({ redeemables_application_mode: "PARTIAL" });
    const stack = await aStack(project.api, [{}, { expiration_date: "2026-03-01T00:00:00Z" }, {}], {});
    const { redeemables, inapplicable_redeemables } = await validate(stack, {}, project.api);
    expect(idsOf(redeemables)).toEqual([stack.tiers[0], stack.tiers[2]]);
    expect(idsOf(inapplicable_redeemables)).toEqual([stack.tiers[1]]);
  });
});

test("a stack's window is that of its tiers at the instant of the request", async () => {
  const stack = await aStack(api, [{ expiration_date: "2026-03-02T11:00:00.000Z" }]);
  expect((await validate(stack)).valid).toBe(true);
  clock.advance({ ms: 3_600_001 });
  expect((await validate(stack)).valid).toBe(false);
});
