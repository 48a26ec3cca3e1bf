import { compileWindow, inheritWindow } from "@guerdon/engine";
import { findRedemptionsByIds } from "../../../books/index.js";
import type { ToldEvent } from "../../../events/index.js";
import type { Queries } from "../../../platform/db/database.js";
import { type Campaign, findCampaignsByIds } from "../../campaigns/index.js";
import { findProject, type Project } from "../../projects/index.js";
import { codeKey, findNamedVouchers, findVouchersByIds, type VoucherRow } from "../../vouchers/index.js";
import type { Referral } from "./referral.js";

/** What may be a referral: a code was redeemed, or a customer did something and named one. */
export type Happened = ToldEvent<"redemption.succeeded" | "customer.custom_event">;

/** An event that is one, unless the same was counted before. */
export interface Candidate {
  event: Happened;
  referral: Referral;
  /** Whom the event names as the referrer, by id or by the shop's own; null where it names nobody. */
  named_referrer: string | null;
}

/** Events with the code that each of them is about. */
interface Named {
  event: Happened;
  voucher_id: string;
  referee_id: string;
  for: Pick<Referral, "redemption_id" | "custom_event_id">;
  named_referrer: string | null;
}

/** Which of a project's events are referrals, whoever may have been deleted since. Read without locks: what is counted stays. */
export async function findCandidates(
  db: Queries,
  project_id: string,
  events: readonly Happened[],
): Promise<Candidate[]> {
  const project = await findProject(db, project_id);
  if (!project) return [];
  const named = [...(await ofRedemptions(db, project_id, events)), ...(await ofCustomEvents(db, project, events))];
  if (named.length === 0) return [];
  const ids = [...new Set(named.map(({ voucher_id }) => voucher_id))];
  // A code may have been deleted since it was redeemed.
  const vouchers = new Map(
    (await findVouchersByIds(db, project_id, ids, { bin_too: true })).map((one) => [one.id, one]),
  );
  const campaigns = await referralCampaigns(
    db,
    project_id,
    [...vouchers.values()].flatMap(({ campaign_id }) => campaign_id ?? []),
  );
  return named.flatMap((one): Candidate[] => {
    const voucher = vouchers.get(one.voucher_id);
    const campaign = campaigns.get(voucher?.campaign_id ?? "");
    if (!voucher?.is_referral_code || voucher.holder_id === null || !campaign) return [];
    if (voucher.holder_id === one.referee_id || !isConversion(project, campaign, voucher, one.event)) return [];
    const { event, referee_id, named_referrer } = one;
    const pair = { campaign_id: campaign.id, referrer_id: voucher.holder_id, referee_id };
    const referral = { ...pair, voucher_id: voucher.id, ...one.for, created_at: event.created_at };
    return [{ event, referral, named_referrer }];
  });
}

async function ofRedemptions(db: Queries, project_id: string, events: readonly Happened[]): Promise<Named[]> {
  const told = new Map(
    events.flatMap((event) => (event.type === "redemption.succeeded" ? [[event.data.redemption_id, event]] : [])),
  );
  const campaigns = await referralCampaigns(
    db,
    project_id,
    [...told.values()].flatMap(({ data }) => data.campaign_id ?? []),
  );
  // Most redemptions are of other campaigns, and not worth reading.
  const ids = [...told].flatMap(([id, { data }]) => (campaigns.has(data.campaign_id ?? "") ? id : []));
  const rows = ids.length === 0 ? [] : await findRedemptionsByIds(db, project_id, ids);
  return rows.flatMap(({ id, voucher_id, customer_id }) => {
    const event = told.get(id);
    if (!event || voucher_id === null || customer_id === null) return [];
    const because = { redemption_id: id, custom_event_id: null };
    return [{ event, voucher_id, referee_id: customer_id, for: because, named_referrer: null }];
  });
}

async function ofCustomEvents(db: Queries, project: Project, events: readonly Happened[]): Promise<Named[]> {
  const told = events.flatMap((event) =>
    event.type === "customer.custom_event" && event.data.referral
      ? [{ event, data: event.data, ...event.data.referral, code_key: codeKey(project, event.data.referral.code) }]
      : [],
  );
  if (told.length === 0) return [];
  const code_keys = [...new Set(told.map(({ code_key }) => code_key))];
  const found = await findNamedVouchers(db, project.id, { code_keys, ids: [] });
  const vouchers = new Map(found.map((voucher) => [voucher.code_key, voucher]));
  return told.flatMap(({ event, data, code_key, referrer_id }) => {
    const voucher = vouchers.get(code_key);
    if (!voucher) return [];
    const because = { redemption_id: null, custom_event_id: data.id };
    return [{ event, voucher_id: voucher.id, referee_id: data.customer_id, for: because, named_referrer: referrer_id }];
  });
}

async function referralCampaigns(
  db: Queries,
  project_id: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Campaign>> {
  const found = ids.length === 0 ? [] : await findCampaignsByIds(db, project_id, [...new Set(ids)]);
  return new Map(found.flatMap((campaign) => (campaign.referral_program ? [[campaign.id, campaign]] : [])));
}

/**
 * Whether the event is what the campaign counts. A redemption was granted, so that campaign and code were in force; of a custom event
 * nobody has asked that yet.
 */
function isConversion({ timezone }: Project, campaign: Campaign, voucher: VoucherRow, event: Happened): boolean {
  const { conversion_event_type, custom_event } = campaign.referral_program ?? {};
  if (event.type === "redemption.succeeded") return conversion_event_type === "redemption";
  if (conversion_event_type !== "custom_event" || event.data.event_schema.id !== custom_event?.id) return false;
  const window = compileWindow(inheritWindow(voucher, campaign), timezone);
  return campaign.active && voucher.active !== false && window.check(event.created_at) === null;
}
