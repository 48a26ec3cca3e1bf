import { describe, expect, test } from "vitest";
import { uniqueText } from "../../../test/harness/resources.js";
import { startService } from "../../../test/harness/service.js";

const { api } = await startService();

/** A voucher that was redeemed once and refused once. */
async function aRedeemedVoucher() {
  const voucher = { discount: { type: "AMOUNT", amount_off: 100 }, redemption: { quantity: 1 } };
  const { id, code } = (await api.post(`/v1/vouchers/${uniqueText("V")}`, voucher, 200)).body;
  const customer = { source_id: uniqueText("c") };
  await api.post(`/v1/vouchers/${code}/redemption`, { customer, order: { amount: 500 } }, 200);
  await api.post(`/v1/vouchers/${code}/redemption`, { customer }, 400);
  return { id, code, customer: customer.source_id };
}

const totalOf = async (query: string): Promise<number> => (await api.get(`/v1/redemptions?${query}`, 200)).body.total;
const by = (field: string, value: string) => `filters[${field}][conditions][$is]=${value}`;

describe.each([
  ["to the bin", ""],
  ["for good", "?force=true"],
])("of a voucher that was deleted %s", (_, force) => {
  test.each(["voucher_code", "related_object_id"])("a list filtered by its %s shows no redemptions", async (field) => {
    const { id, code } = await aRedeemedVoucher();
    const other = await aRedeemedVoucher();
    const asked = by(field, field === "voucher_code" ? code : id);
    expect(await totalOf(asked)).toBe(2);
    await api.delete(`/v1/vouchers/${code}${force}`, 204);
    expect(await totalOf(asked)).toBe(0);
    expect(await totalOf(by(field, field === "voucher_code" ? other.code : other.id))).toBe(2);
  });

  test("the customer who redeemed it keeps the history", async () => {
    const { code, customer } = await aRedeemedVoucher();
    await api.delete(`/v1/vouchers/${code}${force}`, 204);
    expect(await totalOf(`customer=${customer}`)).toBe(2);
  });
});
