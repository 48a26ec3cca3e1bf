import { applicableView, type Deciding, type SituationBody } from "../../deciding/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { withoutNulls } from "../../platform/fields.js";
import { problems } from "../../platform/http/problems.js";
import { toDiscountBody } from "../../terms/index.js";
import { findCampaignsByIds } from "../campaigns/index.js";
import type { Call } from "../projects/index.js";
import { findTiersByIds, type PromotionTier, type TierCampaign } from "../promotions/index.js";
import type { TierValidationBody } from "./promotion-validation.schemas.js";
import { type Granted, validateSingle } from "./single-validation.js";

/** A promotion tier with the campaign that it shows. */
export interface TierAndCampaign {
  tier: PromotionTier;
  campaign: TierCampaign;
}

/** `POST /v1/promotions/tiers/{id}/validation`: the older call for one promotion tier (redemption.md §15). */
export const validateTier = (
  deciding: Deciding,
  call: Call,
  id: string,
  situation: SituationBody,
): Promise<TierValidationBody> => {
  const known = (db: Queries) => knownTier(db, call.project_id, id);
  return validateSingle<Omit<TierValidationBody, "tracking_id">>(
    deciding,
    call,
    { object: "promotion_tier", id },
    situation,
    {
      granted: async (granted) => ({
        valid: true,
        ...shownOf(await known(granted.db)),
        ...effectOf(granted),
        ...(granted.session ? { session: granted.session } : {}),
      }),
      async refused(refused, { db }) {
        const found = await known(db);
        return { ...refused, ...shownOf(found), discount: toDiscountBody(found.tier.discount) };
      },
    },
  );
};

async function knownTier(db: Queries, project_id: string, id: string): Promise<TierAndCampaign> {
  const [tier] = await findTiersByIds(db, project_id, [id]);
  const [campaign] = tier ? await findCampaignsByIds(db, project_id, [tier.campaign_id]) : [];
  // Somebody may have deleted it since it was decided on.
  if (!tier || !campaign) throw problems.notFound("promotion_tier", id);
  return { tier, campaign };
}

/** What the older answers show of a tier. */
export const shownOf = ({ tier, campaign }: TierAndCampaign) => ({
  id: tier.id,
  name: tier.name,
  ...withoutNulls({ banner: tier.banner }),
  ...datesOf(tier),
  campaign: { id: campaign.id, ...datesOf(campaign), active: campaign.active, object: "campaign" as const },
  hierarchy: tier.hierarchy,
  metadata: tier.metadata,
  object: "promotion_tier" as const,
});

const datesOf = ({ start_date, expiration_date }: Pick<PromotionTier, "start_date" | "expiration_date">) =>
  withoutNulls({ start_date: isoOf(start_date), expiration_date: isoOf(expiration_date) });

/** What it does to the order, with what it takes off in all at the top. */
export function effectOf({
  shared,
  request,
  outcome,
  shown,
  stored,
}: Pick<Granted, "shared" | "request" | "outcome" | "shown" | "stored">) {
  const { order, applicable_to, inapplicable_to, result } = applicableView(shared, request, outcome, shown, stored);
  return {
    ...(result.discount ? { discount: result.discount } : {}),
    discount_amount: order?.total_discount_amount ?? 0,
    applied_discount_amount: order?.total_applied_discount_amount ?? 0,
    ...(order ? { order } : {}),
    applicable_to,
    inapplicable_to,
  };
}
