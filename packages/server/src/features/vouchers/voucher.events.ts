import type { NewEvent } from "../../events/index.js";
import type { VoucherRow } from "./voucher.js";

declare module "../../events/event.js" {
  interface EventData {
    "voucher.created": { voucher: VoucherRow };
    "voucher.updated": { voucher: VoucherRow };
    "voucher.enabled": { voucher: VoucherRow };
    "voucher.disabled": { voucher: VoucherRow };
    "voucher.deleted": { voucher: VoucherRow };
  }
}

/** What happened to a voucher, with the voucher as it was; its holder hears of it too. */
export const voucherEvent = (
  type: `voucher.${"created" | "updated" | "enabled" | "disabled" | "deleted"}`,
  voucher: VoucherRow,
): NewEvent => ({ type, entity_id: voucher.id, customer_id: voucher.holder_id, data: { voucher } });
