import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api, anotherProject } = await startService();

let made = 0;
const named = (what: string) => `${what} ${++made}`;

const aRule = async (rules: object, more: object = {}) =>
  (await api.post("/v1/validation-rules", { name: named("rule"), rules, ...more }, 200)).body.id as string;
const leaf = (name: string, conditions: object, more: object = {}) => ({
  "1": { name, conditions, ...more },
  logic: "1",
});
const tenOff = { type: "AMOUNT", amount_off: 10 };
const aVoucher = async (rule_id: string, discount: object = tenOff) =>
  (await api.post("/v1/vouchers", { type: "DISCOUNT_VOUCHER", discount, validation_rules: [rule_id] }, 200)).body
    .code as string;
const aSegment = async (fields: object) =>
  (await api.post("/v1/segments", { name: named("segment"), ...fields }, 200)).body.id;
const aCustomer = async (fields: object = {}) =>
  (await api.post("/v1/customers", { source_id: named("customer"), ...fields }, 200)).body;

const ask = (code: string, more: object) => ({
  redeemables: [{ object: "voucher", id: code }],
  order: { amount: 1000 },
  ...more,
});
const validate = async (code: string, more: object) => (await api.post("/v1/validations", ask(code, more), 200)).body;
const isValid = async (code: string, more: object) => (await validate(code, more)).valid;

describe("a rule on a segment", () => {
  const codeFor = async (segment_id: string, operator = "$is") =>
    aVoucher(await aRule(leaf("customer.segment", { [operator]: [segment_id] })));

  test("lets in whom a static segment lists, and nobody else", async () => {
    const [listed, other] = [await aCustomer(), await aCustomer()];
    const code = await codeFor(await aSegment({ type: "static", customers: [listed.id] }));
    expect(await isValid(code, { customer: { id: listed.id } })).toBe(true);
    expect(await isValid(code, { customer: { source_id: listed.source_id } })).toBe(true);
    expect(await isValid(code, { customer: { id: other.id } })).toBe(false);
    expect((await validate(code, {})).redeemables[0].result.error.key).toBe("missing_customer");
  });

  test.each(["passive", "auto-update"])(
    "judges a %s one on what is stored, with what is sent laid over it",
    async (type) => {
      const filter = { junction: "and", "address.city": { conditions: { $is: ["Oslo"] } } };
      const code = await codeFor(await aSegment({ type, filter }));
      const { id } = await aCustomer({ address: { city: "Oslo" } });
      expect(await isValid(code, { customer: { id } })).toBe(true);
      expect(await isValid(code, { customer: { id, address: { city: "Rome" } } })).toBe(false);
      expect(await isValid(code, { customer: { source_id: named("newcomer"), address: { city: "Oslo" } } })).toBe(true);
      await api.put(`/v1/customers/${id}`, { address: { city: "Rome" } }, 200);
      expect(await isValid(code, { customer: { id } })).toBe(false);
    },
  );

  test("keeps out with a negative operator", async () => {
    const { id } = await aCustomer();
    const code = await codeFor(await aSegment({ type: "static", customers: [id] }), "$is_not");
    expect(await isValid(code, { customer: { id } })).toBe(false);
    expect(await isValid(code, { customer: { source_id: named("newcomer") } })).toBe(true);
  });

  test("counts what a redemption has just added, in the same batch too", async () => {
    const filter = { junction: "and", "summary.redemptions.total_redeemed": { conditions: { $less_than: [2] } } };
    const code = await codeFor(await aSegment({ type: "passive", filter }));
    const customer = { source_id: named("customer") };
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => api.post("/v1/redemptions", ask(code, { customer }))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  });

  test("finds no segment of another project", async () => {
    const other = await anotherProject();
    const filter = { junction: "and", "metadata.x": { conditions: { $is_unknown: true } } };
    const { body } = await other.api.post("/v1/segments", { name: "theirs", type: "passive", filter }, 200);
    expect(await isValid(await codeFor(body.id), { customer: { source_id: named("newcomer") } })).toBe(false);
  });
});

