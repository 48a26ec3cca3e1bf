export { validationRoutes as routes } from "./validation.routes.js";
export { ValidationBody, VoucherValidationBody } from "./validation.schemas.js";
export { validateRedeemables, validateVoucher } from "./validation.service.js";
