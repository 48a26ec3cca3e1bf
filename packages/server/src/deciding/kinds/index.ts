import type { RedeemableInput } from "../requests/request.schemas.js";
import type { RedeemableKind } from "./kind.js";
import { promotionTierKind } from "./promotion-tier.js";
import { voucherKind } from "./voucher.js";

export type { RedeemableKind, Redeeming, RelatedObjects, RuleFacts, Showing } from "./kind.js";
export { voucherOf } from "./voucher.js";

/** Every kind of redeemable that this version knows; one that is asked for and not here is not found. */
export const kinds: readonly RedeemableKind[] = [voucherKind, promotionTierKind];

export const kindOf = (object: RedeemableInput["object"]): RedeemableKind | undefined =>
  kinds.find((kind) => kind.object === object);
