import { beforeEach, describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";

const { management, anotherProject } = await startService();

type Project = Awaited<ReturnType<typeof anotherProject>>;
let project: Project;
let path: string;

beforeEach(async () => {
  project = await anotherProject();
  path = `/management/v1/projects/${project.id}/stacking-rules`;
});

const set = async (rules: Record<string, unknown>) => (await management.post(path, rules, 200)).body;

/** Codes that take 100 off each, of the categories named. */
async function codesOf(...categories: (string | undefined)[]) {
  const discount = { type: "AMOUNT", amount_off: 100 };
  for (const [i, category] of categories.entries()) {
    await project.api.post(`/v1/vouchers/CODE-${i}`, { discount, category }, 200);
  }
}
const validate = async (...codes: number[]) => {
  const redeemables = codes.map((i) => ({ object: "voucher", id: `CODE-${i}` }));
  return (await project.api.post("/v1/validations", { redeemables, order: { amount: 10_000 } })).body;
};
const statuses = ({ redeemables = [], skipped_redeemables = [] }: Record<string, { status: string }[]>) =>
  [...redeemables, ...skipped_redeemables].map(({ status }) => status);
const categoryId = async (name: string) => {
  const { data } = (await project.api.get("/v1/categories", 200)).body;
  return data.find((category: { name: string }) => category.name === name).id as string;
};

const defaults = {
  redeemables_limit: 30,
  applicable_redeemables_limit: 5,
  applicable_redeemables_per_category_limit: null,
  applicable_redeemables_category_limits: {},
  applicable_exclusive_redeemables_limit: 1,
  applicable_exclusive_redeemables_per_category_limit: null,
  exclusive_categories: [],
  joint_categories: [],
  redeemables_application_mode: "ALL",
  redeemables_sorting_rule: "REQUESTED_ORDER",
  grouped_redeemables_sorting_rule: "JOINT_ALWAYS_LAST",
  discount_calculation_mode: "DISCOUNTED_AMOUNT",
  initial_amount_mode_categories: [],
  discounted_amount_mode_categories: [],
  redeemables_products_application_mode: "STACK",
  redeemables_no_effect_rule: "REDEEM_ANYWAY",
  no_effect_skip_categories: [],
  no_effect_redeem_anyway_categories: [],
  redeemables_rollback_order_mode: "WITH_ORDER",
};

describe("the stacking rules of a project", () => {
  test("are the defaults, without an id, until it has its own", async () => {
    expect((await management.get(path, 200)).body).toEqual({
      object: "list",
      data_ref: "data",
      data: [defaults],
      total: 1,
    });
  });

  test("are made once, with what was not sent filled in", async () => {
    const made = await set({ applicable_redeemables_limit: 2 });
    expect(made).toEqual({
      ...defaults,
      applicable_redeemables_limit: 2,
      id: expect.stringMatching(/^stk_/),
      created_at: "2026-03-02T10:00:00.000Z",
    });
    expect((await management.get(path, 200)).body.data).toEqual([made]);
    expect((await management.get(`${path}/${made.id}`, 200)).body).toEqual(made);
    expect((await management.post(path, {}, 409)).body).toMatchObject({
      key: "stacking_rules_exist",
      message: "Stacking rules exist",
      details: "Cannot exist more stacking rules for given project",
    });
  });

  test("change in what an edit sends, lists as a whole, and are the defaults again once deleted", async () => {
    const made = await set({ exclusive_categories: ["a", "b"], redeemables_application_mode: "PARTIAL" });
    const { body } = await management.put(`${path}/${made.id}`, { exclusive_categories: ["c"] }, 200);
    expect(body).toEqual({ ...made, exclusive_categories: ["c"], updated_at: "2026-03-02T10:00:00.000Z" });
    await management.delete(`${path}/${made.id}`, 204);
    expect((await management.get(path, 200)).body.data).toEqual([defaults]);
    for (const call of [management.get, management.delete]) {
      expect((await call(`${path}/${made.id}`, 404)).body).toMatchObject({
        details: `Cannot find stacking_rules with id ${made.id}`,
        resource_type: "stacking_rules",
      });
    }
    await set({});
  });

  test("of another project are unknown by their id", async () => {
    const made = await set({});
    const other = await anotherProject();
    await management.get(`/management/v1/projects/${other.id}/stacking-rules/${made.id}`, 404);
    await management.put(`/management/v1/projects/${other.id}/stacking-rules/${made.id}`, {}, 404);
    await management.get("/management/v1/projects/proj_none/stacking-rules", 404);
  });

  test.each([
    [{ redeemables_limit: 31 }, "Property .redeemables_limit must be <= 30"],
    [{ redeemables_limit: 0 }, "Property .redeemables_limit must be >= 1"],
    [{ applicable_exclusive_redeemables_limit: 6 }, "Property .applicable_exclusive_redeemables_limit must be <= 5"],
    [{ redeemables_limit: 3, applicable_redeemables_limit: 4 }, "Property .applicable_redeemables_limit must be <= 3"],
    [
      { applicable_redeemables_limit: 2, applicable_redeemables_per_category_limit: 3 },
      "Property .applicable_redeemables_per_category_limit must be <= 2",
    ],
    [
      { applicable_exclusive_redeemables_per_category_limit: 2 },
      "Property .applicable_exclusive_redeemables_per_category_limit must be <= 1",
    ],
    [{ redeemables_application_mode: "SOME" }, "redeemables_application_mode"],
    [{ applicable_redeemables_category_limits: { cat_a: 11 } }, "applicable_redeemables_category_limits"],
    [{ no_effect_skip_categories: ["a"], no_effect_redeem_anyway_categories: ["a"] }, "no_effect_skip_categories"],
  ])("are refused as %j", async (sent, details) => {
    const { body } = await management.post(path, sent, 400);
    expect(body.key).toBe("invalid_payload");
    expect(body.details).toContain(details);
    expect((await management.get(path, 200)).body.data[0]).not.toHaveProperty("id");
  });

  test("lower the limits that were not sent to the one that bounds them", async () => {
    expect(await set({ redeemables_limit: 3 })).toMatchObject({
      redeemables_limit: 3,
      applicable_redeemables_limit: 3,
    });
  });
});

describe("the next decision", () => {
  test("applies as many as the new limit, skips the others, and says by which rules", async () => {
    await codesOf(undefined, undefined, undefined);
    expect(statuses(await validate(0, 1, 2))).toEqual(["APPLICABLE", "APPLICABLE", "APPLICABLE"]);
    await set({ applicable_redeemables_limit: 2, redeemables_application_mode: "PARTIAL" });
    const limited = await validate(0, 1, 2);
    expect(statuses(limited)).toEqual(["APPLICABLE", "APPLICABLE", "SKIPPED"]);
    expect(limited.stacking_rules).toMatchObject({ applicable_redeemables_limit: 2 });
  });

  test("refuses more redeemables than may be sent", async () => {
    await codesOf(undefined, undefined);
    await set({ redeemables_limit: 1 });
    const redeemables = [0, 1].map((i) => ({ object: "voucher", id: `CODE-${i}` }));
    for (const operation of ["/v1/validations", "/v1/redemptions"]) {
      const { body } = await project.api.post(operation, { redeemables, order: { amount: 10_000 } }, 400);
      expect(body).toMatchObject({
        key: "invalid_payload",
        details: "Property .redeemables must NOT have more than 1 items",
      });
    }
    expect((await validate(0)).valid).toBe(true);
  });

  test("leaves out what stands beside an exclusive one, and shows which that is", async () => {
    await codesOf("Plain", "Alone", "With all");
    const [alone, with_all] = [await categoryId("Alone"), await categoryId("With all")];
    await set({
      exclusive_categories: [alone],
      joint_categories: [with_all],
      redeemables_application_mode: "PARTIAL",
    });
    const redeemables = [0, 1, 2].map((i) => ({ object: "voucher", id: `CODE-${i}` }));
    const sent = { redeemables, order: { amount: 10_000 }, options: { expand: ["category"] } };
    const { body } = await project.api.post("/v1/validations", sent, 200);
    const shown = [...body.redeemables, ...body.skipped_redeemables].map((one) => [
      one.id,
      one.categories[0].stacking_rules_type,
      one.result.details?.key,
    ]);
    expect(shown).toEqual([
      ["CODE-1", "EXCLUSIVE", undefined],
      ["CODE-2", "JOINT", undefined],
      ["CODE-0", undefined, "exclusion_rules_not_met"],
    ]);
  });
});

describe("a category that stacking rules name", () => {
  test("is not deleted, unless it is to leave them too", async () => {
    await codesOf("Listed");
    const id = await categoryId("Listed");
    const made = await set({
      joint_categories: [id, "cat_other"],
      applicable_redeemables_category_limits: { [id]: 2 },
    });
    const refused = (await project.api.delete(`/v1/categories/${id}`, 400)).body;
    expect(refused).toMatchObject({
      key: "resource_in_use",
      related_object_ids: [made.id],
      related_object_type: "stacking_rules",
    });
    await project.api.delete(`/v1/categories/${id}?remove_from_stacking_rules=true`, 204);
    expect((await management.get(`${path}/${made.id}`, 200)).body).toMatchObject({
      joint_categories: ["cat_other"],
      applicable_redeemables_category_limits: {},
    });
  });
});

test("what is nothing of the rules is neither kept nor shown", async () => {
  const { id, ...made } = await set({ colour: "red", redeemables_limit: 20 });
  expect(made).not.toHaveProperty("colour");
  await management.put(`${path}/${id}`, { shape: {} }, 200);
  expect((await management.get(path, 200)).body.data[0]).not.toHaveProperty("shape");
});
