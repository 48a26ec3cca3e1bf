import { describe, expect, test } from "vitest";
import { aRule, type Fields, idsOf, off, tiersOf } from "../../src/features/promotions/promotion.fixtures.js";
import { startService } from "../harness/service.js";

const { api, management, anotherProject } = await startService();

let made = 0;
async function aCode(fields: Fields = {}): Promise<string> {
  made += 1;
  return (await api.post(`/v1/vouchers/P-${made}`, { ...("gift" in fields ? {} : off(100)), ...fields }, 200)).body
    .code;
}
const named = (id: string, more: Fields = {}) => ({ object: "voucher", id, ...more });
const order = { amount: 10_000 };

/** A project that takes so many redeemables, and of orders no metadata but a number for a till. */
async function aProject(redeemables_limit: number) {
  const project = await anotherProject();
  const path = `/management/v1/projects/${project.id}`;
  await management.post(`${path}/stacking-rules`, { redeemables_limit }, 200);
  const till = { type: "number", array: false, optional: true };
  await management.post(`${path}/metadata-schemas`, { related_object: "order", properties: { till } }, 200);
  return project;
}

describe("phase A: an error of the whole request, and nothing is written (redemption.md §4)", () => {
  const thirty_one = Array.from({ length: 31 }, (_none, i) => named(`X-${i}`));

  test.each([
    ["2 no redeemables", {}, "invalid_payload", "redeemables"],
    ["2 none of them", { redeemables: [] }, "invalid_payload", ".redeemables"],
    ["2 more than thirty", { redeemables: thirty_one }, "invalid_payload", ".redeemables"],
    ["2 one without an id", { redeemables: [{ object: "voucher" }] }, "invalid_payload", "id"],
    ["2 an unknown object", { redeemables: [{ object: "gift_card", id: "x" }] }, "invalid_payload", ".object"],
    ["2 half a credit", { redeemables: [named("x", { gift: { credits: 0.5 } })] }, "invalid_payload", ".gift.credits"],
    [
      "2 negative credits",
      { redeemables: [named("x", { gift: { credits: -1 } })] },
      "invalid_payload",
      ".gift.credits",
    ],
    ["2 another lock", { redeemables: [named("x")], session: { type: "HOLD" } }, "invalid_payload", ".session.type"],
    [
      "2 an unknown unit",
      { redeemables: [named("x")], session: { type: "LOCK", ttl_unit: "YEARS" } },
      "invalid_payload",
      ".session.ttl_unit",
    ],
    ["4 one twice", { redeemables: [named("x"), named("x")] }, "duplicated_redeemables", "Duplicated redeemables"],
    [
      "5 a stack with another",
      { redeemables: [named("x"), { object: "promotion_stack", id: "stack_x" }] },
      "invalid_redeemables",
      "Promotion Stack",
    ],
  ])("A%s", async (_name, sent, key, details) => {
    for (const path of ["/v1/validations", "/v1/redemptions"]) {
      const { body } = await api.post(path, { order, ...sent }, 400);
      expect(body.key).toBe(key);
      expect(body.details).toContain(details);
    }
  });

  test("A3 more than the project's limit, whether they exist or not", async () => {
    const project = await anotherProject();
    await management.post(`/management/v1/projects/${project.id}/stacking-rules`, { redeemables_limit: 2 }, 200);
    const redeemables = [named("x"), named("y"), named("z")];
    const { body } = await project.api.post("/v1/validations", { redeemables }, 400);
    expect(body.key).toBe("invalid_payload");
    expect(body.details).toBe("Property .redeemables must NOT have more than 2 items");
  });

  describe("in their order, where several things are wrong", () => {
    const stack = { object: "promotion_stack", id: "stack_x" };
    const twice = [named("x"), named("x")];
    const bad_order = { order: { amount: 10_000, metadata: { till: "first" } } };

    test.each([
      ["A3 too many, before A4 one twice", twice, {}, "invalid_payload"],
      ["A3 too many, before A5 a stack with another", [stack, named("x")], {}, "invalid_payload"],
      ["A3 too many, before A6 metadata", [named("x"), named("y")], bad_order, "invalid_payload"],
    ])("%s", async (_name, redeemables, more, key) => {
      const { api: ours } = await aProject(1);
      for (const path of ["/v1/validations", "/v1/redemptions"]) {
        const { body } = await ours.post(path, { order, redeemables, ...more }, 400);
        expect(body).toMatchObject({ key, details: "Property .redeemables must NOT have more than 1 items" });
      }
    });

    test.each([
      ["A4 one twice, before A5 a stack with another", [stack, stack], {}, "duplicated_redeemables"],
      ["A4 one twice, before A6 metadata", twice, bad_order, "duplicated_redeemables"],
      ["A5 a stack with another, before A6 metadata", [stack, named("x")], bad_order, "invalid_redeemables"],
      [
        "A6 metadata, before A7 an unknown customer",
        [named("x"), named("y")],
        { ...bad_order, customer: { id: "cust_none" } },
        "metadata_validation_failed",
      ],
    ])("%s", async (_name, redeemables, more, key) => {
      const { api: ours } = await aProject(30);
      for (const path of ["/v1/validations", "/v1/redemptions"]) {
        expect((await ours.post(path, { order, redeemables, ...more }, 400)).body.key).toBe(key);
      }
    });
  });

  test("A4 a code and the id of one voucher are the same", async () => {
    const code = await aCode();
    const { id } = (await api.get(`/v1/vouchers/${code}`, 200)).body;
    const { body } = await api.post("/v1/validations", { redeemables: [named(code), named(id)] }, 400);
    expect(body.key).toBe("duplicated_redeemables");
  });

  test.each([
    ["customer", { customer: { id: "cust_none" } }],
    ["order", { order: { id: "ord_none" } }],
  ])("A7 an unknown %s id; an unknown source id is a newcomer's", async (resource_type, sent) => {
    const redeemables = [named(await aCode())];
    const { body } = await api.post("/v1/redemptions", { redeemables, ...sent }, 404);
    expect(body).toMatchObject({ key: "not_found", resource_type });
    const newcomer = { [resource_type]: { source_id: `new-${resource_type}`, amount: 5000 } };
    expect((await api.post("/v1/validations", { redeemables, ...newcomer }, 200)).body.valid).toBe(true);
  });
});

