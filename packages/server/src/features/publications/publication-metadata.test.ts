import { expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { aName } from "../loyalties/loyalty.fixtures.js";
import { aCampaign, publisherOn } from "./publication.fixtures.js";

const { api, clock } = await startService();
const { publish, refused } = publisherOn(api);

const order = { amount: 10_000 };
const by_publication = { type: "AMOUNT", amount_off: 7, amount_off_formula: 'PUBLICATION_METADATA("k")' };
const coupon = { type: "DISCOUNT_VOUCHER", discount: by_publication };

async function aCode(fields: object = coupon): Promise<string> {
  const code = aName("PM");
  await api.post(`/v1/vouchers/${code}`, fields, 200);
  return code;
}

/** Gives the code to a customer, later than whatever was given before. */
async function give(voucher: string, source_id: string, metadata?: object) {
  clock.advance({ ms: 1 });
  await publish({ voucher, customer: { source_id }, metadata });
}

const asking = (id: string, customer?: string) => ({
  redeemables: [{ object: "voucher", id }],
  order,
  ...(customer ? { customer: { source_id: customer } } : {}),
});

/** What a validation would take off, and whether a formula has said so. */
async function off(code: string, customer?: string) {
  const { body } = await api.post("/v1/validations", asking(code, customer), 200);
  const { amount_off, is_dynamic } = body.redeemables[0].result.discount;
  expect(body.order.total_applied_discount_amount).toBe(amount_off);
  return { amount_off, is_dynamic };
}

const computed = (amount_off: number) => ({ amount_off, is_dynamic: true });
const fallback = { amount_off: 7, is_dynamic: false };

test("a formula reads what was written when the code was published, whatever asks (discounts.md §10)", async () => {
  const [code, ann] = [await aCode(), aName("ann")];
  await give(code, ann, { k: 3 });
  expect(await off(code)).toEqual(computed(300));
  const found = (await api.post("/v1/qualifications", { customer: { source_id: ann }, order }, 200)).body.redeemables;
  expect(found.data.find(({ id }: { id: string }) => id === code).result.discount).toMatchObject(computed(300));
  const { body } = await api.post("/v1/redemptions", asking(code, ann), 200);
  expect(body.order.total_applied_discount_amount).toBe(300);
  expect(body.redemptions[0].result).toBe("SUCCESS");
});

test("the static field counts for a code that nobody published, and where nothing was written", async () => {
  const code = await aCode();
  expect(await off(code)).toEqual(fallback);
  await give(code, aName("ann"));
  expect(await off(code)).toEqual(fallback);
});

test("of several publications the customer's own last one counts, for others the last of all", async () => {
  const [code, ann, bob] = [await aCode(), aName("ann"), aName("bob")];
  await give(code, ann, { k: 1 });
  await give(code, ann, { k: 2 });
  await give(code, bob, { k: 3 });
  expect(await off(code, ann)).toEqual(computed(200));
  expect(await off(code, bob)).toEqual(computed(300));
  for (const nobody of [undefined, aName("new")]) expect(await off(code, nobody)).toEqual(computed(300));
  await api.post("/v1/redemptions", asking(code, aName("new")), 200);
});

test("one that was refused does not count", async () => {
  const { name } = await aCampaign(api, { codes: [aName("C")], fields: { voucher: coupon } });
  const given = await publish({ campaign: { name }, customer: { source_id: "ann" }, metadata: { k: 3 } });
  const { code } = given.body.voucher;
  await refused({ voucher: code, customer: { source_id: "bob" }, metadata: { k: 9 } });
  expect(await off(code, "bob")).toEqual(computed(300));
});

test("each code of a publication of several reads that one", async () => {
  const { name } = await aCampaign(api, { codes: [aName("C"), aName("C")], fields: { voucher: coupon } });
  const customer = { source_id: aName("ann") };
  const { vouchers } = (await publish({ campaign: { name, count: 2 }, customer, metadata: { k: 4 } })).body;
  expect(vouchers).toHaveLength(2);
  for (const code of vouchers) expect(await off(code)).toEqual(computed(400));
});

test("prices and unit discounts read it too", async () => {
  const included = [{ object: "product", id: "prod_pen", price: 900, price_formula: 'PUBLICATION_METADATA("k")' }];
  const rule = { name: aName("rule"), rules: {}, applicable_to: { included } };
  const validation_rules = [(await api.post("/v1/validation-rules", rule, 200)).body.id];
  const fixed = { type: "FIXED", fixed_amount: 0, effect: "APPLY_TO_ITEMS" };
  const code = await aCode({ type: "DISCOUNT_VOUCHER", discount: fixed, validation_rules });
  await give(code, aName("ann"), { k: 3 });
  const items = [{ product_id: "prod_pen", quantity: 2, price: 1000 }];
  const { body } = await api.post("/v1/validations", { ...asking(code), order: { items } }, 200);
  expect(body.order.total_applied_discount_amount).toBe(1400);

  const unit = { type: "UNIT", effect: "ADD_NEW_ITEMS", unit_off: 1, unit_off_formula: 'PUBLICATION_METADATA("k")' };
  const { id: unit_type } = (await api.post("/v1/products", { name: "Soap", price: 450 }, 200)).body;
  const units = await aCode({ type: "DISCOUNT_VOUCHER", discount: { ...unit, unit_type } });
  await give(units, aName("ann"), { k: 3 });
  const added = (await api.post("/v1/validations", asking(units), 200)).body;
  expect(added.order.items).toMatchObject([{ discount_quantity: 3 }]);
});
