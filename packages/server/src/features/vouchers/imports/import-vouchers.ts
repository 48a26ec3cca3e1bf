import { moveUsage, openBroughtCards } from "../../../books/index.js";
import { Problem, problems } from "../../../platform/http/problems.js";
import { type Change, readUnderKeys } from "../../../recording/index.js";
import { invalid } from "../../../terms/index.js";
import { CannotGoOn, metadataError } from "../../async-actions/index.js";
import { findCategoriesByIds, resolveCategories } from "../../categories/index.js";
import type { ImportTurn, RowOutcome } from "../../imports/index.js";
import { findUnknownUnits } from "../../products/index.js";
import { assignEach, findRulesByIds } from "../../validation-rules/index.js";
import { newCode } from "../codes.js";
import { generationKeys } from "../generation.js";
import { addedVoucher, newVoucher } from "../new-voucher.js";
import { voucherEvent } from "../voucher.events.js";
import { codeKey, type NewVoucher, type VoucherCampaign } from "../voucher.js";
import { assertCode } from "../voucher.service.js";
import { findVouchersByIds } from "../voucher.store.js";
import { findVoucherCampaign } from "../voucher-campaign.store.js";
import { insertDifferentVouchers, type NewCode } from "../voucher-insert.store.js";
import type { VoucherRowImport } from "./voucher-import.schemas.js";
import { changeImported, findKnownCodes, type KnownCode } from "./voucher-import.store.js";

/** Vouchers that are changed together: each is a key, of which a change holds 512 at most. */
const known_max = 400;

export interface Into {
  /** Null: vouchers of their own. */
  campaign_id: string | null;
  /** Whether a code that is there already is changed; else its row is refused. */
  changes_known: boolean;
  /** Whether webhooks hear of each voucher. */
  is_told: boolean;
}

type Turn = ImportTurn<object>;

/** A row on its way: its code, the voucher it will be, or why not. */
interface Row {
  sent: VoucherRowImport;
  key: string;
  outcome: RowOutcome | null;
  made: (NewCode & NewVoucher) | null;
}

/**
 * Makes vouchers of rows, and changes those whose codes are there already (vouchers-and-campaigns.md §9). No two rows have
 * one code. Takes as many rows as it may change vouchers.
 */
export async function importVouchers(
  change: Change,
  turn: Turn,
  sent: readonly VoucherRowImport[],
  into: Into,
): Promise<RowOutcome[]> {
  const rows = sent.map((one): Row => {
    return { sent: one, key: codeKey(turn.project, one.code ?? ""), outcome: null, made: null };
  });
  const { taken, known, campaign } = await holdKeys(change, turn, rows, into);
  const there = taken.flatMap((row) => {
    const voucher = known.get(row.key);
    return voucher ? { row, voucher } : [];
  });
  const fresh = taken.filter(({ key }) => !known.has(key));
  await changeKnown(change, turn, there, into);
  await makeNew(change, turn, fresh, campaign, into);
  return taken.map(({ outcome, key }) => {
    if (outcome === null) throw new Error(`a row was passed over: ${key}`);
    return outcome;
  });
}

/** Holds the campaign, and the vouchers whose codes the first rows have. */
async function holdKeys({ tx }: Change, { project, project_id }: Turn, rows: readonly Row[], into: Into) {
  const { campaign_id, changes_known } = into;
  const all = rows.map(({ key }) => key);
  const before = new Set((await findKnownCodes(tx, project_id, all)).map(({ code_key }) => code_key));
  let of_known = 0;
  const end = rows.findIndex(({ key }) => changes_known && before.has(key) && ++of_known > known_max);
  const taken = end === -1 ? rows : rows.slice(0, end);
  const found = await readUnderKeys(
    tx,
    async () => ({
      campaign:
        campaign_id === null ? null : await findVoucherCampaign(tx, project_id, { id: campaign_id, name: null }),
      known: await findKnownCodes(
        tx,
        project_id,
        taken.map(({ key }) => key),
      ),
    }),
    ({ known }) => [
      ...generationKeys(project, campaign_id, null),
      ...(changes_known ? known.map(({ id }) => ({ project_id, kind: "voucher" as const, id })) : []),
    ],
  );
  if (found.campaign === undefined) throw new CannotGoOn("The campaign is gone");
  return { taken, campaign: found.campaign, known: new Map(found.known.map((one) => [one.code_key, one])) };
}