describe("phase B: what is asked for is looked up and arranged", () => {
  test("B2 what does not exist is an entry of its own kind", async () => {
    const redeemables = [named("NOWHERE"), { object: "promotion_tier", id: "promo_none" }];
    for (const [i, { object, id }] of redeemables.entries()) {
      const { body } = await api.post("/v1/validations", { redeemables: [redeemables[i]], order }, 200);
      expect(body.redeemables[0]).toMatchObject({
        status: "INAPPLICABLE",
        object,
        id,
        result: { error: { code: 404, details: `Cannot find ${object} with id ${id}`, resource_type: object } },
      });
    }
  });

  test("B3 a category of one's own comes before the campaign's", async () => {
    const tiers = [{ category: "own" }, {}];
    const { ids } = await tiersOf(api, tiers, { category: "of the campaign" });
    const redeemables = ids.map((id) => ({ object: "promotion_tier", id }));
    const sent = { redeemables, order, options: { expand: ["category"] } };
    const { body } = await api.post("/v1/validations", sent, 200);
    expect(body.redeemables).toMatchObject([
      { categories: [{ name: "own" }] },
      { categories: [{ name: "of the campaign" }] },
    ]);
  });
});

describe("phase C: one at a time, on the order as the applicable ones before left it", () => {
  test("C1 in mode ALL what follows an inapplicable one is skipped", async () => {
    const codes = [await aCode(), await aCode({ active: false }), await aCode()];
    const { body } = await api.post("/v1/validations", { redeemables: codes.map((code) => named(code)), order }, 200);
    expect(body.redeemables.map(({ status }: { status: string }) => status)).toEqual([
      "APPLICABLE",
      "INAPPLICABLE",
      "SKIPPED",
    ]);
    expect(body.skipped_redeemables[0].result.details).toEqual({
      key: "preceding_validation_failed",
      message: "Redeemable cannot be applied due to preceding validation failure",
    });
  });

  const later = { validity_day_of_week: [0, 6] };
  test.each([
    ["C5 before 7, 8", { ...later, active: false, expiration_date: "2026-03-01T00:00:00Z" }, "voucher_disabled"],
    ["C6 before 8", { ...later, start_date: "2026-03-03T00:00:00Z" }, "voucher_not_active"],
    ["C7 before 8", { ...later, expiration_date: "2026-03-01T00:00:00Z" }, "voucher_expired"],
    ["C8", later, "voucher_not_active_now"],
  ])("%s: the first row that fails decides", async (_name, fields: Fields, key) => {
    const { body } = await api.post("/v1/validations", { redeemables: [named(await aCode(fields))], order }, 200);
    expect(body.redeemables[0].result.error.key).toBe(key);
  });

  test("C9 before C12: a quantity that is used up is told before a rule that does not hold", async () => {
    const rule = await aRule(api, "order.amount", { $less_than: [20_000] });
    const code = await aCode({ redemption: { quantity: 1 }, validation_rules: [rule] });
    await api.post("/v1/redemptions", { redeemables: [named(code)], order }, 200);
    const large = { redeemables: [named(code)], order: { amount: 30_000 } };
    expect((await api.post("/v1/redemptions", large, 400)).body.key).toBe("quantity_exceeded");
  });

  test("C12 a rule looks at the running order, so that the sequence decides", async () => {
    const rule = await aRule(api, "order.amount", { $more_than: [35_000] });
    const fifteen = await aCode({ discount: { type: "PERCENT", percent_off: 15 } });
    const ruled = await aCode({ validation_rules: [rule] });
    const validate = async (...codes: string[]) => {
      const sent = { redeemables: codes.map((code) => named(code)), order: { amount: 40_000 } };
      return (await api.post("/v1/validations", sent, 200)).body;
    };
    const failed = await validate(fifteen, ruled);
    expect(failed.inapplicable_redeemables[0].result.error).toMatchObject({
      key: "order_rules_violated",
      details: `Discount Coupon cannot be redeemed because of violated validation rules: ${rule}`,
    });
    expect(idsOf((await validate(ruled, fifteen)).redeemables)).toEqual([ruled, fifteen]);
  });

  test.each([
    ["no order", {}, undefined, "missing_order"],
    ["more credits than there are", { gift: { credits: 501 } }, order, "gift_amount_exceeded"],
  ])("C13 a gift card with %s", async (_name, more, order, key) => {
    const code = await aCode({ gift: { amount: 500 } });
    const { body } = await api.post("/v1/validations", { redeemables: [named(code, more)], order }, 200);
    expect(body.redeemables[0].result.error.key).toBe(key);
  });
});
