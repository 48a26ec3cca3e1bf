import { t } from "../text/index.js";
import type { Schemas } from "./client.js";
import type { Project } from "./project.js";

export type Voucher = Schemas["Voucher"];
type Discount = Schemas["Discount"];
type Writes = Pick<Project, "money" | "count">;

const free_shipping = "prod_5h1pp1ng";

/** What a discount gives, in a few words: `20 % off the order, up to €50.00`. */
export function discountWords(discount: Discount, { money, count }: Writes): string {
  const { type, effect = "", amount_limit } = discount;
  const on_items = effect.includes("ITEMS");
  const what = on_items ? t.incentive.items : t.incentive.order;
  switch (type) {
    case "PERCENT":
      if (discount.percent_off_formula) return t.incentive.formula;
      return [
        t.incentive.percent(discount.percent_off ?? 0, what),
        amount_limit ? t.incentive.up_to(money(amount_limit)) : "",
      ].join("");
    case "AMOUNT":
      return discount.amount_off_formula
        ? t.incentive.formula
        : t.incentive.amount(money(discount.amount_off ?? 0), what);
    case "FIXED":
      return discount.fixed_amount_formula
        ? t.incentive.formula
        : t.incentive.fixed(money(discount.fixed_amount ?? 0), what);
    default: {
      if (discount.unit_type === free_shipping) return t.incentive.free_shipping;
      const several = discount.units?.length;
      return several ? t.incentive.free_products(several) : t.incentive.free_units(count(discount.unit_off ?? 1));
    }
  }
}

/** What a code gives, whatever kind it is of. */
export function incentiveWords(
  voucher: { discount?: Discount | null; gift?: { amount?: number } | null; loyalty_card?: unknown },
  project: Writes,
): string {
  if (voucher.gift) return t.incentive.gift(project.money(voucher.gift.amount ?? 0));
  if (voucher.loyalty_card) return t.incentive.loyalty;
  return voucher.discount ? discountWords(voucher.discount, project) : "";
}

export type VoucherState = "active" | "disabled" | "not_started" | "expired" | "used_up";

/** Why a code works now or does not, as far as it says by itself. */
export function stateOf(voucher: Voucher, now: number = Date.now()): VoucherState {
  const { active, start_date, expiration_date, redemption, gift } = voucher;
  if (active === false) return "disabled";
  if (expiration_date && Date.parse(expiration_date) <= now) return "expired";
  if (start_date && Date.parse(start_date) > now) return "not_started";
  if (redemption.quantity !== null && redemption.redeemed_quantity >= redemption.quantity) return "used_up";
  return gift && gift.balance === 0 ? "used_up" : "active";
}
