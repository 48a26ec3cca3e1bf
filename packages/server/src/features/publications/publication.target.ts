import type { Queries, Tx } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import { problems } from "../../platform/http/problems.js";
import { readUnderKeys } from "../../recording/index.js";
import { type Campaign, findCampaignsByIds } from "../campaigns/index.js";
import { type Customer, customerKeys, findKnownCustomer } from "../customers/index.js";
import { codeKey, findVoucher, generationKeys, readCodeConfig, type VoucherRow } from "../vouchers/index.js";
import { findNextVouchers } from "./next-vouchers.store.js";
import type { Publisher, PublishRequest } from "./publication.js";

/** What a request names. */
export interface Target {
  campaign: Campaign | null;
  /** The voucher named by its code. */
  voucher: VoucherRow | null;
  /** Undefined: nobody knows them yet. */
  customer: Customer | undefined;
}

/** The same under keys. */
export interface LockedTarget extends Target {
  /** How many vouchers the campaign could give, counted as far as matters; null where a code is named, or no campaign. */
  left: number | null;
  /** Whether nobody else publishes of the campaign meanwhile: what it has left is all there is, and it may make more where it can. */
  in_turn: boolean;
}

/**
 * With fewer vouchers left than this beside its own, publications of a campaign take turns. More than may be under way at once: whoever
 * takes none finds enough past what the others take.
 */
const left_min = 64;

/** What the request names, under the keys of everything that giving it changes. */
export async function lockTarget(tx: Tx, publisher: Publisher, request: PublishRequest): Promise<LockedTarget> {
  return readUnderKeys(
    tx,
    () => readTarget(tx, publisher, request),
    ({ keys }) => keys,
  );
}

/** The same for who holds the keys, or has yet to. */
export async function readTarget(
  db: Queries,
  publisher: Publisher,
  request: PublishRequest,
): Promise<LockedTarget & { keys: readonly LockKey[] }> {
  const target = await findTarget(db, publisher, request);
  const { campaign } = target;
  const wanted = left_min + request.count;
  // A voucher that is named may be the next one of somebody else.
  const is_next = campaign !== null && request.code === null;
  const left = is_next ? (await findNextVouchers(db, publisher.project_id, campaign.id, wanted)).length : null;
  const locked = { ...target, left, in_turn: left === null || left < wanted };
  return { ...locked, keys: targetKeys(publisher, request, locked) };
}

/** Unknown names are the caller's mistake: first the campaign, then the code, then the customer (§11.2). */
async function findTarget(db: Queries, publisher: Publisher, request: PublishRequest): Promise<Target> {
  const { project, project_id } = publisher;
  const { campaign_id, code } = request;
  const wanted = campaign_id === null ? null : await knownCampaign(db, project_id, campaign_id);
  const voucher = code === null ? undefined : await findVoucher(db, project_id, code, codeKey(project, code));
  if (code !== null && (!voucher || (wanted && voucher.campaign_id !== wanted.id)))
    throw problems.notFound("voucher", code);
  const own_id = voucher?.campaign_id ?? null;
  const campaign = wanted ?? (own_id === null ? null : await knownCampaign(db, project_id, own_id));
  const customer = await findKnownCustomer(db, project_id, request.customer);
  return { campaign, voucher: voucher ?? null, customer };
}

async function knownCampaign(db: Queries, project_id: string, id: string): Promise<Campaign> {
  const [campaign] = await findCampaignsByIds(db, project_id, [id]);
  if (!campaign) throw problems.notFound("campaign", id);
  return campaign;
}

function targetKeys({ project, project_id }: Publisher, request: PublishRequest, target: LockedTarget): LockKey[] {
  const { campaign, voucher, customer, in_turn } = target;
  const keys = customerKeys(project_id, request.customer, customer);
  if (campaign) keys.push({ project_id, kind: "name", id: `publications of ${campaign.id}`, shared: !in_turn });
  if (voucher) keys.push({ project_id, kind: "voucher", id: voucher.id });
  if (request.source_id) keys.push({ project_id, kind: "name", id: `publication ${request.source_id}` });
  // Making a card waits for generations under way.
  if (in_turn && !voucher && campaign?.type === "AUTO_UPDATE" && campaign.voucher) {
    const config = readCodeConfig(project, null, 1, campaign.voucher.code_config);
    keys.push(...generationKeys(project, campaign.id, config));
  }
  return keys;
}
