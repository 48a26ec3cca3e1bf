import { books, openBroughtCards } from "../../../books/index.js";
import { column } from "../../../platform/db/sql.js";
import { problems } from "../../../platform/http/problems.js";
import { slices } from "../../../platform/sharing/slices.js";
import { type Change, underKeys } from "../../../recording/index.js";
import { CannotGoOn } from "../../async-actions/index.js";
import { findCategoriesByIds, resolveCategories } from "../../categories/index.js";
import type { RowOutcome, UnreadRow } from "../../imports/index.js";
import { findUnknownUnits } from "../../products/index.js";
import { assignEach, findRulesByIds } from "../../validation-rules/index.js";
import { generationKeys } from "../generation.js";
import { voucherEvent } from "../voucher.events.js";
import { codeKey, type NewVoucher, type VoucherCampaign } from "../voucher.js";
import { findVouchersByIds } from "../voucher.store.js";
import { findVoucherCampaign } from "../voucher-campaign.store.js";
import { countFreeVouchers, insertFreeVouchers } from "../voucher-insert.store.js";
import { type Asked, codeTaken, madeOf, type Row, readAsked, readRow, type Turn } from "./imported-row.js";
import type { VoucherRowImport } from "./voucher-import.schemas.js";
import { changeImported, findKnownCodes, type KnownCode } from "./voucher-import.store.js";

/** Vouchers that are changed together: each is a key, of which a change holds 512 at most. */
const known_max = 400;
/** Some 7 ms of reading, and as many of PostgreSQL: others have a turn between two of them. */
const written_together = 250;

export interface Into {
  /** Null: vouchers of their own. */
  campaign_id: string | null;
  /** Whether a code that is there already is changed; else its row is refused. */
  changes_known: boolean;
  /** Whether webhooks hear of each voucher. */
  is_told: boolean;
}

/**
 * Makes vouchers of rows, and changes those whose codes are there already (vouchers-and-campaigns.md §9). No two rows that can be
 * read have one code. Takes as many rows as it may change vouchers.
 */
export async function importVouchers(
  change: Change,
  turn: Turn,
  unread: readonly UnreadRow<VoucherRowImport>[],
  into: Into,
): Promise<(RowOutcome | null)[]> {
  const asked = unread.map((one): Asked => ({ unread: one, key: codeKey(turn.project, one.name), row: null }));
  const { taken, known, campaign } = await holdKeys(change, turn, asked, into);
  const there = taken.flatMap((one) => {
    const voucher = known.get(one.key);
    const row = voucher && readAsked(one, true);
    return row ? { row, voucher } : [];
  });
  const fresh = known.size === 0 ? taken : taken.filter(({ key }) => !known.has(key));
  await changeKnown(change, turn, there, into);
  await makeNew(change, turn, fresh, campaign, into);
  return taken.map(({ row, key }) => {
    if (row?.outcome === null) throw new Error(`a row was passed over: ${key}`);
    return row?.outcome ?? null;
  });
}

/** Holds the campaign, and the vouchers whose codes the first rows have. */
async function holdKeys({ tx }: Change, { project, project_id }: Turn, rows: readonly Asked[], into: Into) {
  const { campaign_id, changes_known } = into;
  let taken = rows;
  const find = async () => ({
    campaign: campaign_id === null ? null : await findVoucherCampaign(tx, project_id, { id: campaign_id, name: null }),
    known: byKey(await findKnownCodes(tx, project_id, column(taken, "key"))),
  });
  const found = await underKeys(tx, {
    async resolve() {
      const { campaign, known } = await find();
      if (changes_known) taken = changing(rows, known);
      return { campaign, known };
    },
    keysOf: ({ known }) => [
      ...generationKeys(project, campaign_id, null),
      ...(changes_known ? changedBy(taken, known) : []).map(({ id }) => ({ project_id, kind: "voucher" as const, id })),
    ],
    read: find,
  });
  if (found.campaign === undefined) throw new CannotGoOn("The campaign is gone");
  return { taken, campaign: found.campaign, known: found.known };
}

