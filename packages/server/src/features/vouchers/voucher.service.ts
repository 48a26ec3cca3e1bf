import { codeFault } from "@guerdon/engine";
import type { Context } from "../../platform/context.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import { problems } from "../../platform/http/problems.js";
import { type Change, change, readUnderKeys } from "../../recording/index.js";
import { invalid, readDiscount, readWindow, refusals } from "../../terms/index.js";
import { findCategoriesByIds, resolveCategories } from "../categories/index.js";
import { assertUnitsExist } from "../products/index.js";
import type { Call } from "../projects/index.js";
import { type BinRemoval, putInBin } from "../trash-bin/index.js";
import { assignRules, findAssignmentsTo } from "../validation-rules/index.js";
import { newCode, readCodeConfig } from "./codes.js";
import { generateVouchers, generationKeys } from "./generation.js";
import { inCategory, newVoucher } from "./new-voucher.js";
import { toVoucherBody, type VoucherShowing } from "./voucher.body.js";
import { voucherEvent } from "./voucher.events.js";
import { codeKey, type NewVoucher, type VoucherCampaign, type VoucherRow } from "./voucher.js";
import type { CodeConfigInput, VoucherBody, VoucherCreate, VoucherUpdate } from "./voucher.schemas.js";
import { deleteVouchers, findVoucher, findVouchersByIds, hasVouchers, updateVoucher } from "./voucher.store.js";
import { findCampaignNames, findVoucherCampaign } from "./voucher-campaign.store.js";
import { uncountVouchers } from "./voucher-counts.store.js";
import { insertVouchers } from "./voucher-insert.store.js";

/** `POST /v1/vouchers` and `POST /v1/vouchers/:code`; without a code one is made (vouchers-and-campaigns.md §5.1). */
export async function createVoucher(
  context: Context,
  call: Call,
  code: string | null,
  input: VoucherCreate,
): Promise<VoucherBody> {
  assertCode(code);
  return change(context, call, async (change) => {
    const { tx } = change;
    const campaign = await readUnderKeys(
      tx,
      () => joinedCampaign(tx, call, input),
      (found) =>
        generationKeys(call.project, found?.id ?? null, code === null ? configOfNewCode(call, input, found) : null),
    );
    if (campaign) await assertJoinable(tx, call, campaign, code);
    const [category] = await resolveCategories(change, [input]);
    const made = inCategory(newVoucher(input, campaign), category);
    call.metadata_schemas.assertFits("voucher", made.metadata, { is_made: true });
    if (input.discount) await assertUnitsExist(tx, call.project_id, [made.discount]);
    const voucher = await makeVoucher(tx, call, made, { code, config: input.code_config, campaign });
    await assignRules(change, input.validation_rules ?? [], { id: voucher.id, type: "voucher" });
    change.tell(voucherEvent("voucher.created", voucher));
    return readVoucherBody(context, tx, call, voucher);
  });
}

/** How the code of one voucher is made: by what is sent, laid over what the campaign has. */
interface WantedCode {
  code: string | null;
  config: CodeConfigInput | null | undefined;
  campaign: VoucherCampaign | null;
}

/** Writes one voucher, under its {@link generationKeys}. */
export async function makeVoucher(tx: Tx, call: Call, made: NewVoucher, wanted: WantedCode): Promise<VoucherRow> {
  const { project, project_id, instant } = call;
  const { code } = wanted;
  const codes =
    code === null
      ? await generateVouchers(
          tx,
          {
            project,
            made,
            code_config: readCodeConfig(project, wanted.config, 1, wanted.campaign?.voucher?.code_config),
            instant,
          },
          1,
        )
      : await insertVouchers(tx, project_id, made, [newCode(project, code)], instant);
  const [written] = codes;
  if (!written && code !== null) throw problems.duplicate("voucher", code);
  if (!written) throw refusals.invalidCodeConfig("Property .code_config.pattern allows no code that is still free");
  const [voucher] = await findVouchersByIds(tx, project_id, [written.id]);
  if (!voucher) throw new Error(`a voucher just written is gone: ${written.id}`);
  return voucher;
}

