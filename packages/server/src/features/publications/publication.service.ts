import { addDuration, parseDuration } from "@guerdon/engine";
import type { Context } from "../../platform/context.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { StartOver } from "../../platform/db/database-errors.js";
import { Problem, problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { type Change, change } from "../../recording/index.js";
import type { Campaign } from "../campaigns/index.js";
import { type Customer, upsertNamed } from "../customers/index.js";
import { giveVouchers, type VoucherRow, voucherEvent } from "../vouchers/index.js";
import { type Choice, choose, inOrder, type Vouchers } from "./publication.choice.js";
import { publicationEvents, recordRefusal } from "./publication.events.js";
import type { Publication, Publisher, PublishRequest, VoucherHolder } from "./publication.js";
import { findPublishedVouchers, insertHolders, publication_rows, published_voucher_rows } from "./publication.store.js";
import { type LockedTarget, lockTarget, type Target } from "./publication.target.js";

/** A publication with the vouchers that were given, and to whom. */
export interface Given {
  publication: Publication;
  customer: Customer;
  vouchers: Vouchers;
}

/**
 * Gives codes to a customer: the rules of every way to publish (vouchers-and-campaigns.md §11.2, §11.3). A refusal is
 * thrown once its record is stored.
 */
export function publish<Body>(
  context: Context,
  publisher: Publisher,
  request: PublishRequest,
  bodyOf: (given: Given, db: Queries) => Body | Promise<Body>,
): Promise<Body> {
  return change(context, publisher, (change) => publishAlone(change, publisher, request), bodyOf);
}

/** The same as all that somebody else's change gives: it takes the keys, and keeps a refusal, which it answers. */
export async function publishAlone(
  change: Change,
  publisher: Publisher,
  request: PublishRequest,
): Promise<Given | Problem> {
  const target = await lockTarget(change.tx, publisher, request);
  const given = await publishWithin(change, publisher, request, target);
  if (given instanceof Problem) recordRefusal(change, request, target, given);
  return given;
}

/** The same as a part of what somebody else changes, under the keys of the target. A refusal leaves nothing. */
export async function publishWithin(
  change: Change,
  publisher: Publisher,
  request: PublishRequest,
  target: LockedTarget,
): Promise<Given | Problem> {
  const chosen = await choose(change.tx, publisher, request, target);
  if (chosen instanceof Problem) return chosen;
  return "vouchers" in chosen
    ? give(change, publisher, request, target, chosen)
    : again(change.tx, publisher.project_id, chosen, target);
}

async function give(
  change: Change,
  publisher: Publisher,
  request: PublishRequest,
  { campaign, customer: known }: Target,
  { vouchers, made_ids }: Choice,
): Promise<Given> {
  const { tx } = change;
  const { project_id, instant } = publisher;
  const [first] = vouchers;
  const customer = upsertNamed(change, known, request.customer);
  const expiration_date = first.publish_count === 0 ? expiryOf(publisher, campaign) : null;
  const given = await giveVouchers(tx, project_id, vouchers, { customer_id: customer.id, expiration_date, instant });
  if (given < vouchers.length) throw new StartOver("a voucher was switched off or deleted meanwhile");
  const publication = newPublication(publisher, request, vouchers, customer.id);
  change.add(publication_rows, publication);
  if (vouchers.length > 1) {
    const places = vouchers.map(({ id }, place) => ({ publication_id: publication.id, place, voucher_id: id }));
    change.add(published_voucher_rows, ...places);
  }
  const holders = vouchers.map((voucher) => newHolder(publication, voucher));
  const new_ids = new Set((await insertHolders(tx, project_id, holders)).map(({ id }) => id));
  const [published, ...others] = await inOrder(
    tx,
    project_id,
    vouchers.map(({ id }) => id),
  );
  if (!published) throw new Error(`a voucher just published is gone: ${first.id}`);
  for (const voucher of vouchers) if (made_ids.has(voucher.id)) change.tell(voucherEvent("voucher.created", voucher));
  const all: Vouchers = [published, ...others];
  const new_holders = holders.filter(({ id }) => new_ids.has(id));
  change.tell(...publicationEvents(publication, customer, all, new_holders));
  return { publication, customer, vouchers: all };
}

/** Counted from the first publication, whatever the campaign says of its own end (§4.6). */
function expiryOf({ project, instant }: Publisher, campaign: Campaign | null): number | null {
  const duration = parseDuration(campaign?.activity_duration_after_publishing ?? "");
  return duration ? addDuration(instant, duration, project.timezone) : null;
}

function newPublication(
  { instant }: Publisher,
  { source_id, channel, metadata }: PublishRequest,
  [voucher, ...others]: Vouchers,
  customer_id: string,
): Publication {
  return {
    id: newId("pub"),
    customer_id,
    campaign_id: voucher.campaign_id,
    voucher_id: others.length === 0 ? voucher.id : null,
    source_id,
    channel,
    metadata,
    result: "SUCCESS",
    failure_code: null,
    failure_message: null,
    created_at: instant,
  };
}

function newHolder({ id, customer_id, created_at }: Publication, voucher: VoucherRow): VoucherHolder {
  return {
    id: newId("rh"),
    voucher_id: voucher.id,
    customer_id,
    role: voucher.is_referral_code && voucher.publish_count === 0 ? "REFERRER" : "OWNER",
    campaign_id: voucher.campaign_id,
    publication_id: id,
    metadata: null,
    created_at,
  };
}

/** What was published before is answered once more; nothing is written and nobody is told. */
async function again(tx: Tx, project_id: string, publication: Publication, { customer }: Target): Promise<Given> {
  const { voucher_id } = publication;
  const ids =
    voucher_id === null
      ? (await findPublishedVouchers(tx, project_id, [publication.id])).map((given) => given.voucher_id)
      : [voucher_id];
  const [first, ...others] = await inOrder(tx, project_id, ids);
  if (!first || !customer) throw problems.notFound("voucher", ids[0] ?? "");
  return { publication, customer, vouchers: [first, ...others] };
}