/** Only whether it is active and its category; whatever else the row says is the voucher's own by now (§9.2). */
async function changeKnown(
  change: Change,
  { project_id, instant }: Turn,
  there: readonly { row: Row; voucher: KnownCode }[],
  { campaign_id, changes_known, is_told }: Into,
): Promise<void> {
  const changed = there.filter(({ row, voucher }) => {
    const is_ours = changes_known && !voucher.is_deleted && voucher.campaign_id === campaign_id;
    row.outcome = is_ours ? { is_new: false } : codeTaken(row);
    return is_ours;
  });
  const category_ids = await categoriesOf(
    change,
    changed.map(({ row }) => row.sent.category),
  );
  const changes = changed.map(({ row: { sent }, voucher: { id } }, i) => {
    return { id, active: sent.active ?? null, category_id: category_ids[i] ?? null };
  });
  await changeImported(
    change.tx,
    project_id,
    changes.filter(({ active, category_id }) => active !== null || category_id !== null),
    instant,
  );
  if (is_told)
    await tellOf(
      change,
      "voucher.updated",
      changed.map(({ voucher }) => voucher.id),
    );
}

/** By the same door as `POST /v1/vouchers/:code`, or as vouchers that are added to the campaign. */
async function makeNew(
  change: Change,
  turn: Turn,
  rows: readonly Row[],
  campaign: VoucherCampaign | null,
  { is_told, changes_known }: Into,
): Promise<void> {
  const { tx } = change;
  const { project_id, instant } = turn;
  for (const row of rows) readRow(row, turn, campaign, changes_known);
  await refuseUnknown(change, rows);
  const ready = rows.filter(({ outcome }) => outcome === null);
  const category_ids = await categoriesOf(
    change,
    ready.map(({ sent }) => sent.category),
  );
  const made = ready.map((row, i) => ({ ...madeOf(row), category_id: category_ids[i] ?? madeOf(row).category_id }));
  const written = await insertDifferentVouchers(tx, project_id, campaign?.id ?? null, made, instant);
  const ids = new Set(written.map(({ id }) => id));
  const there = ready.filter((row) => {
    const is_new = ids.has(madeOf(row).id);
    // Made by somebody else since it was looked for.
    row.outcome = is_new ? { is_new } : codeTaken(row);
    return is_new;
  });
  await bringUses(change, project_id, there);
  await assignTo(change, there, is_told);
  if (is_told)
    await tellOf(
      change,
      "voucher.created",
      written.map(({ id }) => id),
    );
}

const madeOf = ({ made, key }: Row) => {
  if (!made) throw new Error(`a row has no voucher: ${key}`);
  return made;
};

function readRow(
  row: Row,
  { project, metadata_schemas, instant }: Turn,
  campaign: VoucherCampaign | null,
  is_file: boolean,
): void {
  const { sent } = row;
  try {
    assertCode(sent.code ?? "");
    const voucher = campaign ? joining(sent, campaign, instant) : standing(sent, is_file);
    assertUses(sent, voucher);
    const { metadata } = voucher;
    const fault = metadataError(metadata_schemas, "voucher", { sent: metadata, merged: metadata, is_made: true });
    if (fault) row.outcome = { refused: fault.details };
    else row.made = { ...voucher, ...newCode(project, sent.code ?? "") };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    row.outcome = { refused: error.message };
  }
}

/** What is not sent is null. A discount that comes as JSON says how it works; a file may leave that out (§9.1, §9.2). */
function standing(sent: VoucherRowImport, is_file: boolean): NewVoucher {
  if (sent.discount && !sent.discount.effect && !is_file)
    throw invalid("voucher", "Property .discount.effect is required");
  return newVoucher({ ...bodyOf(sent), active: sent.active ?? null }, null);
}

/** What it gives is the campaign's, but for the credit or points of a card; one of a campaign that is over starts inactive. */
function joining(sent: VoucherRowImport, campaign: VoucherCampaign, instant: number): NewVoucher {
  const { type: _, discount: __, ...body } = bodyOf(sent);
  const added = addedVoucher(body, campaign);
  const { gift, loyalty_card } = added;
  const is_over = campaign.expiration_date !== null && campaign.expiration_date < instant;
  return {
    ...added,
    gift: gift && { ...gift, amount: sent.gift?.amount ?? gift.amount },
    loyalty_card: loyalty_card && { ...loyalty_card, points: sent.loyalty_card?.points ?? loyalty_card.points },
    active: sent.active ?? !is_over,
  };
}

