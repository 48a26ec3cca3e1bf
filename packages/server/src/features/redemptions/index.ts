export { exported } from "./redemption.export.js";
export { recordRedemption } from "./redemption.record.js";
export { surroundingsOf, toWholeRedemption } from "./redemption.render.js";
export { redemptionRoutes as routes } from "./redemption.routes.js";
export { RedemptionBody, RedemptionQuery, RedemptionsBody } from "./redemption.schemas.js";
export { readRedemptions, redeem, redeemVoucher } from "./redemption.service.js";