const configOfNewCode = ({ project }: Call, { code_config }: VoucherCreate, campaign: VoucherCampaign | null) =>
  readCodeConfig(project, code_config, 1, campaign?.voucher?.code_config);

async function joinedCampaign(
  db: Queries,
  call: Call,
  { campaign, campaign_id }: VoucherCreate,
): Promise<VoucherCampaign | null> {
  const named = campaign_id || campaign;
  if (!named) return null;
  const found = await findVoucherCampaign(
    db,
    call.project_id,
    campaign_id ? { id: campaign_id, name: null } : { id: null, name: named },
  );
  if (!found) throw problems.notFound("campaign", named);
  return found;
}

/** Under the campaign's key: a standalone one has one code (§2.3). */
async function assertJoinable(tx: Tx, call: Call, { id, type }: VoucherCampaign, code: string | null): Promise<void> {
  if (type !== "STANDALONE") return;
  if (code === null) throw invalid("campaign", "A code is required in a STANDALONE campaign");
  if (await hasVouchers(tx, call.project_id, id)) throw invalid("campaign", "A STANDALONE campaign has one code");
}

export async function readVoucher(context: Context, call: Call, code_or_id: string): Promise<VoucherBody> {
  return readVoucherBody(context, context.db, call, await knownVoucher(context.db, call, code_or_id));
}

export async function changeVoucher(
  context: Context,
  call: Call,
  code_or_id: string,
  input: VoucherUpdate,
): Promise<VoucherBody> {
  return change(context, call, async (change) => {
    const { tx } = change;
    const stored = await lockVoucher(tx, call, code_or_id);
    const [category] = await resolveCategories(change, [input]);
    const changed: VoucherRow = {
      ...stored,
      ...readWindow(input, stored, "voucher"),
      discount: changedDiscount(stored, input),
      category_id: category === undefined ? stored.category_id : (category?.id ?? null),
      active: input.active === undefined ? stored.active : input.active,
      additional_info: input.additional_info === undefined ? stored.additional_info : input.additional_info,
      metadata: { ...stored.metadata, ...input.metadata },
      updated_at: call.instant,
    };
    if (input.discount) await assertUnitsExist(tx, call.project_id, [changed.discount]);
    await updateVoucher(tx, call.project_id, changed);
    change.tell(voucherEvent("voucher.updated", changed));
    return readVoucherBody(context, tx, call, changed);
  });
}

/** The discount of a discount voucher may change, but not its type; other vouchers have none (§5.2). */
function changedDiscount(stored: VoucherRow, { discount }: VoucherUpdate): VoucherRow["discount"] {
  if (!stored.discount || !discount) return stored.discount;
  if (discount.type !== stored.discount.type)
    throw invalid("voucher", "It is not possible to change voucher discount type");
  return readDiscount(discount, "voucher");
}

/** `POST …/enable` and `…/disable`; what is so already stays as it is, and nobody is told. */
export async function switchVoucher(
  context: Context,
  call: Call,
  code_or_id: string,
  active: boolean,
): Promise<VoucherBody> {
  return change(context, call, async (change) => {
    const stored = await lockVoucher(change.tx, call, code_or_id);
    return readVoucherBody(context, change.tx, call, await switchWithin(change, stored, active));
  });
}

/** The same as a part of what somebody else changes, under the voucher's key. */
export async function switchWithin(
  { tx, tell, cause }: Change,
  stored: VoucherRow,
  active: boolean,
): Promise<VoucherRow> {
  if ((stored.active !== false) === active) return stored;
  const voucher = { ...stored, active, updated_at: cause.instant };
  // One in the bin stays as it is.
  if ((await updateVoucher(tx, cause.project_id, voucher)) === 0) return stored;
  tell(voucherEvent(active ? "voucher.enabled" : "voucher.disabled", voucher));
  return voucher;
}

