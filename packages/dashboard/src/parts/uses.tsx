import type { Voucher } from "../api/incentive.js";
import { useProject } from "../api/project.js";
import { t } from "../text/index.js";
import { Bar } from "../ui/status.js";
import styles from "./uses.module.css";

/** How often a code was redeemed, or what is left on a card. */
export function Uses({ of: { redemption, gift, loyalty_card } }: { of: Voucher }) {
  const { money, count } = useProject();
  if (gift)
    return (
      <div className={styles.uses}>
        <strong>{money(gift.balance)}</strong> <span>{t.vouchers.of(money(gift.amount))}</span>
        <Bar part={gift.amount === 0 ? 0 : gift.balance / gift.amount} />
      </div>
    );
  if (loyalty_card)
    return (
      <div className={styles.uses}>
        <strong>{count(loyalty_card.balance)}</strong>
      </div>
    );
  const { quantity, redeemed_quantity } = redemption;
  return (
    <div className={styles.uses}>
      <strong>{count(redeemed_quantity)}</strong>{" "}
      <span>{quantity === null ? t.vouchers.no_limit : t.vouchers.of(count(quantity))}</span>
      {quantity !== null && <Bar part={redeemed_quantity / quantity} />}
    </div>
  );
}
