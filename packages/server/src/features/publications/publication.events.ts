import type { NewEvent } from "../../events/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Problem } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import type { Change } from "../../recording/index.js";
import { type Customer, toSimpleCustomer } from "../customers/index.js";
import type { VoucherBody } from "../vouchers/index.js";
import type { Publication, PublishRequest, VoucherHolder } from "./publication.js";
import { publication_rows } from "./publication.store.js";
import type { Target } from "./publication.target.js";

/** What a publication tells (events-and-webhooks.md §3.2, §4); a new holder is told of only with a referral code. */
export function publicationEvents(
  publication: Publication,
  customer: Customer,
  voucher: VoucherBody,
  holder: VoucherHolder | null,
): NewEvent[] {
  const { customer_id, campaign_id } = publication;
  const shown = { ...publication, created_at: isoOf(publication.created_at), tracking_id: customer.source_id };
  const data = { publication: shown, voucher, campaign_id, customer: toSimpleCustomer(customer) };
  const events: NewEvent[] = [
    { type: "publication.succeeded", entity_id: publication.id, data },
    { type: "voucher.published", entity_id: voucher.id, data },
    { type: "customer.publication.succeeded", entity_id: customer_id, customer_id, data },
  ];
  if (holder && voucher.is_referral_code) {
    const told = { ...holder, created_at: isoOf(holder.created_at) };
    const type = "customer.holder.assignment.created" as const;
    events.push({ type, entity_id: customer_id, customer_id, data: { holder: told } });
  }
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
  const data = { publication: { ...publication, created_at: isoOf(publication.created_at) } };
  tell({ type: "customer.publication.failed", entity_id: customer.id, customer_id: customer.id, data });
}
