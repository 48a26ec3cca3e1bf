import type { NewEvent } from "../../events/index.js";
import type { Problem } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import type { Change } from "../../recording/index.js";
import type { Customer } from "../customers/index.js";
import type { VoucherRow } from "../vouchers/index.js";
import type { Vouchers } from "./publication.choice.js";
import type { Publication, PublishRequest, VoucherHolder } from "./publication.js";
import { publication_rows } from "./publication.store.js";
import type { Target } from "./publication.target.js";

declare module "../../events/event.js" {
  interface EventData {
    "publication.succeeded": {
      publication_id: string;
      campaign_id: string | null;
      /** Null of several at once, which are told of one by one. */
      voucher: VoucherRow | null;
      /** The codes of several. */
      vouchers?: string[];
      customer: Customer;
    };
    /** One of several; of a single one `publication.succeeded` tells it. */
    "voucher.published": { publication_id: string; voucher: VoucherRow; customer: Customer };
    /** Of the campaign and the code that were named. */
    "customer.publication.failed": { publication_id: string; campaign_id: string | null; voucher_id: string | null };
    "customer.holder.assignment.created": { holder: VoucherHolder };
  }
}

/** What a publication tells (events-and-webhooks.md §3.2, §4); a new holder is told of only with a referral code. */
export function publicationEvents(
  { id: publication_id, campaign_id }: Publication,
  customer: Customer,
  vouchers: Vouchers,
  new_holders: readonly VoucherHolder[],
): NewEvent[] {
  const { id: customer_id } = customer;
  const told = { entity_id: publication_id, customer_id };
  const [voucher, ...others] = vouchers;
  const events: NewEvent[] =
    others.length === 0
      ? [{ type: "publication.succeeded", ...told, data: { publication_id, campaign_id, voucher, customer } }]
      : [
          {
            type: "publication.succeeded",
            ...told,
            data: { publication_id, campaign_id, voucher: null, vouchers: vouchers.map(({ code }) => code), customer },
          },
          ...vouchers.map(
            (one): NewEvent => ({
              type: "voucher.published",
              entity_id: one.id,
              customer_id,
              data: { publication_id, voucher: one, customer },
            }),
          ),
        ];
  const referred = new Set(vouchers.flatMap(({ id, is_referral_code }) => (is_referral_code ? id : [])));
  for (const holder of new_holders.filter(({ voucher_id }) => referred.has(voucher_id))) {
    const data = { holder };
    events.push({ type: "customer.holder.assignment.created", entity_id: customer_id, customer_id, data });
  }
  return events;
}

/** Keeps a refused publication of a known customer (§11.4). */
export function recordRefusal(
  { cause, add, tell }: Change,
  { source_id, channel, metadata }: PublishRequest,
  { campaign, voucher, customer }: Target,
  { body }: Problem,
): void {
  if (!customer) return;
  const publication: Publication = {
    id: newId("pub"),
    customer_id: customer.id,
    campaign_id: campaign?.id ?? null,
    voucher_id: voucher?.id ?? null,
    source_id,
    channel,
    metadata,
    result: "FAILURE",
    failure_code: body.key ?? null,
    failure_message: body.message,
    created_at: cause.instant,
  };
  add(publication_rows, publication);
  tell({
    type: "customer.publication.failed",
    entity_id: customer.id,
    customer_id: customer.id,
    data: {
      publication_id: publication.id,
      campaign_id: publication.campaign_id,
      voucher_id: publication.voucher_id,
    },
  });
}
