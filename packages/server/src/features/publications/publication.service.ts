import { addDuration, parseDuration } from "@guerdon/engine";
import type { Context } from "../../platform/context.js";
import type { Tx } from "../../platform/db/database.js";
import { StartOver } from "../../platform/db/database-errors.js";
import { Problem, problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { type Change, change } from "../../recording/index.js";
import { refusals } from "../../terms/index.js";
import type { Campaign } from "../campaigns/index.js";
import { upsertNamed } from "../customers/index.js";
import {
  addedVoucher,
  findVouchersByIds,
  generateVouchers,
  giveVoucher,
  readCodeConfig,
  readVoucherBody,
  type VoucherBody,
  type VoucherRow,
  voucherEvent,
} from "../vouchers/index.js";
import { publicationEvents, recordRefusal } from "./publication.events.js";
import type { Publication, Publisher, PublishRequest } from "./publication.js";
import {
  findNextVouchers,
  findPublicationBySourceId,
  findPublicationOfHolder,
  insertHolder,
  publication_rows,
} from "./publication.store.js";
import { type LockedTarget, lockTarget, type Target } from "./publication.target.js";

/** A publication with the voucher that was given. */
export interface Published {
  publication: Publication;
  voucher: VoucherBody;
}

/** The same, while the change is being made. */
export interface Given {
  publication: Publication;
  voucher: VoucherRow;
}

/** A voucher chosen to be given, and whether it was made for this. */
interface Choice {
  voucher: VoucherRow;
  is_new: boolean;
}

/**
 * Gives a code to a customer: the rules of every way to publish (vouchers-and-campaigns.md §11.2, §11.3). A refusal is
 * thrown once its record is stored.
 */
export function publish<Body>(
  context: Context,
  publisher: Publisher,
  request: PublishRequest,
  bodyOf: (published: Published) => Body,
): Promise<Body> {
  return change(
    context,
    publisher,
    async (change) => {
      const target = await lockTarget(change.tx, publisher, request);
      const given = await publishWithin(change, publisher, request, target);
      if (given instanceof Problem) {
        recordRefusal(change, request, target, given);
        return given;
      }
      const { publication, voucher } = given;
      return { publication, voucher: await readVoucherBody(context, change.tx, publisher, voucher) };
    },
    bodyOf,
  );
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
  return "voucher" in chosen
    ? give(change, publisher, request, target, chosen)
    : again(change.tx, publisher.project_id, chosen);
}

/** The voucher to give, the publication that gave it already, or why there is none; in the order of §11.2. */
async function choose(
  tx: Tx,
  publisher: Publisher,
  request: PublishRequest,
  { campaign, voucher, customer, may_make }: LockedTarget,
): Promise<Choice | Publication | Problem> {
  const { project_id } = publisher;
  if (request.source_id !== null) {
    const first = await findPublicationBySourceId(tx, project_id, request.source_id);
    const is_same = first && first.customer_id === customer?.id && isTarget(first, campaign, voucher);
    if (first) return is_same ? first : refusals.duplicateSourceId(request.source_id);
  }
  if (campaign && customer && (campaign.join_once || request.join_once)) {
    const held = await findPublicationOfHolder(tx, project_id, campaign.id, customer.id);
    if (held) return request.join_once ? held : refusals.alreadyJoined();
  }
  if (!voucher) return campaign ? nextOf(tx, publisher, campaign, may_make) : refusals.noneSuitable();
  const is_for_one = campaign !== null && campaign.type !== "STANDALONE";
  if (is_for_one && voucher.publish_count > 0) return refusals.alreadyPublished(voucher.id);
  return voucher.active === false ? refusals.noneSuitable() : { voucher, is_new: false };
}

function isTarget(first: Publication, campaign: Campaign | null, voucher: VoucherRow | null): boolean {
  return voucher ? first.voucher_id === voucher.id : first.campaign_id === campaign?.id;
}

/** The oldest card that nobody has; where none is left and the campaign may grow, a new one. */
async function nextOf(tx: Tx, publisher: Publisher, campaign: Campaign, may_make: boolean): Promise<Choice | Problem> {
  const { project, project_id, instant } = publisher;
  const [next] = await findNextVouchers(tx, project_id, campaign.id, 1);
  if (!next && (campaign.type !== "AUTO_UPDATE" || !campaign.voucher)) return refusals.noneSuitable();
  if (!next && !may_make) throw new StartOver("the last cards were given while this waited");
  const [made] = next
    ? []
    : await generateVouchers(
        tx,
        {
          project,
          made: addedVoucher({}, campaign),
          code_config: readCodeConfig(project, null, 1, campaign.voucher?.code_config),
          instant,
        },
        1,
      );
  const id = next?.id ?? made?.id;
  if (id === undefined) return refusals.noneSuitable();
  const [voucher] = await findVouchersByIds(tx, project_id, [id]);
  if (!voucher) throw new StartOver("the next card was deleted meanwhile");
  return { voucher, is_new: made !== undefined };
}

async function give(
  change: Change,
  publisher: Publisher,
  request: PublishRequest,
  { campaign, customer: known }: Target,
  { voucher, is_new }: Choice,
): Promise<Given> {
  const { tx } = change;
  const { project_id, instant } = publisher;
  const customer = upsertNamed(change, known, request.customer);
  const given = await giveVoucher(tx, project_id, {
    voucher_id: voucher.id,
    customer_id: customer.id,
    publish_count: voucher.publish_count,
    expiration_date: voucher.publish_count === 0 ? expiryOf(publisher, campaign) : null,
    instant,
  });
  if (given === 0) throw new StartOver("the voucher was switched off or deleted meanwhile");
  const publication = newPublication(publisher, request, voucher, customer.id);
  change.add(publication_rows, publication);
  const role = voucher.is_referral_code && voucher.publish_count === 0 ? "REFERRER" : "OWNER";
  const holder = {
    id: newId("rh"),
    voucher_id: voucher.id,
    customer_id: customer.id,
    role: role as "REFERRER" | "OWNER",
    campaign_id: voucher.campaign_id,
    publication_id: publication.id,
    created_at: instant,
  };
  const is_new_holder = (await insertHolder(tx, project_id, holder)) === 1;
  const [published] = await findVouchersByIds(tx, project_id, [voucher.id]);
  if (!published) throw new Error(`a voucher just published is gone: ${voucher.id}`);
  if (is_new) change.tell(voucherEvent("voucher.created", voucher));
  change.tell(...publicationEvents(publication, customer, published, is_new_holder ? holder : null));
  return { publication, voucher: published };
}

/** Counted from the first publication, whatever the campaign says of its own end (§4.6). */
function expiryOf({ project, instant }: Publisher, campaign: Campaign | null): number | null {
  const duration = parseDuration(campaign?.activity_duration_after_publishing ?? "");
  return duration ? addDuration(instant, duration, project.timezone) : null;
}

function newPublication(
  { instant }: Publisher,
  { source_id, channel, metadata }: PublishRequest,
  voucher: VoucherRow,
  customer_id: string,
): Publication {
  return {
    id: newId("pub"),
    customer_id,
    campaign_id: voucher.campaign_id,
    voucher_id: voucher.id,
    source_id,
    channel,
    metadata,
    result: "SUCCESS",
    failure_code: null,
    failure_message: null,
    created_at: instant,
  };
}

/** What was published before is answered once more; nothing is written and nobody is told. */
async function again(tx: Tx, project_id: string, publication: Publication): Promise<Given> {
  const [voucher] = await findVouchersByIds(tx, project_id, [publication.voucher_id ?? ""]);
  if (!voucher) throw problems.notFound("voucher", publication.voucher_id ?? "");
  return { publication, voucher };
}
