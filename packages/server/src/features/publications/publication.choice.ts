import type { Tx } from "../../platform/db/database.js";
import { StartOver } from "../../platform/db/database-errors.js";
import type { Problem } from "../../platform/http/problems.js";
import { refusals } from "../../terms/index.js";
import type { Campaign } from "../campaigns/index.js";
import {
  addedVoucher,
  findVouchersByIds,
  generateVouchers,
  readCodeConfig,
  type VoucherRow,
} from "../vouchers/index.js";
import { drawNextVouchers } from "./next-vouchers.store.js";
import type { Publication, Publisher, PublishRequest } from "./publication.js";
import { findPublicationBySourceId, findPublicationOfHolder } from "./publication.store.js";
import type { LockedTarget } from "./publication.target.js";

/** A publication gives one voucher at least. */
export type Vouchers = readonly [VoucherRow, ...VoucherRow[]];

/** Vouchers chosen to be given, and those among them that were made for this. */
export interface Choice {
  vouchers: Vouchers;
  made_ids: ReadonlySet<string>;
}

/** The vouchers to give, the publication that gave them already, or why there is none; in the order of §11.2. */
export async function choose(
  tx: Tx,
  publisher: Publisher,
  request: PublishRequest,
  target: LockedTarget,
): Promise<Choice | Publication | Problem> {
  const { campaign, voucher } = target;
  const before = (await namedBefore(tx, publisher, request, target)) ?? (await heldBy(tx, publisher, request, target));
  if (before) return before;
  if (!voucher) return campaign ? nextOf(tx, publisher, request, target, campaign) : refusals.noneSuitable();
  const is_for_one = campaign !== null && campaign.type !== "STANDALONE";
  if (is_for_one && voucher.publish_count > 0) return refusals.alreadyPublished(voucher.id);
  return voucher.active === false ? refusals.noneSuitable() : { vouchers: [voucher], made_ids: new Set() };
}

/** What the caller's own id of the publication stands for already. */
async function namedBefore(
  tx: Tx,
  { project_id }: Publisher,
  { source_id }: PublishRequest,
  { campaign, voucher, customer }: LockedTarget,
): Promise<Publication | Problem | null> {
  const first = source_id === null ? null : await findPublicationBySourceId(tx, project_id, source_id);
  if (!first || source_id === null) return null;
  const is_target = voucher ? first.voucher_id === voucher.id : first.campaign_id === campaign?.id;
  return is_target && first.customer_id === customer?.id ? first : refusals.duplicateSourceId(source_id);
}

/** What the customer has of a campaign that is joined once, or that the request wants joined once. */
async function heldBy(
  tx: Tx,
  { project_id }: Publisher,
  { join_once, count }: PublishRequest,
  { campaign, customer }: LockedTarget,
): Promise<Publication | Problem | null> {
  if (!campaign?.join_once && !join_once) return null;
  const held = campaign && customer && (await findPublicationOfHolder(tx, project_id, campaign.id, customer.id));
  if (held) return join_once ? held : refusals.alreadyJoined();
  // Whoever joins once has one code.
  return campaign?.join_once && count > 1 ? refusals.tooManyVouchers() : null;
}

/** The oldest vouchers that nobody has; where too few are left and the campaign may grow, new ones beside them. */
async function nextOf(
  tx: Tx,
  { project, project_id, instant }: Publisher,
  { count }: PublishRequest,
  { in_turn }: LockedTarget,
  campaign: Campaign,
): Promise<Choice | Problem> {
  const is_growing = campaign.type === "AUTO_UPDATE" && campaign.voucher !== null;
  const ids = (await drawNextVouchers(tx, project_id, campaign.id, { count, is_growing })).map(({ id }) => id);
  const missing = count - ids.length;
  if (missing > 0 && !in_turn) throw new StartOver("the last vouchers were given while this waited");
  if (missing > 0 && !is_growing) return refusals.noneSuitable();
  const made_ids: string[] = [];
  if (missing > 0) {
    const code_config = readCodeConfig(project, null, 1, campaign.voucher?.code_config);
    const made = addedVoucher({}, campaign);
    made_ids.push(
      ...(await generateVouchers(tx, { project, made, code_config, instant }, missing)).map(({ id }) => id),
    );
  }
  if (made_ids.length < missing) {
    // No code is free any more. What was made until then must not stay behind, so this leaves no record either.
    const refused = refusals.noneSuitable("Couldn't create new vouchers for publication");
    if (made_ids.length > 0) throw refused;
    return refused;
  }
  const [first, ...others] = await inOrder(tx, project_id, [...ids, ...made_ids]);
  if (!first || 1 + others.length < count) throw new StartOver("the next card was deleted meanwhile");
  return { vouchers: [first, ...others], made_ids: new Set(made_ids) };
}

/** The vouchers in the order of their ids in the list. */
export async function inOrder(tx: Tx, project_id: string, ids: readonly string[]): Promise<VoucherRow[]> {
  const found = new Map((await findVouchersByIds(tx, project_id, ids)).map((voucher) => [voucher.id, voucher]));
  return ids.flatMap((id) => found.get(id) ?? []);
}
