import { type Fields, off } from "../../src/features/promotions/promotion.fixtures.js";
import type { TestService } from "../harness/service.js";

export const an_order = { amount: 10_000 };
export const asked = (id: string, more: Fields = {}) => ({ object: "voucher", id, ...more });

/** A shop of its own, with stacking rules where some are given. */
export async function aShop({ anotherProject, management }: TestService, stacking_rules?: Fields) {
  const project = await anotherProject();
  const { api, id } = project;
  if (stacking_rules) await management.post(`/management/v1/projects/${id}/stacking-rules`, stacking_rules, 200);
  const entries = (redeemables: (string | Fields)[]) =>
    redeemables.map((one) => (typeof one === "string" ? asked(one) : one));
  return {
    ...project,
    /** A voucher that takes 1.00 off unless said otherwise. */
    voucher: async (code: string, fields: Fields = {}) =>
      (await api.post(`/v1/vouchers/${code}`, { ...("gift" in fields ? {} : off(100)), ...fields }, 200)).body,
    async validate(redeemables: (string | Fields)[], more: Fields = { order: an_order }) {
      return (await api.post("/v1/validations", { redeemables: entries(redeemables), ...more }, 200)).body;
    },
    async redeem(redeemables: (string | Fields)[], more: Fields = { order: an_order }, status = 200) {
      return (await api.post("/v1/redemptions", { redeemables: entries(redeemables), ...more }, status)).body;
    },
    /** The voucher as it is now. */
    read: async (code: string) => (await api.get(`/v1/vouchers/${code}`, 200)).body,
    /** The redemption as it is now. */
    record: async (redemption_id: string) => (await api.get(`/v1/redemptions/${redemption_id}`, 200)).body,
  };
}

/** A shop with good vouchers A, B, C and disabled ones OFF, OUT. */
export async function aStockedShop(service: TestService, stacking_rules?: Fields) {
  const shop = await aShop(service, stacking_rules);
  for (const code of ["A", "B", "C"]) await shop.voucher(code);
  for (const code of ["OFF", "OUT"]) await shop.voucher(code, { active: false });
  return shop;
}

export type Shop = Awaited<ReturnType<typeof aShop>>;
