import { describe, expect, test } from "vitest";
import { aRule, type Fields, idsOf, off } from "../../src/features/promotions/promotion.fixtures.js";
import { startService } from "../harness/service.js";

const { management, anotherProject } = await startService();

/** A shop with categories, the first of which comes first, and stacking rules that name them. */
async function aShop(categories: string[], rulesOf: (idOf: (name: string) => string) => Fields) {
  const { api, id } = await anotherProject();
  const ids: Record<string, string> = {};
  for (const [hierarchy, name] of categories.entries()) {
    ids[name] = (await api.post("/v1/categories", { name, hierarchy }, 200)).body.id;
  }
  const rules = rulesOf((name) => ids[name] as string);
  await management.post(`/management/v1/projects/${id}/stacking-rules`, rules, 200);
  return {
    api,
    code: async (code: string, category: string | null, more: Fields = {}) => {
      const sent = { ...off(100), category_id: category === null ? undefined : ids[category], ...more };
      return (await api.post(`/v1/vouchers/${code}`, sent, 200)).body.code as string;
    },
    async validate(codes: string[], order: Fields = { amount: 10_000 }) {
      const redeemables = codes.map((id) => ({ object: "voucher", id }));
      return (await api.post("/v1/validations", { redeemables, order }, 200)).body;
    },
  };
}
const skippedBy = ({ skipped_redeemables = [] }: { skipped_redeemables?: Skipped[] }) =>
  skipped_redeemables.map(({ id, result }) => `${id} ${result.details.key}`);
interface Skipped {
  id: string;
  result: { details: { key: string } };
}

describe("sorting (redemption.md §5.2)", () => {
  test.each([
    ["REQUESTED_ORDER", ["N", "B1", "A", "B2"]],
    ["CATEGORY_HIERARCHY", ["A", "B1", "B2", "N"]],
  ])("%s: %j", async (redeemables_sorting_rule, sorted) => {
    const { code, validate } = await aShop(["a", "b"], () => ({ redeemables_sorting_rule }));
    await code("N", null);
    for (const [one, category] of Object.entries({ B1: "b", A: "a", B2: "b" })) await code(one, category);
    expect(idsOf((await validate(["N", "B1", "A", "B2"])).redeemables)).toEqual(sorted);
  });

  test.each([
    ["JOINT_ALWAYS_LAST", ["E", "J"]],
    ["SORTING_RULE", ["J", "E"]],
  ])("%s: joint and exclusive ones as %j", async (grouped_redeemables_sorting_rule, sorted) => {
    const { code, validate } = await aShop(["joint", "exclusive"], (idOf) => ({
      grouped_redeemables_sorting_rule,
      joint_categories: [idOf("joint")],
      exclusive_categories: [idOf("exclusive")],
    }));
    await code("J", "joint");
    await code("E", "exclusive");
    expect(idsOf((await validate(["J", "E"])).redeemables)).toEqual(sorted);
  });
});

describe("exclusivity (redemption.md §5.3)", () => {
  const shop = (more: Fields = {}) =>
    aShop(["joint", "exclusive"], (idOf) => ({
      joint_categories: [idOf("joint")],
      exclusive_categories: [idOf("exclusive")],
      ...more,
    }));

  test("a common one is left out beside an exclusive one, wherever it stands; a joint one is not", async () => {
    const { code, validate } = await shop();
    await code("C", null);
    await code("J", "joint");
    await code("E", "exclusive");
    expect(idsOf((await validate(["C", "J"])).redeemables)).toEqual(["C", "J"]);
    const together = await validate(["C", "J", "E"]);
    expect(idsOf(together.redeemables)).toEqual(["E", "J"]);
    expect(skippedBy(together)).toEqual(["C exclusion_rules_not_met"]);
    expect(together.skipped_redeemables[0].result.details.message).toBe(
      "Redeemable cannot be applied due to exclusion rules",
    );
  });

  test("in mode PARTIAL an exclusive one that does not apply keeps nobody out", async () => {
    const { code, validate } = await shop({ redeemables_application_mode: "PARTIAL" });
    await code("C", null);
    await code("E", "exclusive", { active: false });
    const { valid, redeemables, inapplicable_redeemables } = await validate(["C", "E"]);
    expect([valid, idsOf(redeemables), idsOf(inapplicable_redeemables)]).toEqual([true, ["C"], ["E"]]);
  });
});

