import type { Answer, Client } from "../../../test/harness/client.js";
import type { TestService } from "../../../test/harness/service.js";

/** Requests of a service that have keys, and what they are about. */
export function keyedRequests({ api }: Pick<TestService, "api">) {
  let made = 0;
  async function aVoucher(quantity: number | null = null): Promise<string> {
    made += 1;
    const redemption = { quantity };
    const discount = { type: "AMOUNT", amount_off: 100 };
    return (await api.post(`/v1/vouchers/CODE-${made}`, { discount, redemption }, 200)).body.code;
  }

  function aKey(): string {
    made += 1;
    return `key-${made}`;
  }

  const post = (key: string, path: string, body: unknown, from: Client = api): Promise<Answer> =>
    from.send("POST", path, {
      raw: JSON.stringify(body),
      headers: { "content-type": "application/json", "idempotency-key": key },
    });

  const redeem = (key: string, code: string, order: object = { amount: 500 }, from: Client = api) =>
    post(key, "/v1/redemptions", { redeemables: [{ object: "voucher", id: code }], order }, from);

  const redeemedTimes = async (code: string, from: Client = api) =>
    (await from.get(`/v1/vouchers/${code}`, 200)).body.redemption.redeemed_quantity;

  return { aVoucher, aKey, post, redeem, redeemedTimes };
}

export const isReplayed = ({ headers }: Answer) => headers.get("idempotent-replayed") === "true";