/** The category is looked for by name and by id, with those of the other rows. */
function bodyOf({ category: _, ...sent }: VoucherRowImport) {
  return sent;
}

function assertUses({ redeemed_quantity = 0, redeemed_amount = 0 }: VoucherRowImport, voucher: NewVoucher): void {
  if (voucher.quantity !== null && redeemed_quantity > voucher.quantity)
    throw invalid("voucher", "Redeemed Quantity must not be more than the redemptions that are allowed");
  if (voucher.gift && redeemed_amount > voucher.gift.amount)
    throw invalid("voucher", "Redeemed Amount must not be more than the amount of the card");
}

/** Refuses rows that give away, or are ruled by, what is not there. */
async function refuseUnknown({ tx, cause: { project_id } }: Change, rows: readonly Row[]): Promise<void> {
  const faults = await findUnknownUnits(
    tx,
    project_id,
    rows.map(({ sent, made }) => (sent.discount ? made?.discount : null)),
  );
  for (const [i, fault] of faults.entries()) {
    const row = rows[i];
    if (fault && row) row.outcome ??= { refused: fault.message };
  }
  const rule_ids = [...new Set(rows.flatMap(({ sent }) => sent.validation_rule_id ?? []))];
  const rules = rule_ids.length === 0 ? [] : await findRulesByIds(tx, project_id, rule_ids);
  for (const row of rows) {
    const id = row.sent.validation_rule_id;
    if (id && !rules.some((rule) => rule.id === id))
      row.outcome ??= { refused: problems.notFound("validation_rules", id).message };
  }
}

/** Opens cards with what is left on them, and counts what was redeemed before. */
async function bringUses({ tx }: Change, project_id: string, rows: readonly Row[]): Promise<void> {
  const cards = rows.flatMap((row) => {
    const { id, gift, loyalty_card } = madeOf(row);
    if (gift) return { voucher_id: id, added: gift.amount, redeemed: row.sent.redeemed_amount ?? 0 };
    return loyalty_card ? { voucher_id: id, added: loyalty_card.points, redeemed: 0 } : [];
  });
  await openBroughtCards(tx, project_id, cards);
  const used = rows.flatMap((row) => {
    const { id, quantity } = madeOf(row);
    const { redeemed_quantity: redemptions = 0 } = row.sent;
    return redemptions > 0 ? { voucher_id: id, quantity, redemptions } : [];
  });
  await moveUsage(tx, project_id, used);
}

async function assignTo(change: Change, rows: readonly Row[], is_told: boolean): Promise<void> {
  const wanted = rows.filter(({ sent }) => sent.validation_rule_id);
  const rule_ids = [...new Set(wanted.flatMap(({ sent }) => sent.validation_rule_id ?? []))];
  const rules = rule_ids.length === 0 ? [] : await findRulesByIds(change.tx, change.cause.project_id, rule_ids);
  const pairs = wanted.flatMap((row) => {
    const rule = rules.find(({ id }) => id === row.sent.validation_rule_id);
    return rule ? { rule, object: { id: madeOf(row).id, type: "voucher" as const } } : [];
  });
  await assignEach(is_told ? change : { ...change, tell() {} }, pairs);
}

/** Ids of what rows call their categories, by name or id; an unknown name is made, as everywhere. */
async function categoriesOf(
  change: Change,
  named: readonly (string | null | undefined)[],
): Promise<(string | undefined)[]> {
  const names = [...new Set(named.flatMap((name) => name || []))];
  if (names.length === 0) return named.map(() => undefined);
  const by_id = await findCategoriesByIds(change.tx, change.cause.project_id, names);
  const known = new Map(by_id.map(({ id }) => [id, id]));
  const others = names.filter((name) => !known.has(name));
  const resolved = await resolveCategories(
    change,
    others.map((category) => ({ category })),
  );
  for (const [i, name] of others.entries()) known.set(name, resolved[i]?.id ?? "");
  return named.map((name) => (name ? known.get(name) || undefined : undefined));
}

async function tellOf({ tx, tell, cause }: Change, type: "voucher.created" | "voucher.updated", ids: string[]) {
  if (ids.length === 0) return;
  const vouchers = await findVouchersByIds(tx, cause.project_id, ids);
  tell(...vouchers.map((voucher) => voucherEvent(type, voucher)));
}

const codeTaken = ({ sent }: Row): RowOutcome => ({
  refused: problems.duplicate("voucher", sent.code ?? "").message,
});
