export {
  type CampaignCounter,
  type CampaignCounts,
  type CampaignMove,
  countInCampaigns,
  findBalances,
  findCountedEntries,
  findCountedRedemptions,
  sumCampaignDays,
} from "./campaign-days/campaign-days.store.js";
export { type BroughtCard, type CardSums, openBroughtCards, openCards, reopenCards } from "./cards.store.js";
export { type Counted, readCounts, type Sums, sumUnitsOfHistories, type UnitsAsked } from "./counters.store.js";
export { countHistory } from "./histories/count-history.js";
export { historyMoves } from "./histories/histories.store.js";
export { isHeldInRows, type LongHistory } from "./histories/long-histories.store.js";
export {
  type EntryType,
  findEntriesByIds,
  isOfPoints,
  type LedgerEntry,
  ledger_fields,
  type NewEntry,
} from "./ledger.store.js";
export { localDay } from "./local-day.js";
export { books } from "./parts.js";
export { type BookLaw, findBrokenBooks, findCardIdsAfter, type Liability, sumLiability } from "./points/audit.store.js";
export {
  addToCard,
  balanceDetails,
  type CardMoved,
  entryOf,
  returnToCard,
  takeFromCard,
} from "./points/card-moves.js";
export { findCollected, monthOf } from "./points/collected.store.js";
export { forgetBooksOf } from "./points/forget.store.js";
export {
  countLots,
  type ExpiredLot,
  expireLots,
  findCardsOver,
  findLotsSpent,
  first_lot_of_voucher,
  firstLotDay,
  type LotRow,
  listLots,
  lots_of_voucher,
} from "./points/lots.store.js";
export {
  findCardsWithDuePending,
  findDuePending,
  findPending,
  findPendingOfOrders,
  firstPendingDay,
  listPending,
  type PendingPoints,
  pending_of_voucher,
} from "./points/pending.store.js";
export {
  columnsOfRedeemed,
  countedByDay,
  countedIds,
  each_redeemed,
  hasHistory,
  type Redeemed,
  type RedeemedColumns,
  redeemed_fields,
  redeemedOf,
} from "./redeemed.js";
export {
  findChildren,
  findRedemption,
  findRedemptionsByIds,
  findRollbacks,
  type RedemptionRow,
  type RollbackRef,
  redemption_fields,
  type VoucherAfter,
} from "./redemptions.store.js";
export { findRewardRedemptions, givenVoucherIds, type RewardRedemption } from "./rewards/reward-redemptions.store.js";
export { readRewardUses, rewardUses } from "./rewards/reward-usage.store.js";
export { schedules } from "./schedules.js";
export {
  countLiveSessions,
  isSessionLive,
  type LiveSession,
  listLiveSessions,
  liveSums,
  type VoucherSession,
} from "./sessions.store.js";
export { findStandings, type Standing } from "./standing.store.js";
export {
  type ItemNames,
  type ItemUnits,
  sumUnits,
  unitMovesOf,
} from "./units.store.js";
export { type DayMove, forgetUses } from "./usage.store.js";
