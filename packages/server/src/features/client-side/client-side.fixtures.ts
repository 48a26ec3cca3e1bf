import type { Client } from "../../../test/harness/client.js";
import { uniqueText } from "../../../test/harness/resources.js";

/** What pages ask for, made by the shop's server. */
export const makersOn = (api: Client) => ({
  /** A voucher of 10 % unless it is said to be something else; its code. */
  async aVoucher(fields: Record<string, unknown> = {}): Promise<string> {
    const body = { discount: { type: "PERCENT", percent_off: 10 }, ...fields };
    return (await api.post(`/v1/vouchers/${uniqueText("P")}`, body, 200)).body.code;
  },
  /** A rule of one condition; its id. */
  async aRule(name: string, conditions: object, more: object = {}): Promise<string> {
    const rules = { "1": { name, conditions, ...more }, logic: "1" };
    return (await api.post("/v1/validation-rules", { name: uniqueText("rule"), rules }, 200)).body.id;
  },
});
