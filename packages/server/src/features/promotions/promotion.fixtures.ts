import type { Client } from "../../../test/harness/client.js";

export type Fields = Record<string, unknown>;

export interface Stack {
  id: string;
  campaign_id: string;
  /** In the order in which they apply. */
  tiers: string[];
}

let made = 0;

export const off = (amount_off: number) => ({ discount: { type: "AMOUNT", amount_off } });

/** The tiers of a new campaign; they take 100, 200, … off unless said otherwise. */
export async function tiersOf(api: Client, tiers: Fields[], more: Fields = {}) {
  made += 1;
  const sent = tiers.map((fields, i) => ({ name: `tier ${i + 1}`, action: off(100 * (i + 1)), ...fields }));
  const campaign = { name: `Campaign ${made}`, campaign_type: "PROMOTION", promotion: { tiers: sent }, ...more };
  const { id, promotion } = (await api.post("/v1/campaigns", campaign, 200)).body;
  return { campaign_id: id as string, ids: idsOf(promotion.tiers) };
}

/** A stack of such tiers. */
export async function aStack(api: Client, tiers: Fields[] = [{}, {}, {}], more: Fields = {}): Promise<Stack> {
  const { campaign_id, ids } = await tiersOf(api, tiers);
  const stack = { name: `Stack ${made}`, tiers: { ids }, ...more };
  const { id } = (await api.post(`/v1/promotions/${campaign_id}/stacks`, stack, 200)).body;
  return { id, campaign_id, tiers: ids };
}

/** What asks for a stack on an order of 100.00. */
export const askingFor = ({ id }: { id: string }, more: Fields = {}) => ({
  redeemables: [{ object: "promotion_stack", id }],
  order: { amount: 10_000 },
  ...more,
});

export const idsOf = (entries: { id: string }[] = []) => entries.map(({ id }) => id);

/** Id of a rule of one condition. */
export async function aRule(api: Client, name: string, conditions: Fields, more: Fields = {}): Promise<string> {
  made += 1;
  const sent = { name: `rule ${made}`, rules: { 1: { name, conditions, ...more }, logic: "1" } };
  return (await api.post("/v1/validation-rules", sent, 200)).body.id;
}
