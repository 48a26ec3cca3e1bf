import type { Applicable, VoucherFacts } from "@guerdon/engine";
import type { EntryType } from "../../books/index.js";
import type { VoucherRow } from "../../features/vouchers/index.js";
import type { RedeemableInput } from "../requests/request.schemas.js";

/** What a voucher with a balance has of its own beside what every voucher has. */
export interface Card {
  /** @param held what live sessions of other keys reserve of the balance */
  facts(voucher: VoucherRow, held: number, named_as: RedeemableInput): Pick<VoucherFacts, "gift" | "loyalty_card">;
  /** Credits or points that a redemption spends. */
  spent(outcome: Applicable): number;
  /** How the ledger calls spending. */
  spending: EntryType;
  /** What a redemption's answer adds. */
  shown(amount: number): { gift?: { amount: number } };
}