type Known = ReadonlyMap<string, KnownCode>;

const byKey = (known: readonly KnownCode[]): Known => new Map(known.map((one) => [one.code_key, one]));

/** The rows up to the last that a change can hold a voucher for. */
function changing(rows: readonly Asked[], known: Known): readonly Asked[] {
  let of_known = 0;
  const end = known.size <= known_max ? -1 : rows.findIndex(({ key }) => known.has(key) && ++of_known > known_max);
  return end === -1 ? rows : rows.slice(0, end);
}

const changedBy = (rows: readonly Asked[], known: Known) =>
  known.size === 0 ? [] : rows.flatMap(({ key }) => known.get(key) ?? []);

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

/**
 * By the same door as `POST /v1/vouchers/:code`, or as vouchers that are added to the campaign. While PostgreSQL writes some of them the
 * next are read.
 */
async function makeNew(
  change: Change,
  turn: Turn,
  asked: readonly Asked[],
  campaign: VoucherCampaign | null,
  into: Into,
): Promise<void> {
  const writing: Promise<void>[] = [];
  const made: NewVoucher[] = [];
  const breathe = slices();
  for (let from = 0; from < asked.length; from += written_together) {
    const some: Row[] = [];
    for (const one of asked.slice(from, from + written_together)) {
      const row = readAsked(one, false);
      if (row) {
        readRow(row, turn, campaign, into.changes_known);
        some.push(row);
      }
      await breathe();
    }
    const ready = await readyOf(change, some);
    made.push(...ready.map(madeOf));
    const written = writeNew(change, turn, ready, campaign, into);
    // It may fail before it is waited for.
    written.catch(() => undefined);
    writing.push(written);
  }
  await Promise.all(writing);
  await countFreeVouchers(change.tx, turn.project_id, campaign?.id ?? null, made, turn.instant);
}

/** Those that may be made, each in the category that its row names. */
async function readyOf(change: Change, rows: readonly Row[]): Promise<Row[]> {
  await refuseUnknown(change, rows);
  const ready = rows.filter(({ outcome }) => outcome === null);
  const category_ids = await categoriesOf(
    change,
    ready.map(({ sent }) => sent.category),
  );
  for (const [i, row] of ready.entries()) {
    const category_id = category_ids[i];
    if (category_id !== undefined) row.made = { ...madeOf(row), category_id };
  }
  return ready;
}

async function writeNew(
  change: Change,
  { project_id, instant }: Turn,
  ready: readonly Row[],
  campaign: VoucherCampaign | null,
  { is_told }: Into,
): Promise<void> {
  await insertFreeVouchers(change.tx, project_id, campaign?.id ?? null, ready.map(madeOf), instant);
  for (const row of ready) row.outcome = { is_new: true };
  await bringUses(change, project_id, ready);
  await assignTo(change, ready, is_told);
  if (is_told)
    await tellOf(
      change,
      "voucher.created",
      ready.map((row) => madeOf(row).id),
    );
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
async function bringUses({ add, tx }: Change, project_id: string, rows: readonly Row[]): Promise<void> {
  const cards = rows.flatMap((row) => {
    const { id, gift, loyalty_card } = madeOf(row);
    if (gift) return { voucher_id: id, added: gift.amount, redeemed: row.sent.redeemed_amount ?? 0 };
    return loyalty_card ? { voucher_id: id, added: loyalty_card.points, redeemed: 0 } : [];
  });
  await openBroughtCards(tx, project_id, cards);
  const used = rows.flatMap((row) => {
    const { id, quantity } = madeOf(row);
    const { redeemed_quantity = 0 } = row.sent;
    return redeemed_quantity > 0 ? { voucher_id: id, quantity, redeemed_quantity } : [];
  });
  add(books.usage, ...used);
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
