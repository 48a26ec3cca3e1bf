import { books, localDay, readRewardUses } from "../../../books/index.js";
import type { LockKey } from "../../../platform/db/locks.js";
import { Problem } from "../../../platform/http/problems.js";
import { type Change, readUnderKeys } from "../../../recording/index.js";
import { originOf, refusals, the_service } from "../../../terms/index.js";
import { type Publisher, publishWithin, readSupply } from "../../publications/index.js";
import { addForReward, rewardKey } from "../../rewards/index.js";
import { findVouchersByIds, type VoucherRow } from "../../vouchers/index.js";
import type { Due, OfCampaign } from "./due.js";

/** What was handed over: a code or a card, and how much was added to it; nothing of a product. */
export interface HandedOver {
  voucher_id: string | null;
  amount: number | null;
}

/**
 * Gives what is due by the rules by which rewards are given for points: no more often than there is of it, the next code of a campaign,
 * or so much on the customer's card, which is published first where there is none. Or says why there is nothing to give.
 */
export async function handOver(change: Change, publisher: Publisher, due: Due): Promise<HandedOver | Problem> {
  const { tx } = change;
  const { project_id } = publisher;
  const { reward, gives } = due;
  const keys: LockKey[] = reward ? [rewardKey(project_id, reward.id)] : [];
  const request = gives && publicationOf(due, gives);
  const found = await readUnderKeys(
    tx,
    async () => {
      const supply = request && (await readSupply(tx, publisher, request));
      const uses = reward?.stock == null ? [] : await readRewardUses(tx, project_id, [reward.id]);
      const card_id = gives?.type === "DISCOUNT_COUPONS" ? null : (supply?.held_id ?? null);
      const [card] = card_id === null ? [] : await findVouchersByIds(tx, project_id, [card_id]);
      return { supply, card, used: uses[0]?.redeemed ?? 0 };
    },
    ({ supply, card }) => [
      ...keys,
      ...(supply?.keys ?? []),
      ...(card ? [{ project_id, kind: "voucher" as const, id: card.id }] : []),
    ],
  );
  if (reward?.stock != null && found.used >= reward.stock) return refusals.noneSuitable();
  const { supply } = found;
  let handed: HandedOver = { voucher_id: null, amount: null };
  if (gives && request && supply) {
    const given = found.card ?? (await publishWithin(change, publisher, request, supply.target));
    if (given instanceof Problem) return given;
    const voucher = "vouchers" in given ? given.vouchers[0] : given;
    if (!Number.isSafeInteger((voucher.added ?? 0) + (gives.balance ?? 0))) return refusals.noneSuitable();
    handed = { voucher_id: voucher.id, amount: await credit(change, publisher, voucher, due) };
  }
  if (reward) change.add(books.rewards, { reward_id: reward.id, is_held: true, stock: reward.stock, times: 1 });
  return handed;
}

const publicationOf = ({ customer_id }: Due, { id: campaign_id }: OfCampaign) => ({
  ...{ customer: { id: customer_id }, campaign_id, code: null, source_id: null, metadata: {} },
  ...{ channel: originOf(the_service), join_once: false, count: 1 },
});

/** Adds to a card what is due; null of a code. */
async function credit(
  change: Change,
  { project, instant }: Publisher,
  card: VoucherRow,
  { reward, gives }: Due,
): Promise<number | null> {
  const balance = gives?.balance;
  if (balance === undefined) return null;
  const because = { reward, currency: project.currency, redemption_id: null, rollback_id: null };
  await addForReward(change, card, balance, localDay(instant, project.timezone), because);
  return balance;
}
