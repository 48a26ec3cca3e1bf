import type { Customer } from "../features/customers/index.js";
import type { Publication } from "../features/publications/index.js";
import { isoOf } from "../platform/clock.js";
import type { Around } from "./around.js";
import { campaignOf, customerOf, voucherAsItWas } from "./look-ups.js";
import type { Fact, Tellers } from "./teller.js";

type VoucherFact = Fact<`voucher.${"created" | "updated" | "enabled" | "disabled" | "deleted"}`>;

/** As it was, with what is around it now. */
async function voucher(around: Around, { data }: VoucherFact) {
  const [body, campaign] = await Promise.all([
    around.voucherBodies.load(data.voucher),
    campaignOf(around, data.voucher.campaign_id),
  ]);
  return { voucher: body, campaign };
}

async function lost(around: Around, { data, customer_id }: Fact<"voucher.deleted">) {
  const [customer, campaign, voucher] = await Promise.all([
    customerOf(around, customer_id),
    campaignOf(around, data.voucher.campaign_id),
    voucherAsItWas(around, data.voucher),
  ]);
  return { customer, campaign, voucher };
}

/** A publication as it is answered: with the customer as they were. */
async function publicationBody(around: Around, publication: Publication, customer: Customer, voucher_ids: string[]) {
  const { id, customer_id, metadata, channel, source_id, created_at, result, failure_code, failure_message } =
    publication;
  return {
    id,
    object: "publication",
    created_at: isoOf(created_at),
    customer_id,
    tracking_id: customer.source_id,
    metadata,
    channel,
    source_id,
    result,
    ...(result === "FAILURE" ? { failure_code, failure_message } : {}),
    customer: await around.customerBodies.load(customer),
    vouchers_id: voucher_ids,
  };
}

type Publishing = Fact<"publication.succeeded">;
/** A voucher that was published, alone or with others. */
type Published = Fact<"publication.succeeded" | "voucher.published">;

/** What a publication gave: a voucher, or several by their codes. */
async function parts(around: Around, { data, event_source }: Published) {
  const { publication_id, customer, voucher: given } = data;
  const row = await around.publications.load(publication_id);
  const several = given ? null : await around.published.load(publication_id);
  const [campaign, voucher, publication] = await Promise.all([
    campaignOf(around, row?.campaign_id ?? given?.campaign_id),
    given && voucherAsItWas(around, given),
    row && publicationBody(around, row, customer, given ? [given.id] : (several?.voucher_ids ?? [])),
  ]);
  return {
    customer: await customerOf(around, customer.id),
    campaign,
    publication,
    ...(voucher ? { voucher } : { vouchers: "vouchers" in data ? data.vouchers : [] }),
    user: event_source.user ?? null,
  };
}

const published = (around: Around, event: Publishing) => parts(around, event);

/** One of a voucher, as it came to its holder. */
async function ofVoucher(around: Around, event: Published) {
  const { user: _, ...told } = await parts(around, event);
  return { ...told, created_at: isoOf(event.created_at) };
}

/** To the customer: the publication shows what was given. */
async function toCustomer(around: Around, event: Publishing) {
  const { user: _, publication, ...told } = await parts(around, event);
  const { voucher, vouchers = [] } = event.data;
  const shown = voucher ? { voucher: await around.voucherBodies.load(voucher) } : { vouchers };
  return { ...told, publication: publication && { ...publication, ...shown } };
}

/** Nothing was given: the publication says why. */
async function refused(around: Around, { data, customer_id }: Fact<"customer.publication.failed">) {
  const [row, customer] = await Promise.all([
    around.publications.load(data.publication_id),
    customer_id ? around.customers.load(customer_id) : null,
  ]);
  const named = row?.voucher_id ? await around.vouchers.load(row.voucher_id) : null;
  const [campaign, publication, voucher] = await Promise.all([
    campaignOf(around, row?.campaign_id),
    row && customer && publicationBody(around, row, customer, []),
    named && voucherAsItWas(around, named),
  ]);
  return { customer: await customerOf(around, customer_id), campaign, publication, voucher };
}

export const of_vouchers = {
  "voucher.created": { "voucher.created": voucher },
  "voucher.updated": { "voucher.updated": voucher },
  "voucher.enabled": { "voucher.enabled": voucher },
  "voucher.disabled": { "voucher.disabled": voucher },
  "voucher.deleted": { "voucher.deleted": voucher, "customer.voucher.deleted": lost },
  "publication.succeeded": {
    "publication.succeeded": published,
    "voucher.published": ofVoucher,
    "customer.publication.succeeded": toCustomer,
  },
  "voucher.published": { "voucher.published": ofVoucher },
  "customer.publication.failed": { "customer.publication.failed": refused },
} satisfies Tellers<VoucherFact["type"] | Published["type"] | "customer.publication.failed">;
