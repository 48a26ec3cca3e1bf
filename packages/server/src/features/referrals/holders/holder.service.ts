import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import { StartOver } from "../../../platform/db/database-errors.js";
import type { LockKey } from "../../../platform/db/locks.js";
import { followedBy, listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { countsOf, filterCondition, pageOf } from "../../../platform/listing/index.js";
import { change, readUnderKeys } from "../../../recording/index.js";
import { refusals } from "../../../terms/index.js";
import { findCampaignsByIds, knownCampaign } from "../../campaigns/index.js";
import {
  type Customer,
  type CustomerInput,
  customerKeys,
  findNamedCustomers,
  upsertNamed,
} from "../../customers/index.js";
import type { Call } from "../../projects/index.js";
import { deleteHolder, insertHolders, type VoucherHolder } from "../../publications/index.js";
import { knownVoucher, type VoucherRow } from "../../vouchers/index.js";
import { holderEvent } from "./holder.events.js";
import { holder_filterable } from "./holder.filters.js";
import type { HolderBody, HolderList, HolderQuery, HoldersCreate, HoldersCreated } from "./holder.schemas.js";
import { findHolder, findHoldersAmong, listHolders } from "./holder.store.js";

/** A referral code as a path names it. */
export interface NamedCode {
  memberId: string;
  /** The campaign that it must belong to, where the path names one. */
  campaignId?: string;
}

/** A referral code of a campaign that is there: any other is as unknown as none. */
type ReferralCode = VoucherRow & { campaign_id: string };

async function knownReferralCode(db: Queries, call: Call, { memberId, campaignId }: NamedCode): Promise<ReferralCode> {
  const { project_id } = call;
  const named = campaignId === undefined ? null : await knownCampaign(db, project_id, campaignId);
  if (named && named.campaign_type !== "REFERRAL_PROGRAM") throw problems.notFound("campaign", campaignId ?? "");
  const voucher = await knownVoucher(db, call, memberId);
  const { campaign_id, is_referral_code } = voucher;
  const is_its = campaign_id !== null && is_referral_code && (named === null || named.id === campaign_id);
  const [campaign] = is_its ? await findCampaignsByIds(db, project_id, [campaign_id]) : [];
  if (!campaign) throw problems.notFound("voucher", memberId);
  return { ...voucher, campaign_id: campaign.id };
}

const voucherKey = (project_id: string, { id }: VoucherRow): LockKey => ({ project_id, kind: "voucher", id });

/** `POST …/holders`: customers who came by a code. All of them or none; nobody is counted as referred by that (§15). */
export async function addReferees(
  context: Context,
  call: Call,
  named: NamedCode,
  { holders: inputs, metadata }: HoldersCreate,
): Promise<HoldersCreated> {
  const { project_id, instant } = call;
  for (const [i, { id, source_id }] of inputs.entries())
    if (!id && !source_id)
      throw problems.invalidPayload(`Property .holders[${i}] should have required property 'source_id'`);
  return change(context, call, async (change) => {
    const { tx } = change;
    const { voucher, known } = await lockCustomers(tx, call, named, inputs);
    if (voucher.publish_count === 0) throw refusals.notPublished();
    assertDifferent(inputs, known);
    const ids = known.flatMap((customer) => customer?.id ?? []);
    const [holding] = ids.length === 0 ? [] : await findHoldersAmong(tx, project_id, voucher.id, ids);
    if (holding) throw refusals.holdsAlready(holding.customer_id);
    const customers = inputs.map((input, i) => upsertNamed(change, known[i], input));
    const holders = customers.map(
      ({ id: customer_id }): VoucherHolder => ({
        ...{ id: newId("rh"), voucher_id: voucher.id, customer_id, role: "REFEREE", campaign_id: voucher.campaign_id },
        ...{ publication_id: null, metadata: metadata ?? null, created_at: instant },
      }),
    );
    // A referral that is counted makes a holder without the voucher's key.
    if ((await insertHolders(tx, project_id, holders)).length < holders.length)
      throw new StartOver("one of them came by the code meanwhile");
    change.tell(...holders.map((holder) => holderEvent("created", holder)));
    return { holders: holders.map((holder) => toHolderBody(holder, voucher)) };
  });
}

/** The code and the customers, undefined where they are new, under the keys of all of them. */
const lockCustomers = (tx: Tx, call: Call, named: NamedCode, inputs: readonly CustomerInput[]) =>
  readUnderKeys(
    tx,
    async () => {
      const voucher = await knownReferralCode(tx, call, named);
      const known = await findNamedCustomers(tx, call.project_id, inputs);
      const unknown = inputs.find(({ id }, i) => id && !known[i]);
      if (unknown?.id) throw problems.notFound("customer", unknown.id);
      return { voucher, known };
    },
    ({ voucher, known }) => [
      voucherKey(call.project_id, voucher),
      ...inputs.flatMap((input, i) => customerKeys(call.project_id, input, known[i])),
    ],
  );

/** One customer by two names is one customer. */
function assertDifferent(inputs: readonly CustomerInput[], known: readonly (Customer | undefined)[]): void {
  const seen = new Set<string>();
  for (const [i, { source_id }] of inputs.entries()) {
    const id = known[i]?.id;
    const name = id ? `id ${id}` : `source_id ${source_id}`;
    if (seen.has(name)) throw problems.duplicate("customer", id ?? source_id ?? "", id ? "id" : "source_id");
    seen.add(name);
  }
}

/** `GET …/holders`: who refers by a code, and who came by it. */
export async function readHolders(
  { db }: Context,
  call: Call,
  named: NamedCode,
  query: HolderQuery,
): Promise<HolderList> {
  const { project_id, instant } = call;
  const voucher = await knownReferralCode(db, call, named);
  const today = { instant, time_zone: call.project.timezone };
  const filters = query.filters ? filterCondition(query.filters, holder_filterable, today) : null;
  const page = pageOf(query);
  const listed = await listHolders(db, project_id, voucher.id, filters, query.order ?? "-id", page);
  const data = listed.rows.map((holder) => toHolderBody(holder, voucher));
  return {
    ...listBody("data", data, countsOf(listed, page)),
    ...followedBy(listed.has_more, data),
  };
}

/** `DELETE …/holders/:holderId`: of a referee alone. That somebody was referred stays counted. */
export async function removeReferee(
  context: Context,
  call: Call,
  { holderId, ...named }: NamedCode & { holderId: string },
): Promise<void> {
  const { project_id } = call;
  await change(context, call, async ({ tx, tell }) => {
    const voucher = await readUnderKeys(
      tx,
      () => knownReferralCode(tx, call, named),
      (found) => [voucherKey(project_id, found)],
    );
    const holder = await findHolder(tx, project_id, voucher.id, holderId);
    if (!holder) throw problems.notFound("redeemable_holder", holderId);
    if (holder.role !== "REFEREE") throw refusals.holdsForGood();
    if ((await deleteHolder(tx, project_id, holder.id)) === 0) throw problems.notFound("redeemable_holder", holderId);
    tell(holderEvent("deleted", holder));
  });
}

const toHolderBody = (
  { id, customer_id, role, metadata, created_at }: VoucherHolder,
  voucher: ReferralCode,
): HolderBody => ({
  id,
  created_at: isoOf(created_at),
  redeemable_id: voucher.id,
  redeemable_object: "voucher",
  customer_id,
  holder_role: role,
  campaign_id: voucher.campaign_id,
  campaign_type: "REFERRAL_PROGRAM",
  voucher_type: "DISCOUNT_VOUCHER",
  ...(metadata ? { metadata } : {}),
  object: "redeemable_holder",
});
