export { type CardSums, openCards, reopenCards } from "./cards.store.js";
export { countHistory } from "./count-history.js";
export { type Counted, readCounts, type Sums, sumUnitsOfHistories, type UnitsAsked } from "./counters.store.js";
export { historyMoves } from "./histories.store.js";
export { type EntryType, findEntriesByIds, type LedgerEntry, ledger_fields } from "./ledger.store.js";
export { localDay } from "./local-day.js";
export type { LongHistory } from "./long-histories.store.js";
export { books } from "./parts.js";
export {
  findChildren,
  findRedemption,
  findRedemptionsByIds,
  findRollbacks,
  forgetRedemptionsOf,
  type RedemptionRow,
  type RollbackRef,
  redemption_fields,
  type VoucherAfter,
} from "./redemptions.store.js";
export { findRewardRedemptions, type RewardRedemption } from "./rewards/reward-redemptions.store.js";
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
