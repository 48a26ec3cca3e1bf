import { type CompiledRule, compileDiscount, type Discount, oncePer } from "@guerdon/engine";
import type { CustomerInput } from "../../features/customers/index.js";
import { findPublicationMetadata } from "../../features/publications/index.js";
import type { Queries } from "../../platform/db/database.js";
import type { RedeemableInput } from "../requests/request.schemas.js";
import type { SharedFacts } from "../shared-facts.js";
import { Found } from "./found.js";
import { voucherOf } from "./found-voucher.js";

/** Vouchers whose publications are to be looked up, and for whom. */
interface PublishedAsked {
  customer: CustomerInput | null;
  voucher_ids: readonly string[];
}

interface Published {
  voucher_id: string;
  /** Whose publication was looked for first; null: nobody's. */
  customer_id: string | null;
  metadata: Readonly<Record<string, unknown>>;
}

const nameOf = (voucher_id: string, customer_id: string | null) => `${voucher_id} ${customer_id ?? ""}`;

const found = new Found<Published, Published>("publication", ({ voucher_id, customer_id }) => [
  nameOf(voucher_id, customer_id),
]);

/** A discount, ready to be computed; once, since what it reads is asked before what it gives. */
export const compiledDiscount = oncePer((discount: Discount) => compileDiscount(discount));

/** The voucher that is asked for, where it was published and a formula of its own or of its rules reads how (discounts.md §10). */
export function publishedOf(
  shared: SharedFacts,
  { object, id }: RedeemableInput,
  rules: readonly CompiledRule[],
): string | null {
  const voucher = object === "voucher" ? voucherOf(shared, id) : undefined;
  if (!voucher || voucher.publish_count === 0) return null;
  const { discount } = voucher;
  const is_read =
    (discount !== null && compiledDiscount(discount).reads_publication) ||
    rules.some(({ reads_publication }) => reads_publication);
  return is_read ? voucher.id : null;
}

/** Reads what was written when they were published; nothing where no formula asks (ADR 121). */
export async function readPublications(
  db: Queries,
  shared: SharedFacts,
  asked: readonly PublishedAsked[],
): Promise<void> {
  const given = asked.flatMap(({ customer, voucher_ids }) =>
    voucher_ids.map((voucher_id) => ({ voucher_id, customer_id: shared.customer(customer)?.id ?? null })),
  );
  if (given.length === 0) return;
  for (const one of await findPublicationMetadata(db, shared.catalogue.project.id, given)) found.keep(shared, one);
}

const nothing = {};

/** What was written then; a customer who came into being since was given nothing before. */
export function publicationMetadata(
  shared: SharedFacts,
  customer: CustomerInput | null,
  voucher_id: string,
): Readonly<Record<string, unknown>> {
  if (found.isEmpty(shared)) return nothing;
  const customer_id = shared.customer(customer)?.id ?? null;
  const own = found.row(shared, nameOf(voucher_id, customer_id)) ?? found.row(shared, nameOf(voucher_id, null));
  return own?.metadata ?? nothing;
}
