import type { NewEvent } from "../../events/index.js";
import type { Problem } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import type { Change } from "../../recording/index.js";
import type { Customer } from "../customers/index.js";
import type { VoucherRow } from "../vouchers/index.js";
import type { Publication, PublishRequest, VoucherHolder } from "./publication.js";
import { publication_rows } from "./publication.store.js";
import type { Target } from "./publication.target.js";

declare module "../../events/event.js" {
  interface EventData {
    "publication.succeeded": { publication_id: string; voucher: VoucherRow; customer: Customer };
    "customer.publication.failed": { publication_id: string };
    "customer.holder.assignment.created": { holder: VoucherHolder };
  }
}

/** What a publication tells (events-and-webhooks.md §3.2, §4); a new holder is told of only with a referral code. */
export function publicationEvents(
  { id: publication_id }: Publication,
  customer: Customer,
  voucher: VoucherRow,
  holder: VoucherHolder | null,
): NewEvent[] {
  const { id: customer_id } = customer;
  const data = { publication_id, voucher, customer };
  const events: NewEvent[] = [{ type: "publication.succeeded", entity_id: publication_id, customer_id, data }];
  if (holder && voucher.is_referral_code)
    events.push({
      type: "customer.holder.assignment.created",
      entity_id: customer_id,
      customer_id,
      data: { holder },
    });
  return events;
}

/** Keeps a refused publication of a known customer (§11.4). */
export function recordRefusal(
  { cause, add, tell }: Change,
  { source_id, channel, metadata }: PublishRequest,
  { campaign, voucher, customer }: Target,
  { body, message }: Problem,
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
    failure_message: message,
    created_at: cause.instant,
  };
  add(publication_rows, publication);
  tell({
    type: "customer.publication.failed",
    entity_id: customer.id,
    customer_id: customer.id,
    data: { publication_id: publication.id },
  });
}
