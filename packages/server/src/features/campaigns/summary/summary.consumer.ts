import {
  type CampaignCounter,
  type CampaignCounts,
  type CampaignMove,
  countInCampaigns,
  findBalances,
  findCountedEntries,
  findCountedRedemptions,
} from "../../../books/index.js";
import { type BriefEvent, type Consumer, consumerOf, type ToldEvent } from "../../../events/index.js";
import type { Tx } from "../../../platform/db/database.js";
import { grouped } from "../../../platform/lists/grouped.js";

const redemptions = [
  "redemption.succeeded",
  "redemption.failed",
  "redemption.rollback.succeeded",
  "redemption.rollback.failed",
] as const;
const entries = [
  "voucher.gift.balance_added",
  "voucher.loyalty_card.points_adjusted",
  "voucher.loyalty_card.points_transferred",
  "voucher.loyalty_card.points_expired",
  "customer.rewarded.loyalty_points",
  "voucher.loyalty_card.pending_points.activated",
] as const;
const pending = [
  "voucher.loyalty_card.pending_points.added",
  "voucher.loyalty_card.pending_points.updated",
  "voucher.loyalty_card.pending_points.canceled",
] as const;
const others = [
  "publication.succeeded",
  "customer.publication.failed",
  "voucher.deleted",
  "customer.referred",
] as const;
const names = [...entries, ...pending, ...others] as const;

type Told = ToldEvent<(typeof names)[number]> | BriefEvent<(typeof redemptions)[number]>;
type Named<Name extends Told["type"]> = Extract<Told, { type: Name }>;

/** Counts what happens in campaigns, each fact once: in the transaction that takes it off the outbox. */
const counting = consumerOf({
  name: "campaign summaries",
  names,
  briefly: redemptions,
  when: "dispatch",
  async take(tx, told) {
    const projects = grouped<Told, string>(told, ({ project_id }) => project_id);
    // In one order for everybody, since their rows are locked by being written.
    for (const [project_id, events] of [...projects].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const moves = [
        ...(await redemptionMoves(tx, project_id, events)),
        ...(await entryMoves(tx, project_id, events)),
        ...(await deletionMoves(tx, project_id, events)),
        ...events.flatMap(toldMoves),
      ];
      await countInCampaigns(tx, project_id, moves, "events");
    }
    return undefined;
  },
});

export const consumers: readonly Consumer[] = [counting];

const isNamed =
  <Name extends Told["type"]>(wanted: readonly Name[]) =>
  (event: Told): event is Named<Name> =>
    (wanted as readonly string[]).includes(event.type);

async function redemptionMoves(tx: Tx, project_id: string, events: readonly Told[]): Promise<CampaignMove[]> {
  const told = new Map(events.filter(isNamed(redemptions)).map((event) => [event.entity_id, event]));
  if (told.size === 0) return [];
  const rows = await findCountedRedemptions(tx, project_id, [...told.keys()]);
  return rows.flatMap(({ id, campaign_id, ...row }) => {
    const event = told.get(id);
    if (!event) return [];
    // A rollback is a row of what it gives back.
    const [amount, orders, discount] = [row.amount ?? 0, row.order_amount ?? 0, row.discount_amount].map(Math.abs);
    const counts: Record<(typeof redemptions)[number], CampaignCounts> = {
      "redemption.succeeded": {
        redemptions_succeeded: 1,
        orders_amount: orders ?? 0,
        discounted_amount: discount ?? 0,
        redeemed: amount ?? 0,
      },
      "redemption.failed": { redemptions_failed: 1 },
      "redemption.rollback.succeeded": {
        rollbacks_succeeded: 1,
        orders_rolledback_amount: orders ?? 0,
        rolledback_discounted_amount: discount ?? 0,
        returned: amount ?? 0,
      },
      "redemption.rollback.failed": { rollbacks_failed: 1 },
    };
    return { campaign_id, at: event.created_at, counts: counts[event.type] };
  });
}

/** What an entry of each type is counted as; redemptions and rollbacks count theirs themselves. */
const counted_as: Readonly<Record<string, readonly CampaignCounter[]>> = {
  CREDITS_ADDITION: ["added"],
  CREDITS_REMOVAL: ["subtracted"],
  POINTS_ADDITION: ["added"],
  POINTS_REMOVAL: ["subtracted"],
  POINTS_ACCRUAL: ["points_rewarded"],
  PENDING_POINTS_ACTIVATION: ["points_rewarded", "pending_points_activated"],
  POINTS_EXPIRATION: ["points_expired"],
  POINTS_TRANSFER_OUT: ["points_transferred_out"],
  POINTS_TRANSFER_IN: ["points_transferred_in"],
};

async function entryMoves(tx: Tx, project_id: string, events: readonly Told[]): Promise<CampaignMove[]> {
  const told = new Map(events.filter(isNamed(entries)).map((event) => [event.data.transaction_id, event.created_at]));
  if (told.size === 0) return [];
  return (await findCountedEntries(tx, project_id, [...told.keys()])).map(({ id, campaign_id, type, amount }) => ({
    campaign_id,
    at: told.get(id) ?? 0,
    counts: Object.fromEntries((counted_as[type] ?? []).map((counter) => [counter, Math.abs(amount)])),
  }));
}

async function deletionMoves(tx: Tx, project_id: string, events: readonly Told[]): Promise<CampaignMove[]> {
  const deleted = events.filter(isNamed(["voucher.deleted"])).filter(({ data }) => data.voucher.campaign_id !== null);
  if (deleted.length === 0) return [];
  const ids = deleted.map(({ data }) => data.voucher.id);
  const left = new Map((await findBalances(tx, project_id, ids)).map((card) => [card.voucher_id, card.balance]));
  return deleted.map(({ data: { voucher }, created_at }) => ({
    campaign_id: voucher.campaign_id ?? "",
    at: created_at,
    counts: { vouchers_deleted: 1, lost: left.get(voucher.id) ?? 0 },
  }));
}

/** What an event says by itself. */
function toldMoves(event: Told): CampaignMove[] {
  const { created_at: at } = event;
  if (isNamed(pending)(event)) {
    const { pending_points, points } = event.data;
    const canceled = event.type === "voucher.loyalty_card.pending_points.canceled";
    const counter = canceled
      ? "pending_points_canceled"
      : points > 0
        ? "pending_points_added"
        : "pending_points_subtracted";
    return [{ campaign_id: pending_points.campaign_id, at, counts: { [counter]: Math.abs(points) } }];
  }
  if (event.type === "customer.referred")
    return [{ campaign_id: event.data.campaign_id, at, counts: { referred_customers: 1 } }];
  if (isNamed(["publication.succeeded", "customer.publication.failed"])(event)) {
    const { campaign_id } = event.data;
    if (campaign_id === null) return [];
    const counter = event.type === "publication.succeeded" ? "publications_succeeded" : "publications_failed";
    return [{ campaign_id, at, counts: { [counter]: 1 } }];
  }
  return [];
}
