export { toVoucherBody, type VoucherShowing } from "./voucher.body.js";
export {
  codeKey,
  type Gift,
  type NewVoucher,
  type VoucherCampaign,
  type VoucherRow,
  type VoucherTemplate,
  type VoucherType,
} from "./voucher.js";
export { CodeConfigInput, DeleteQuery, GiftInput, LoyaltyCardInput, RedemptionInput, VoucherAddition, VoucherBody } from "./voucher.schemas.js";
export { findVoucher, findVouchersByCodeKeys, findVouchersByIds } from "./voucher.store.js";
export { assertRules, knownVoucher, makeVoucher, toVoucherBodies, voucherEvent } from "./voucher.service.js";
export { voucherRoutes } from "./voucher.routes.js";
