import type { Consumer } from "../../events/index.js";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { converting } from "./conversions/conversion.consumer.js";
import { holderRoutes } from "./holders/holder.routes.js";
import { rewarding } from "./rewards/reward.consumer.js";
import { referralTierRoutes } from "./tiers/referral-tier.routes.js";

export type { ReferralTier } from "./tiers/referral-tier.js";
export { removeTiersOfReward, segment_use } from "./tiers/referral-tier.service.js";

export const consumers: readonly Consumer[] = [converting, rewarding];

/** `/v1/referrals`, and what the management API makes of referral campaigns. */
export function routes(app: App, context: Context): void {
  holderRoutes(app, context);
  referralTierRoutes(app, context);
}
