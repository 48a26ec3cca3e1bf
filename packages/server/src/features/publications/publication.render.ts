import { isoOf } from "../../platform/clock.js";
import type { Customer } from "../customers/index.js";
import type { VoucherBody } from "../vouchers/index.js";
import type { Publication } from "./publication.js";
import type {
  ListedPublication,
  PublicationBody,
  PublicationCustomer,
  PublishedVoucherBody,
} from "./publication.schemas.js";

/** What publications gave: one voucher as it is shown, null where it is gone, or the codes of several. */
export type Shown<Voucher> = { voucher: Voucher } | { vouchers: string[] };

export function toPublicationBody(
  publication: Publication,
  customer: Customer,
  shown: Shown<VoucherBody>,
  vouchers_id: string[],
): PublicationBody {
  return { ...commonOf(publication, customer), result: "SUCCESS", ...shown, vouchers_id };
}

export function toListedPublication(
  publication: Publication,
  customer: Customer | undefined,
  shown: Shown<VoucherBody | null>,
  vouchers_id: string[],
): ListedPublication {
  const { result, failure_code, failure_message } = publication;
  const common = { ...commonOf(publication, customer), result };
  if (result === "FAILURE") {
    const why = { failure_code: failure_code ?? undefined, failure_message: failure_message ?? undefined };
    return { ...common, ...why, vouchers: [], vouchers_id: [] };
  }
  const given = "voucher" in shown ? { voucher: shown.voucher && shortened(shown.voucher) } : shown;
  return { ...common, ...given, vouchers_id };
}

function commonOf(publication: Publication, customer: Customer | undefined) {
  const { id, created_at, customer_id, metadata, channel, source_id } = publication;
  return {
    id,
    object: "publication" as const,
    created_at: isoOf(created_at),
    customer_id,
    tracking_id: customer?.source_id ?? null,
    metadata,
    channel,
    source_id,
    customer: toPublicationCustomer(customer_id, customer),
  };
}

/** Whoever was deleted is known by their id alone. */
function toPublicationCustomer(id: string, customer: Customer | undefined): PublicationCustomer {
  const { source_id = null, name = null, email = null, metadata = {} } = customer ?? {};
  const counted = { summary: null, loyalty: null, referrals: null };
  return { id, source_id, name, email, metadata, ...counted, object: "customer" };
}

/** As an entry of the list shows a voucher: what it gives, and of what it is. */
function shortened(voucher: VoucherBody): PublishedVoucherBody {
  const { code, campaign, is_referral_code, discount, gift, loyalty_card } = voucher;
  const gives = discount ? { discount } : gift ? { gift } : { loyalty_card };
  return { code, object: "voucher", campaign, is_referral_code, ...gives };
}