describe("a rule on a product collection", () => {
  const items = (...ids: string[]) => ({
    order: { items: ids.map((product_id) => ({ product_id, quantity: 1, price: 100 })) },
  });
  const collection = (id: string) => ({ id, object: "products_collection" });
  const aCollection = async (fields: object) =>
    (await api.post("/v1/product-collections", { name: named("collection"), ...fields }, 200)).body.id as string;
  const aProduct = async (fields: object = {}) =>
    (
      await api.post(
        "/v1/products",
        { source_id: named("product"), name: named("Product"), price: 100, ...fields },
        200,
      )
    ).body;

  test("holds with a line of a listed product, or of a SKU of one", async () => {
    const [mug, pen] = [await aProduct(), await aProduct()];
    const { body: red } = await api.post(`/v1/products/${mug.id}/skus`, { source_id: named("red"), sku: "Red" }, 200);
    const pc = await aCollection({ type: "STATIC", products: [{ id: mug.id, object: "product" }] });
    const code = await aVoucher(await aRule(leaf("order.items.any", { $is: [collection(pc)] })));
    expect(await isValid(code, items(mug.id))).toBe(true);
    expect(await isValid(code, items(mug.source_id))).toBe(true);
    expect(await isValid(code, items(pen.id))).toBe(false);
    expect(await isValid(code, { order: { items: [{ sku_id: red.id, quantity: 1, price: 1 }] } })).toBe(true);
  });

  test("judges a filter on the stored product under what was sent, and on the next request after an edit", async () => {
    const filter = { junction: "and", "metadata.colour": { conditions: { $is: ["blue"] } } };
    const pc = await aCollection({ type: "AUTO_UPDATE", filter });
    const code = await aVoucher(await aRule(leaf("order.items.every", { $is: [collection(pc)] })));
    const [blue, green] = [
      await aProduct({ metadata: { colour: "blue" } }),
      await aProduct({ metadata: { colour: "green" } }),
    ];
    expect(await isValid(code, items(blue.id))).toBe(true);
    expect(await isValid(code, items(blue.id, green.id))).toBe(false);
    const painted = { product_id: green.id, quantity: 1, price: 1, product: { metadata: { colour: "blue" } } };
    expect(await isValid(code, { order: { items: [painted] } })).toBe(true);
    const greens = { junction: "and", "metadata.colour": { conditions: { $is: ["green"] } } };
    await api.put(`/v1/product-collections/${pc}`, { name: "greens", filter: greens }, 200);
    expect(await isValid(code, items(green.id))).toBe(true);
    expect(await isValid(code, items(blue.id))).toBe(false);
  });

  test("that a discount applies to takes off its lines alone", async () => {
    const [mug, pen] = [await aProduct(), await aProduct()];
    const pc = await aCollection({ type: "STATIC", products: [{ id: mug.id, object: "product" }] });
    const rule_id = await aRule({ logic: "" }, { applicable_to: { included: [collection(pc)] } });
    const code = await aVoucher(rule_id, { type: "PERCENT", percent_off: 50, effect: "APPLY_TO_ITEMS" });
    const { order, redeemables } = await validate(code, items(pen.id, mug.id));
    expect(order).toMatchObject({ total_discount_amount: 50, items: [{ amount: 100 }, { discount_amount: 50 }] });
    expect(redeemables[0].applicable_to.data).toMatchObject([
      { object: "products_collection", id: pc },
      { object: "product", id: mug.id },
    ]);
  });
});

describe("a validation that is asked to explain itself", () => {
  const explained = (code: string, more: object) => validate(code, { options: { expand: ["explanation"] }, ...more });

  test("says how much was lacking, and what every check saw", async () => {
    const code = await aVoucher(await aRule(leaf("order.amount", { $more_than_or_equal: [10_000] })));
    const { redeemables } = await explained(code, { order: { amount: 5750 } });
    const { summary, checks } = redeemables[0].explanation;
    expect(summary).toEqual([
      expect.stringMatching(/order\.amount is 5750, wanted \$more_than_or_equal \[10000\], 4250 short$/),
    ]);
    expect(checks).toContainEqual(
      expect.objectContaining({
        check: "rules",
        holds: false,
        node: expect.objectContaining({
          nodes: [expect.objectContaining({ name: "order.amount", saw: 5750, holds: false, lacking: 4250 })],
        }),
      }),
    );
  });

  test.each([
    [{ active: false }, "it is switched off"],
    [{ start_date: "2030-01-01T00:00:00Z" }, "the voucher starts at 2030-01-01T00:00:00.000Z"],
    [{ expiration_date: "2020-01-01T00:00:00Z" }, "the voucher ended at 2020-01-01T00:00:00.000Z"],
    [{ validity_day_of_week: [0] }, "the voucher is closed on this day of the week"],
  ])("says in words why a voucher with %j is refused", async (fields, sentence) => {
    const voucher = { type: "DISCOUNT_VOUCHER", discount: tenOff, ...fields };
    const { body } = await api.post("/v1/vouchers", voucher, 200);
    expect((await explained(body.code, {})).redeemables[0].explanation.summary).toEqual([sentence]);
  });

  test("shows how each amount came about", async () => {
    const code = await aVoucher(await aRule({ logic: "" }), { type: "PERCENT", percent_off: 12.5 });
    const { redeemables } = await explained(code, { order: { amount: 999 } });
    expect(redeemables[0].explanation).toMatchObject({
      summary: [],
      amounts: [{ base: 999, rate: { kind: "percent", value: 12.5 }, exact: "124.875", amount: 125 }],
    });
  });

  test("answers as it would without, and says nothing unasked", async () => {
    const code = await aVoucher(await aRule(leaf("order.amount", { $less_than: [100] })));
    const [plain, { explanation, ...rest }] = [
      (await validate(code, {})).redeemables[0],
      (await explained(code, {})).redeemables[0],
    ];
    expect(plain).not.toHaveProperty("explanation");
    expect(explanation.summary[0]).toMatch(/, 901 over$/);
    const { request_id: _, ...error } = plain.result.error;
    expect(rest).toMatchObject({ ...plain, result: { ...plain.result, error } });
  });
});