describe("limits (redemption.md §5.4)", () => {
  const five = async (limits: (idOf: (name: string) => string) => Fields) => {
    const { code, validate } = await aShop(["a", "b"], limits);
    for (const one of ["A1", "A2", "A3"]) await code(one, "a");
    for (const one of ["B1", "B2"]) await code(one, "b");
    return validate(["A1", "A2", "A3", "B1", "B2"]);
  };

  test("four in all and two of a category: A, A, B, B", async () => {
    const limits = { applicable_redeemables_limit: 4, applicable_redeemables_per_category_limit: 2 };
    const answer = await five(() => limits);
    expect(idsOf(answer.redeemables)).toEqual(["A1", "A2", "B1", "B2"]);
    expect(skippedBy(answer)).toEqual(["A3 applicable_redeemables_per_category_limit_exceeded"]);
  });

  test("three in all and two of a category: A, A, B, and the total tells why the last is left out", async () => {
    const limits = { applicable_redeemables_limit: 3, applicable_redeemables_per_category_limit: 2 };
    const answer = await five(() => limits);
    expect(idsOf(answer.redeemables)).toEqual(["A1", "A2", "B1"]);
    expect(skippedBy(answer)).toEqual([
      "A3 applicable_redeemables_per_category_limit_exceeded",
      "B2 applicable_redeemables_limit_exceeded",
    ]);
  });

  test("a category's own limit wins over the general one", async () => {
    const answer = await five((idOf) => ({
      applicable_redeemables_per_category_limit: 2,
      applicable_redeemables_category_limits: { [idOf("a")]: 1 },
    }));
    expect(idsOf(answer.redeemables)).toEqual(["A1", "B1", "B2"]);
  });

  test("one exclusive unless said otherwise, and of a category as many as its limit", async () => {
    const of = (more: Fields) => five((idOf) => ({ exclusive_categories: [idOf("a"), idOf("b")], ...more }));
    const one = await of({});
    expect(idsOf(one.redeemables)).toEqual(["A1"]);
    expect(skippedBy(one)[0]).toBe("A2 applicable_exclusive_redeemables_limit_exceeded");
    const limits = {
      applicable_exclusive_redeemables_limit: 3,
      applicable_exclusive_redeemables_per_category_limit: 1,
    };
    const each = await of(limits);
    expect(idsOf(each.redeemables)).toEqual(["A1", "B1"]);
    expect(skippedBy(each)[0]).toBe("A2 applicable_exclusive_redeemables_per_category_limit_exceeded");
  });
});

describe("no effect (redemption.md §5.5)", () => {
  const all = off(10_000);

  test.each([
    ["REDEEM_ANYWAY", "NONE", "SKIPS"],
    ["SKIP", "ANYWAY", "NONE"],
  ])("%s, unless the category says otherwise: %s applies, %s does not", async (rule, applied, skipped) => {
    const { code, validate } = await aShop(["skips", "anyway"], (idOf) => ({
      redeemables_no_effect_rule: rule,
      no_effect_skip_categories: [idOf("skips")],
      no_effect_redeem_anyway_categories: [idOf("anyway")],
    }));
    await code("ALL", null, all);
    for (const [one, category] of Object.entries({ NONE: null, SKIPS: "skips", ANYWAY: "anyway" })) {
      await code(one, category);
    }
    const answer = await validate(["ALL", applied, skipped]);
    expect(idsOf(answer.redeemables)).toEqual(["ALL", applied]);
    expect(skippedBy(answer)).toEqual([`${skipped} no_effect`]);
  });

  test("what is skipped is not redeemed, what is redeemed anyway is used up", async () => {
    for (const [redeemables_no_effect_rule, used] of [
      ["SKIP", 0],
      ["REDEEM_ANYWAY", 1],
    ] as const) {
      const { api, code } = await aShop([], () => ({ redeemables_no_effect_rule }));
      await code("ALL", null, all);
      await code("NONE", null);
      const redeemables = ["ALL", "NONE"].map((id) => ({ object: "voucher", id }));
      await api.post("/v1/redemptions", { redeemables, order: { amount: 10_000 } }, 200);
      const { redemption } = (await api.get("/v1/vouchers/NONE", 200)).body;
      expect(redemption.redeemed_quantity).toBe(used);
    }
  });
});

describe("calculation mode (redemption.md §5.6)", () => {
  const percent = (percent_off: number) => ({ discount: { type: "PERCENT", percent_off } });

  test.each([
    ["DISCOUNTED_AMOUNT", 24_000, 40_000],
    ["INITIAL_AMOUNT", 32_000, 48_000],
  ])("%s: 25 %% and then 50 %% of 640.00 take 160.00 and %i", async (discount_calculation_mode, second, in_all) => {
    const { code, validate } = await aShop([], () => ({ discount_calculation_mode }));
    await code("FIRST", null, percent(25));
    await code("SECOND", null, percent(50));
    const { redeemables, order } = await validate(["FIRST", "SECOND"], { amount: 64_000 });
    const applied = redeemables.map((one: { order: Fields }) => one.order.applied_discount_amount);
    expect([...applied, order.total_discount_amount]).toEqual([16_000, second, in_all]);
  });

  test("a category has a mode of its own", async () => {
    const { code, validate } = await aShop(["initial"], (idOf) => ({
      initial_amount_mode_categories: [idOf("initial")],
    }));
    await code("FIRST", null, percent(25));
    await code("SECOND", "initial", percent(50));
    expect((await validate(["FIRST", "SECOND"], { amount: 64_000 })).order.total_discount_amount).toBe(48_000);
  });
});

describe("products mode (redemption.md §5.7)", () => {
  test.each([
    ["STACK", 1900],
    ["ONCE", 1000],
  ])(
    "%s: two discounts of a tenth on one line take %i in all",
    async (redeemables_products_application_mode, in_all) => {
      const { api, code, validate } = await aShop([], () => ({ redeemables_products_application_mode }));
      const { id } = (await api.post("/v1/products", { name: "Lamp", price: 10_000 }, 200)).body;
      const included = [{ object: "product", id, effect: "APPLY_TO_EVERY" }];
      const rule = await aRule(api, "order.items.any", { $is: [{ object: "product", id }] });
      const applicable_to = { included, included_all: false, excluded: [] };
      await api.put(`/v1/validation-rules/${rule}`, { applicable_to }, 200);
      const discount = { type: "PERCENT", percent_off: 10, effect: "APPLY_TO_ITEMS" };
      for (const one of ["FIRST", "SECOND"]) await code(one, null, { discount, validation_rules: [rule] });
      const { order } = await validate(["FIRST", "SECOND"], {
        items: [{ product_id: id, quantity: 1, price: 10_000 }],
      });
      expect(order.total_discount_amount).toBe(in_all);
    },
  );
});
