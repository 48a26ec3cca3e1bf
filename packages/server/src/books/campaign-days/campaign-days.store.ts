import type { Instant } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { joined, sql, verbatim } from "../../platform/db/sql.js";
import { addedTo, type Column, date, insertInto, int8, table, text } from "../../platform/db/table.js";
import { localDay } from "../local-day.js";
import { redeemed_fields } from "../redeemed.js";

/** What is counted of a campaign (vouchers-and-campaigns.md §20). Amounts are never negative, and nothing is taken back. */
const campaign_counters = [
  "redemptions_succeeded",
  "redemptions_failed",
  "rollbacks_succeeded",
  "rollbacks_failed",
  "validations_succeeded",
  "validations_failed",
  "orders_amount",
  "orders_rolledback_amount",
  "discounted_amount",
  "rolledback_discounted_amount",
  "vouchers_created",
  "vouchers_deleted",
  "publications_succeeded",
  "publications_failed",
  "opened",
  "redeemed",
  "returned",
  "added",
  "subtracted",
  "lost",
  "points_rewarded",
  "points_expired",
  "points_transferred_out",
  "points_transferred_in",
  "pending_points_added",
  "pending_points_subtracted",
  "pending_points_activated",
  "pending_points_canceled",
  "referred_customers",
] as const;
export type CampaignCounter = (typeof campaign_counters)[number];
export type CampaignCounts = Partial<Record<CampaignCounter, number>>;

interface CampaignDay extends Record<CampaignCounter, number> {
  campaign_id: string;
  day: string;
  slot: number;
}

const counter_columns = Object.fromEntries(campaign_counters.map((name) => [name, int8])) as Record<
  CampaignCounter,
  Column<number>
>;
const campaign_days = table<CampaignDay>("campaign_days", {
  campaign_id: text,
  day: date,
  slot: int8,
  ...counter_columns,
});

const added_to_days = addedTo(campaign_days, ["campaign_id", "day", "slot"], campaign_counters);
const named = campaign_counters.map((name) => verbatim(name));

/** Something that happened in a campaign. */
export interface CampaignMove {
  campaign_id: string;
  at: Instant;
  counts: CampaignCounts;
}

/** Who counts has rows of their own, so that whoever makes vouchers waits for no dispatcher. */
const slots = { vouchers: 0, events: 1, validations: 2 };

/** Counts what happened in campaigns on the project's days; of a campaign that is gone nothing is kept. */
export async function countInCampaigns(
  tx: Queries,
  project_id: string,
  moves: readonly CampaignMove[],
  by: keyof typeof slots,
): Promise<void> {
  const campaign_ids = [...new Set(moves.map(({ campaign_id }) => campaign_id))];
  if (campaign_ids.length === 0) return;
  const known = await tx.many<{ id: string; timezone: string }>(sql`
    select campaigns.id, projects.timezone
      from campaigns
      join projects on projects.id = campaigns.project_id
     where campaigns.project_id = ${project_id} and campaigns.id = any(${campaign_ids}::text[])`);
  const zones = new Map(known.map(({ id, timezone }) => [id, timezone]));
  const days = new Map<string, CampaignDay>();
  for (const { campaign_id, at, counts } of moves) {
    const zone = zones.get(campaign_id);
    if (zone === undefined) continue;
    const day = localDay(at, zone);
    const name = `${campaign_id} ${day}`;
    const sums = days.get(name) ?? { campaign_id, day, slot: slots[by], ...none };
    for (const counter of Object.keys(counts) as CampaignCounter[]) sums[counter] += counts[counter] ?? 0;
    days.set(name, sums);
  }
  // In one order for everybody, since these rows are locked by being written.
  const rows = [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  if (rows.length === 0) return;
  await tx.run(sql`${insertInto(campaign_days, project_id, rows)} ${added_to_days}`);
}

const none = Object.fromEntries(campaign_counters.map((name) => [name, 0])) as Record<CampaignCounter, number>;

/** The sums of a campaign over the days from the start to the end, both included; over all where they are not given. */
export const sumCampaignDays = (
  db: Queries,
  project_id: string,
  campaign_id: string,
  { start, end }: { start: string | null; end: string | null },
) =>
  db.one<Record<CampaignCounter, number>>(sql`
    select ${joined(
      named.map((name) => sql`coalesce(sum(campaign_days.${name}), 0) as ${name}`),
      ",",
    )}
      from campaign_days
     where campaign_days.project_id = ${project_id} and campaign_days.campaign_id = ${campaign_id}
       and (${start}::date is null or campaign_days.day >= ${start}::date)
       and (${end}::date is null or campaign_days.day <= ${end}::date)`);

/** What a summary counts of redemptions and rollbacks, by their ids; parents of stacks are the sum of their children. */
export const findCountedRedemptions = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<{
    id: string;
    campaign_id: string;
    amount: number | null;
    order_amount: number | null;
    discount_amount: number;
  }>(sql`
    select redemptions.id, redemptions.campaign_id, redemptions.amount, redemptions.order_amount, redemptions.discount_amount
      from redemptions
     where redemptions.project_id = ${project_id} and redemptions.id = any(${ids}::text[])
       and redemptions.campaign_id is not null
       and coalesce(${redeemed_fields}) is not null`);

/** What lines of the books moved on a campaign's cards, by their ids. */
export const findCountedEntries = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<{ id: string; campaign_id: string; type: string; amount: number }>(sql`
    select ledger_entries.id, ledger_entries.campaign_id, ledger_entries.type, ledger_entries.amount
      from ledger_entries
     where ledger_entries.project_id = ${project_id} and ledger_entries.id = any(${ids}::text[])
       and ledger_entries.campaign_id is not null`);

/** What is left on cards, deleted ones too. */
export const findBalances = (db: Queries, project_id: string, voucher_ids: readonly string[]) =>
  db.many<{ voucher_id: string; balance: number }>(sql`
    select card_balances.voucher_id, card_balances.balance from card_balances
     where card_balances.project_id = ${project_id} and card_balances.voucher_id = any(${voucher_ids}::text[])`);
