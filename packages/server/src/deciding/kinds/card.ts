import type { Applicable, VoucherFacts } from "@guerdon/engine";
import type { EntryType, RedemptionRow } from "../../books/index.js";
import type { VoucherRow } from "../../features/vouchers/index.js";
import type { Queries } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import type { Named } from "../named.js";
import type { DecidingRequest } from "../requests/request.js";
import type { RedeemableInput } from "../requests/request.schemas.js";
import type { SharedFacts } from "../shared-facts.js";
import type { Redeeming, RelatedObject, Showing } from "./kind.js";

/** What of a card must be known before it is read in full. */
type CardNamed = Pick<VoucherRow, "campaign_id">;

/** What a voucher with a balance has of its own beside what every voucher has. */
export interface Card {
  /** Rules that hold beside its own and its campaign's. */
  ruleIds?(named: Named, card: CardNamed, named_as: RedeemableInput): readonly string[];
  /** Reads what locks need to know of what is asked for with such cards. */
  readNames?(db: Queries, named: Named, requests: readonly DecidingRequest[]): Promise<void>;
  /** What must be held beside the card. */
  keys?(named: Named, request: DecidingRequest, card: CardNamed, named_as: RedeemableInput): LockKey[];
  /** Reads what is asked for with it, whatever the cards are. Answers ids of other cards that it may be added to. */
  readFacts?(
    db: Queries,
    shared: SharedFacts,
    asked: readonly RedeemableInput[],
    requests: readonly DecidingRequest[],
  ): Promise<readonly string[]>;
  /** Whether what is asked for has been given from since it was read. */
  isOutdated?(shared: SharedFacts, request: DecidingRequest, named_as: RedeemableInput): boolean;
  facts(asking: {
    shared: SharedFacts;
    request: DecidingRequest;
    card: VoucherRow;
    /** What live sessions of other keys reserve of the balance. */
    held: number;
    named_as: RedeemableInput;
  }): Pick<VoucherFacts, "gift" | "loyalty_card">;
  /** Credits or points that a redemption spends. */
  spent(outcome: Applicable): number;
  /** How the ledger calls spending. */
  spending: EntryType;
  /**
   * Adds what else a redemption writes. Answers what the ledger says of it.
   * @param transaction_id the entry that takes credits or points; null where none are taken
   */
  give?(redeeming: Redeeming, card: VoucherRow, transaction_id: string | null): Record<string, unknown> | null;
  /** Reads what answers show of redemptions of such cards. */
  readShown?(db: Queries, project_id: string, rows: readonly RedemptionRow[]): Promise<ShownOf>;
  /** What a redemption's answer adds. */
  shown(amount: number): Pick<RelatedObject, "gift" | "loyalty_card">;
}

/** What a row's answer adds beside that. */
export type ShownOf = (showing: Showing, row: RedemptionRow) => Pick<RelatedObject, "reward">;
