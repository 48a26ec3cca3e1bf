export { PromotionsValidationBody } from "./promotion-validation.schemas.js";
export { promotions_max, validatePromotions } from "./promotion-validation.service.js";
export { validationRoutes as routes } from "./validation.routes.js";
export { ValidationBody, VoucherValidationBody } from "./validation.schemas.js";
export { validateRedeemables } from "./validation.service.js";
export { validateVoucher } from "./voucher-validation.service.js";
