export { exported } from "./redemption.export.js";
export { recordRedemption } from "./redemption.record.js";
export { surroundingsOf, toRedemptionBody } from "./redemption.render.js";
export { redemptionRoutes as routes } from "./redemption.routes.js";
export { RedemptionBody, RedemptionsBody } from "./redemption.schemas.js";
export { redeem, redeemVoucher } from "./redemption.service.js";