/** `DELETE /v1/vouchers/:code`: to the bin, where its code stays taken, or gone for good (§5.4). */
export async function removeVoucher(context: Context, call: Call, code_or_id: string, force: boolean): Promise<void> {
  await change(context, call, async (change) => {
    const { tx } = change;
    const voucher = await lockVoucher(tx, call, code_or_id);
    const { id, code, campaign_id } = voucher;
    // Its campaign may be on its way out, which takes vouchers without their keys.
    const { live } = await deleteVouchers(tx, call.project_id, [id], { force, instant: call.instant });
    if (live === 0) throw problems.notFound("voucher", code_or_id);
    await uncountVouchers(tx, call.project_id, campaign_id, 1);
    if (!force) {
      const binned = { resource_type: "voucher", resource_id: id, resource_name: code } as const;
      await putInBin(change, { ...binned, resource_parent_id: campaign_id });
    }
    change.tell(voucherEvent("voucher.deleted", voucher));
  });
}

const voucherKey = (project_id: string, id: string): LockKey => ({ project_id, kind: "voucher", id });

/** A voucher in the bin goes for good; that it is deleted was told when it went there. */
export const binned: readonly BinRemoval[] = [
  {
    resource_type: "voucher",
    keysOf: (project_id, id) => [voucherKey(project_id, id)],
    async remove({ tx, cause: { project_id, instant } }, id) {
      await deleteVouchers(tx, project_id, [id], { force: true, instant });
    },
  },
];

export async function knownVoucher(
  db: Queries,
  { project, project_id }: Call,
  code_or_id: string,
): Promise<VoucherRow> {
  const voucher = await findVoucher(db, project_id, code_or_id, codeKey(project, code_or_id));
  if (!voucher) throw problems.notFound("voucher", code_or_id);
  return voucher;
}

const lockVoucher = (tx: Tx, call: Call, code_or_id: string): Promise<VoucherRow> =>
  readUnderKeys(
    tx,
    () => knownVoucher(tx, call, code_or_id),
    ({ id }) => [voucherKey(call.project_id, id)],
  );

type Shower = Pick<Call, "project" | "project_id">;

/** Vouchers as answered. */
export async function toVoucherBodies(
  context: VoucherShowing,
  db: Queries,
  call: Shower,
  vouchers: readonly VoucherRow[],
): Promise<VoucherBody[]> {
  return vouchers.map(await readAround(context, db, call, vouchers));
}

/** One voucher as answered. */
export async function readVoucherBody(
  context: VoucherShowing,
  db: Queries,
  call: Shower,
  voucher: VoucherRow,
): Promise<VoucherBody> {
  const bodyOf = await readAround(context, db, call, [voucher]);
  return bodyOf(voucher);
}

/** Reads what is shown around vouchers, their campaigns' names, categories and rules, however many they are. */
async function readAround(
  context: VoucherShowing,
  db: Queries,
  call: Shower,
  vouchers: readonly VoucherRow[],
): Promise<(voucher: VoucherRow) => VoucherBody> {
  const idsOf = (field: "campaign_id" | "category_id") => [
    ...new Set(vouchers.flatMap((voucher) => voucher[field] ?? [])),
  ];
  const [campaign_ids, category_ids] = [idsOf("campaign_id"), idsOf("category_id")];
  const campaigns = campaign_ids.length ? await findCampaignNames(db, call.project_id, campaign_ids) : [];
  const categories = category_ids.length ? await findCategoriesByIds(db, call.project_id, category_ids) : [];
  const ruled_ids = [...vouchers.map(({ id }) => id), ...campaign_ids];
  const assignments = ruled_ids.length ? await findAssignmentsTo(db, call.project_id, ruled_ids) : [];
  return (voucher) =>
    toVoucherBody(
      context,
      call.project,
      voucher,
      campaigns.find(({ id }) => id === voucher.campaign_id),
      categories.find(({ id }) => id === voucher.category_id),
      assignments.filter(({ related_object_id: id }) => id === voucher.id || id === voucher.campaign_id),
    );
}

/** Codes that a person chooses (§3.4). */
export function assertCode(code: string | null): void {
  const fault = code === null ? null : codeFault(code);
  if (fault !== null) throw problems.invalidPayload(`Property .code ${fault}`);
}
