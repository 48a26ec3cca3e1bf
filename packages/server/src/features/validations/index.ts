export { validationRoutes as routes } from "./validation.routes.js";
export { ValidationBody, VoucherValidationBody } from "./validation.schemas.js";
export { validateRedeemables } from "./validation.service.js";
export { validateVoucher } from "./voucher-validation.service.js";
