import { part } from "../recording/index.js";
import { type HistoryMove, moveHistories } from "./histories/histories.store.js";
import { noticeHistories } from "./histories/long-histories.store.js";
import { appendEntries, type NewEntry } from "./ledger.store.js";
import { collectPoints, isCollected } from "./points/collected.store.js";
import { insertPending, movePending, type PendingPoints } from "./points/pending.store.js";
import { insertRedemptions, markRolledBack, type RedemptionRow } from "./redemptions.store.js";
import {
  insertRewardRedemptions,
  type RewardRedemption,
  type RewardReturn,
  returnRewards,
} from "./rewards/reward-redemptions.store.js";
import { moveRewards, type RewardMove } from "./rewards/reward-usage.store.js";
import { type EndedSession, nameOfSession, type OpenSession, writeSessions } from "./sessions.store.js";
import { moveUnits, type UnitMove } from "./units.store.js";
import { type DayMove, moveDays, moveUsage, returnUsage, type UsageMove } from "./usage.store.js";

/** What every redemption and ledger move leaves, as parts of a change. */
export const books = {
  redemptions: part<RedemptionRow>("redemptions", "books", (project_id, rows) => [
    insertRedemptions(project_id, rows),
    ...noticeHistories(project_id, rows),
  ]),
  /** Ids of redemptions that are undone. */
  rolled_back: part<string>("redemptions rolled back", "books", markRolledBack),
  usage: part<UsageMove>("usage", "books", moveUsage),
  /** Ids of vouchers, one for each redemption given back. */
  usage_returned: part<string>("usage returned", "books", returnUsage),
  reward_redemptions: part<RewardRedemption>("reward redemptions", "books", insertRewardRedemptions),
  rewards_returned: part<RewardReturn>("rewards returned", "books", returnRewards),
  entries: part<NewEntry>("ledger entries", "books", (project_id, entries) => {
    const appended = appendEntries(project_id, entries);
    if (!entries.some(isCollected)) return appended;
    return (tx) => Promise.all([...appended.map((one) => tx.run(one)), collectPoints(tx, project_id, entries)]);
  }),
  pending: part<PendingPoints>("pending points", "books", insertPending),
  /** Points that pended, as they are from then on. */
  pending_moved: part<PendingPoints>("pending points moved", "books", movePending, ({ id }) => id),
  sessions: part<OpenSession | EndedSession>("sessions", "books", writeSessions, nameOfSession),
  days: part<DayMove>("days", "shared", moveDays),
  histories: part<HistoryMove>("histories", "shared", moveHistories),
  units: part<UnitMove>("units", "shared", moveUnits),
  rewards: part<RewardMove>("rewards", "shared", moveRewards),
};
