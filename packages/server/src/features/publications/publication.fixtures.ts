import type { Client } from "../../../test/harness/client.js";
import type { TestClock } from "../../../test/harness/service.js";
import { aName } from "../loyalties/loyalty.fixtures.js";

interface Made {
  /** Makes the campaign one that has these and no others, in this order where a clock is given. */
  codes?: readonly string[];
  clock?: TestClock;
  fields?: Record<string, unknown>;
}

/** A campaign that codes are published from. */
export async function aCampaign(api: Client, { codes, clock, fields = {} }: Made = {}) {
  const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
  const type = codes ? "STATIC" : "AUTO_UPDATE";
  const sent = { name: aName("Welcome"), type, voucher, ...fields };
  const { body } = await api.post("/v1/campaigns", sent, 200);
  for (const code of codes ?? []) {
    clock?.advance({ ms: 1 });
    await api.post(`/v1/campaigns/${body.id}/vouchers/${code}`, {}, 200);
  }
  return body as { id: string; name: string };
}

/** Publishes, or is refused. */
export const publisherOn = (api: Client) => ({
  publish: (sent: object, query = "") => api.post(`/v1/publications${query}`, sent, 200),
  refused: async (sent: object) => (await api.post("/v1/publications", sent, 400)).body,
});
