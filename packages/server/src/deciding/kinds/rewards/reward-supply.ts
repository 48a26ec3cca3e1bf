import type { RewardSupply } from "@guerdon/engine";
import type { Catalogue } from "../../../catalogue/index.js";
import type { CustomerInput } from "../../../features/customers/index.js";
import { readSupply, type Supply } from "../../../features/publications/index.js";
import type { CatalogueReward, RewardParameters } from "../../../features/rewards/index.js";
import type { Queries } from "../../../platform/db/database.js";
import type { LockKey } from "../../../platform/db/locks.js";
import { originOf } from "../../../terms/index.js";
import type { Named } from "../../named.js";
import type { DecidingRequest } from "../../requests/request.js";
import type { RedeemableInput } from "../../requests/request.schemas.js";
import type { SharedFacts } from "../../shared-facts.js";
import { Found } from "../found.js";
import { voucherOf } from "../found-voucher.js";
import { isThere, rewardNamed } from "./reward.js";

/** What a reward gives of another campaign. */
export type OfCampaign = Extract<RewardParameters, { campaign: unknown }>["campaign"];

/** What a campaign has for the customer of a request. */
export interface Offer extends Supply {
  name: string;
}

const offers = new Found<Offer, Offer>("offer", ({ name }) => [name]);
/** Campaigns that have given something away in this batch: what was read of them is old. */
const givers = new Found<{ campaign_id: string }, { campaign_id: string }>("giver", ({ campaign_id }) => [campaign_id]);

const channel_length_max = 255;

const nameOf = (campaign_id: string, { id, source_id }: CustomerInput) =>
  `${campaign_id} ${id ? `id ${id}` : `source_id ${source_id}`}`;

/** What a request asks to be given of another campaign with one of its cards. */
function campaignAsked(catalogue: Catalogue, redeemable: RedeemableInput): OfCampaign | undefined {
  const reward = redeemable.reward ? rewardNamed(catalogue, redeemable) : undefined;
  return reward && isThere(catalogue, reward) && "campaign" in reward.parameters
    ? reward.parameters.campaign
    : undefined;
}

/** What publishing a code or card of the campaign to somebody asks for. */
export const publicationOf = ({ call }: DecidingRequest, campaign_id: string, customer: CustomerInput, count = 1) => ({
  customer,
  campaign_id,
  code: null,
  source_id: null,
  metadata: {},
  channel: (call.label || originOf(call.caller)).slice(0, channel_length_max),
  join_once: false,
  count,
});

/** Reads what the campaigns of all rewards that are asked for have for who asks. Answers the cards that may be added to. */
export async function readOffers(
  db: Queries,
  named: Named,
  requests: readonly DecidingRequest[],
): Promise<readonly string[]> {
  const wanted = new Map<string, { request: DecidingRequest; customer: CustomerInput; campaign_id: string }>();
  for (const request of requests) {
    const { customer } = request;
    if (!customer?.id && !customer?.source_id) continue;
    for (const redeemable of request.redeemables) {
      const campaign_id = campaignAsked(named.catalogue, redeemable)?.id;
      if (campaign_id) wanted.set(nameOf(campaign_id, customer), { request, customer, campaign_id });
    }
  }
  const read = await Promise.all(
    [...wanted].map(async ([name, { request, customer, campaign_id }]) => ({
      name,
      ...(await readSupply(
        db,
        request.call,
        publicationOf(request, campaign_id, customer, request.redeemables.length * (request.automatic?.units_max ?? 1)),
      )),
    })),
  );
  for (const offer of read) offers.keepName(named, offer);
  return read.flatMap(({ held_id }) => held_id ?? []);
}

export const offerOf = (named: Named, { customer }: DecidingRequest, campaign_id: string): Offer | undefined =>
  customer ? offers.name(named, nameOf(campaign_id, customer)) : undefined;

/** What giving holds: what publishing does, and the card that is added to. */
export function offerKeys(named: Named, request: DecidingRequest, redeemable: RedeemableInput): LockKey[] {
  const campaign = campaignAsked(named.catalogue, redeemable);
  const offer = campaign && offerOf(named, request, campaign.id);
  if (!offer) return [];
  const { held_id, keys } = offer;
  return held_id === null ? [...keys] : [...keys, { ...projectOf(named), kind: "voucher", id: held_id }];
}

const projectOf = ({ catalogue }: Named) => ({ project_id: catalogue.project.id });

/** Keeps that a voucher was given, and the card that the customer has by now. */
export function keepGivenBy(shared: SharedFacts, campaign_id: string, offer: Offer, held_id: string): void {
  givers.keep(shared, { campaign_id });
  offers.keep(shared, { ...offer, held_id });
}

/** Whether the campaign has given something since it was read. */
export function isGivenFrom(shared: SharedFacts, redeemable: RedeemableInput): boolean {
  const campaign = campaignAsked(shared.catalogue, redeemable);
  return campaign !== undefined && givers.row(shared, campaign.id) !== undefined;
}

/** What the engine is told of it (vouchers-and-campaigns.md §11.2, loyalty.md §9.1). */
export function supplyFacts(
  shared: SharedFacts,
  request: DecidingRequest,
  reward: CatalogueReward,
): RewardSupply | null {
  if (!("campaign" in reward.parameters)) return null;
  const { id: campaign_id, type, balance } = reward.parameters.campaign;
  const offer = offerOf(shared, request, campaign_id);
  const none = { campaign_id, left: 0, refusal: "no_voucher_suitable_for_publication" } as const;
  if (!offer) return none;
  const { held_id, left, target } = offer;
  if (type !== "DISCOUNT_COUPONS") {
    if (held_id === null) return left === 0 ? none : { ...none, left: null };
    const added = (voucherOf(shared, held_id)?.added ?? 0) + (balance ?? 0) * (request.automatic?.units_max ?? 1);
    return Number.isSafeInteger(added) ? { ...none, left: null } : none;
  }
  if (!target.campaign?.join_once || left === 0) return { ...none, left };
  return { campaign_id, left: held_id === null ? 1 : 0, refusal: "voucher_cannot_be_published" };
}
