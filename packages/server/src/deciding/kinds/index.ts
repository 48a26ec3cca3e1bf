import type { RedeemableInput } from "../requests/request.schemas.js";
import type { CompoundKind, RedeemableKind } from "./kind.js";
import { promotionStackKind } from "./promotion-stack.js";
import { promotionTierKind } from "./promotion-tier.js";
import { voucherKind } from "./voucher.js";

export { keepVoucher, voucherOf } from "./found-voucher.js";
export type {
  CompoundKind,
  RedeemableKind,
  Redeeming,
  RelatedObject,
  RelatedObjects,
  RuleFacts,
  Showing,
  Wanted,
} from "./kind.js";
export { publishedOf, readPublications } from "./published.js";
export { type AskedReward, cardsSpent, rewardOf } from "./rewards/reward.js";

/** Every kind of redeemable that this version knows, one by one; what is asked for and is of none is not found. */
export const kinds: readonly RedeemableKind[] = [voucherKind, promotionTierKind];

export const kindOf = (object: RedeemableInput["object"]): RedeemableKind | undefined =>
  kinds.find((kind) => kind.object === object);

const compounds: readonly CompoundKind[] = [promotionStackKind];

export const compoundOf = (object: RedeemableInput["object"]): CompoundKind | undefined =>
  compounds.find((kind) => kind.object === object);
