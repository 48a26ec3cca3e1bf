import type { TestProject } from "../../../test/harness/service.js";

type Project = Pick<TestProject, "api">;

let made = 0;

/** A reward of the project; fields as of `POST /v1/rewards`, a product unless they say otherwise. */
export async function aReward({ api }: Project, fields: Record<string, unknown> = {}) {
  const parameters = fields.parameters ?? { product: { id: await aProduct({ api }) } };
  const { body } = await api.post("/v1/rewards", { name: `Reward ${++made}`, ...fields, parameters }, 200);
  return body as { id: string; name: string; type: string };
}

async function aProduct({ api }: Project): Promise<string> {
  return (await api.post("/v1/products", { name: `Mug ${++made}` }, 200)).body.id;
}

/** Has a program give a reward at a price, in points; null where points are paid with. */
export async function given(
  { api }: Project,
  program: { id: string },
  reward: { id: string },
  points: number | null = null,
  validation_rules: readonly string[] = [],
): Promise<{ id: string }> {
  const parameters = points === null ? null : { loyalty: { points } };
  const fields = { campaign: program.id, parameters, validation_rules };
  return (await api.post(`/v1/rewards/${reward.id}/assignments`, fields, 200)).body;
}

/** Pays `exchange_ratio` major units for `points_ratio` points. */
export const coin = (points_ratio: number, exchange_ratio: number) => ({
  parameters: { coin: { points_ratio, exchange_ratio } },
});

/** A campaign with some codes that nobody has, in their order; discount codes unless the fields say otherwise. */
export async function aCampaign({ api }: Project, count: number, fields: Record<string, unknown> = {}) {
  const name = `Giving ${++made}`;
  const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
  const sent = { campaign_type: "DISCOUNT_COUPONS", type: "STATIC", voucher, name, vouchers_count: 0, ...fields };
  const { id } = (await api.post("/v1/campaigns", sent, 200)).body as { id: string };
  const codes: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const { body } = await api.post(`/v1/campaigns/${id}/vouchers/GIVEN-${made}-${i}`, {}, 200);
    codes.push(body.code);
  }
  return { id, name, codes };
}

/** Fields of campaigns that give a balance. */
export const gift_cards = { campaign_type: "GIFT_VOUCHERS", voucher: { type: "GIFT_VOUCHER", gift: { amount: 500 } } };
export const other_program = {
  campaign_type: "LOYALTY_PROGRAM",
  voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 7 } },
};
