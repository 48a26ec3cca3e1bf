import { type Answer, createClient } from "../../../test/harness/client.js";
import type { TestProject, TestService } from "../../../test/harness/service.js";
import { aMember, aProgram } from "../loyalties/loyalty.fixtures.js";

/** Exports that are asked for and written, and their files as they are loaded by whoever has the url. */
export function exportsOn({ url, runDue }: Pick<TestService, "url" | "runDue">, { api }: Pick<TestProject, "api">) {
  const anybody = createClient(url);
  const load = async ({ result }: { result: { url: string } | null }): Promise<Answer> =>
    anybody.get(result?.url.slice(url.length) ?? "", 200);

  /** The export that a request has started, once it is written. */
  async function written({ body }: Answer) {
    await runDue();
    return (await api.get(`/v1/exports/${body.id}`, 200)).body;
  }

  /** The lines of the file that the request led to, the titles first. */
  async function linesOf(started: Answer): Promise<string[]> {
    const text: string = (await load(await written(started))).body;
    return text.split("\n").slice(0, -1);
  }

  return {
    anybody,
    load,
    written,
    linesOf,
    ask: (exported_object: string, parameters: Record<string, unknown> = {}, status = 200) =>
      api.post("/v1/exports", { exported_object, parameters }, status),
    /** What the rows show in one column, without its title. */
    async column(exported_object: string, field: string, parameters: Record<string, unknown> = {}) {
      const sent = { exported_object, parameters: { fields: [field], ...parameters } };
      return (await linesOf(await api.post("/v1/exports", sent, 200))).slice(1);
    },
  };
}

/** Records of every object that can be exported: vouchers of all kinds, and a card with what has become of it. */
export async function oneOfEachObject({ clock }: Pick<TestService, "clock">, project: TestProject) {
  const { api } = project;
  const discount = (fields: Record<string, unknown>) => ({ type: "DISCOUNT_VOUCHER", discount: fields });
  const aVoucher = async (code: string, fields: Record<string, unknown>) =>
    (await api.post(`/v1/vouchers/${code}`, fields, 200)).body;

  const off = { type: "AMOUNT", amount_off: 1050 };
  const product = (
    await api.post("/v1/products", { source_id: "tea", name: "Tea", price: 499, attributes: ["size"] }, 200)
  ).body;
  const sku = (
    await api.post(
      `/v1/products/${product.id}/skus`,
      { sku: "Small", source_id: "tea-s", price: 250, currency: "EUR", attributes: { size: "S" } },
      200,
    )
  ).body;
  await aVoucher("AMOUNT", discount(off));
  await aVoucher("FRACTION", discount({ type: "AMOUNT", amount_off: 10.5 }));
  await aVoucher("PERCENT", discount({ type: "PERCENT", percent_off: 12.5, amount_limit: 5000 }));
  await aVoucher("FIXED", discount({ type: "FIXED", fixed_amount: 99, effect: "APPLY_TO_ORDER" }));
  await aVoucher("UNIT", discount({ type: "UNIT", unit_off: 2, unit_type: product.id, effect: "ADD_NEW_ITEMS" }));
  await aVoucher("FORMULA", discount({ type: "AMOUNT", amount_off: 100, amount_off_formula: "ORDER_AMOUNT" }));
  await aVoucher("GIFT", { type: "GIFT_VOUCHER", gift: { amount: 200_000 } });
  await aVoucher("DATED", {
    ...discount(off),
    start_date: "2026-03-01T00:00:00Z",
    validity_day_of_week: [1, 2, 3],
    validity_timeframe: { interval: "P2D", duration: "P1D" },
    additional_info: 'a "quoted", text',
    redemption: { quantity: 3 },
  });
  const program = await aProgram(project, { name: "Club" }, 40);
  const { card, source_id } = await aMember(project, program, "ann");
  clock.advance({ minutes: 1 });
  await api.post(
    "/v1/redemptions",
    {
      redeemables: [{ object: "voucher", id: "GIFT", gift: { credits: 500 } }],
      order: { source_id: "o-1", amount: 1500, status: "PAID" },
      customer: { source_id },
      metadata: { till: 7 },
    },
    200,
  );
  clock.advance({ minutes: 1 });
  await api.post(`/v1/loyalties/members/${card.code}/balance`, { points: -15, reason: "sorry" }, 200);
  await api.post(
    `/v1/loyalties/members/${card.code}/balance`,
    { points: 5, expiration_type: "CUSTOM_DATE", expiration_date: "2026-05-01" },
    200,
  );
  await api.post("/v1/vouchers/GIFT/balance", { amount: -250 }, 200);
  return { product, sku, program, card };
}
