export {
  findVoucherIdsOfCampaign,
  mergeMetadata,
  nextVouchersOfCampaign,
  type Place,
  updateFollowers,
  type VoucherChange,
} from "./campaign-vouchers.store.js";
export { schedules } from "./code-pages/index.js";
export { readCodeConfig } from "./codes.js";
export { campaignVouchersKey, type Generation, generateVouchers, generationKeys } from "./generation.js";
export { forgetHolder } from "./holder.store.js";
export { importVouchers } from "./imports/import-vouchers.js";
export { campaignCsv } from "./imports/voucher-csv.js";
export { assertCodesFree, importedFields, of_vouchers } from "./imports/voucher-import.kinds.js";
export { JoiningImport, type VoucherRowImport, VouchersImport } from "./imports/voucher-import.schemas.js";
export { ExpirationRules, LoyaltyCardInput, points_max, readExpirationRules, readLoyaltyCard } from "./loyalty-card.js";
export { type LastDayOf, readLastDays } from "./loyalty-card.store.js";
export { addedVoucher, inCategory, readGift, readQuantity, typeOf } from "./new-voucher.js";
export { toVoucherBody, type VoucherShowing } from "./voucher.body.js";
export { voucherEvent } from "./voucher.events.js";
export { exported } from "./voucher.export.js";
export { voucherJobs as jobs, voucherMetadata } from "./voucher.jobs.js";
export {
  codeKey,
  type Gift,
  type LockedVoucher,
  type NamedVoucher,
  type NewVoucher,
  type VoucherCampaign,
  type VoucherLock,
  type VoucherRow,
  type VoucherTemplate,
  type VoucherType,
  withLock,
  withoutLock,
} from "./voucher.js";
export { voucherRoutes as routes } from "./voucher.routes.js";
export {
  CodeConfigInput,
  DeleteQuery,
  GiftBody,
  GiftInput,
  RedemptionInput,
  VoucherAddition,
  VoucherBody,
  VoucherList,
  VoucherQuery,
} from "./voucher.schemas.js";
export {
  binned,
  knownVoucher,
  makeVoucher,
  readVoucherBody,
  switchWithin,
  toVoucherBodies,
} from "./voucher.service.js";
export {
  deleteVouchers,
  findVoucher,
  findVouchersByIds,
  giveVouchers,
} from "./voucher.store.js";
export { uncountVouchers } from "./voucher-counts.store.js";
export { findNamedVouchers, findVouchersToDecide, holds, keysOfVouchers } from "./voucher-facts.store.js";
export { readVouchers } from "./voucher-list.service.js";
