import { compileDiscount, compileWindow, inheritWindow } from "@guerdon/engine";
import { books, type LedgerEntry, type RedemptionRow, type VoucherAfter } from "../../books/index.js";
import type { Catalogue } from "../../catalogue/index.js";
import { campaignFacts, campaignShelf } from "../../features/campaigns/index.js";
import { type Category, categoryFacts, findCategoriesByIds } from "../../features/categories/index.js";
import {
  codeKey,
  findNamedVouchers,
  findVouchersByIds,
  findVouchersToDecide,
  type LockedVoucher,
  type NamedVoucher,
  toVoucherBody,
  type VoucherRow,
  type VoucherType,
  withLock,
  withoutLock,
} from "../../features/vouchers/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { newId } from "../../platform/ids.js";
import type { Named } from "../named.js";
import type { DecidingRequest } from "../requests/request.js";
import type { SharedFacts } from "../shared-facts.js";
import type { Card, ShownOf } from "./card.js";
import { Found } from "./found.js";
import { giftCard } from "./gift-card.js";
import type { RedeemableKind, Redeeming, Showing } from "./kind.js";
import { loyaltyCard } from "./loyalty-card.js";
import { rulesOf } from "./rules.js";

const cards: Record<VoucherType, Card | null> = {
  DISCOUNT_VOUCHER: null,
  GIFT_VOUCHER: giftCard,
  LOYALTY_CARD: loyaltyCard,
};

/** Those that hold anything. */
const allCards = Object.values(cards).filter((card) => card !== null);

const found = new Found<NamedVoucher, LockedVoucher>("voucher", ({ id, code_key }) => [id, `code ${code_key}`]);

/** By id where one is known by it, else by code (vouchers-and-campaigns.md §3.3). */
export const voucherOf = (shared: SharedFacts, id_or_code: string): LockedVoucher | undefined =>
  found.row(shared, id_or_code) ?? found.row(shared, codeName(shared, id_or_code));

/** Makes a voucher known by its id that nobody has read: one that does not exist yet. */
export const keepVoucher = (shared: SharedFacts, voucher: LockedVoucher): void => found.keep(shared, voucher);

const nameOf = (named: Named, id_or_code: string): NamedVoucher | undefined =>
  found.name(named, id_or_code) ?? found.name(named, codeName(named, id_or_code));

const codeName = ({ catalogue }: Named, code: string) => `code ${codeKey(catalogue.project, code)}`;

/** A code, a gift card, a loyalty card: whatever has a code of its own. */
export const voucherKind: RedeemableKind = {
  object: "voucher",

  async readNames(db, named, ids) {
    const rows = await findNamedVouchers(db, named.catalogue.project.id, namesOf(named, ids));
    for (const row of rows) found.keepName(named, row);
  },

  async readFacts(db, shared, { ids, asked, requests }) {
    const [rows] = await Promise.all([
      findVouchersToDecide(db, shared.catalogue.project.id, namesOf(shared, ids), locksOf(requests)),
      ...allCards.map((card) => card.readFacts?.(db, shared, asked)),
    ]);
    for (const row of rows) found.keep(shared, row);
  },

  ruled(named, named_as) {
    const voucher = nameOf(named, named_as.id);
    if (!voucher) return undefined;
    const { campaign_id, rule_ids } = voucher;
    const campaign = campaignOf(named.catalogue, campaign_id);
    const of_card = named_as.reward ? allCards.flatMap((card) => card.ruleIds?.(named, voucher, named_as) ?? []) : [];
    const rules = rulesOf(named.catalogue, [...rule_ids, ...(campaign?.rule_ids ?? []), ...of_card]);
    return { rules, object_id: voucher.id, counted_in: "voucher_id", campaign_id };
  },

  keys(named, named_as) {
    const voucher = nameOf(named, named_as.id);
    if (!voucher) return [];
    const { id: project_id } = named.catalogue.project;
    const of_card = named_as.reward ? allCards.flatMap((card) => card.keys?.(named, voucher, named_as) ?? []) : [];
    return [{ project_id, kind: "voucher", id: voucher.id }, ...of_card];
  },

  discount: (shared, id) => voucherOf(shared, id)?.discount,

  facts(shared, request, named_as, rules) {
    const { catalogue } = shared;
    const voucher = voucherOf(shared, named_as.id);
    const campaign = voucher && campaignOf(catalogue, voucher.campaign_id);
    // A campaign in the bin takes its vouchers along at once, even before the job that bins them has come by.
    if (!voucher || (voucher.campaign_id !== null && !campaign)) return undefined;
    const held = heldByOthers(voucher, request);
    const window = campaign ? inheritWindow(voucher, campaign.activity) : voucher;
    return {
      object: "voucher",
      id: voucher.id,
      code: voucher.code,
      type: voucher.type,
      is_referral_code: voucher.is_referral_code ?? false,
      quantity: voucher.quantity,
      redeemed_quantity: voucher.redeemed_quantity,
      held_quantity: held.quantity,
      holder_id: voucher.holder_id,
      referrer_id: voucher.is_referral_code ? voucher.holder_id : null,
      gift: null,
      loyalty_card: null,
      ...cards[voucher.type]?.facts({ shared, card: voucher, held: held.credits, named_as }),
      category: categoryFacts(catalogue, voucher.category_id),
      campaign: campaign ? campaignFacts(catalogue, campaign) : null,
      active: voucher.active !== false,
      window: compileWindow(window, catalogue.project.timezone),
      discount: voucher.discount ? compileDiscount(voucher.discount) : null,
      ...rules,
      publish_count: voucher.publish_count,
      metadata: voucher.metadata,
    };
  },

  columns: (id) => ({ voucher_id: id, promotion_tier_id: null }),

  redeem(redeeming) {
    const { change, shared, request, outcome, row } = redeeming;
    const voucher = voucherOf(shared, outcome.redeemable.id);
    if (!voucher) throw new Error(`voucher ${outcome.redeemable.id} was decided on without being read`);
    const card = cards[voucher.type];
    const spent = card?.spent(outcome) ?? 0;
    const session_key = request.session?.key;
    const after: LockedVoucher = {
      ...voucher,
      redeemed_quantity: voucher.redeemed_quantity + 1,
      balance: voucher.balance === null ? null : voucher.balance - spent,
      redeemed: voucher.redeemed === null ? null : voucher.redeemed + spent,
      locks: session_key ? withoutLock(voucher.locks, session_key) : voucher.locks,
    };
    found.keep(shared, after);
    change.add(books.usage, { voucher_id: voucher.id, quantity: voucher.quantity, redemptions: 1 });
    if (session_key) change.add(books.sessions, { voucher_id: voucher.id, session_key, expires_at: null });
    if (card) spend(redeeming, card, after, spent);
    return { ...row, amount: card ? spent : null, voucher_after: voucherAfter(after) };
  },

  reserve({ change, shared, outcome, session_key, expires_at }) {
    const voucher = voucherOf(shared, outcome.redeemable.id);
    if (!voucher) throw new Error(`voucher ${outcome.redeemable.id} was decided on without being read`);
    const lock = { session_key, credits: cards[voucher.type]?.spent(outcome) ?? 0, expires_at };
    found.keep(shared, { ...voucher, locks: withLock(voucher.locks, lock) });
    change.add(books.sessions, { ...lock, voucher_id: voucher.id, expires_at: isoOf(expires_at) });
  },

  async readShown(db, project_id, rows, shared) {
    const ids = [...new Set(rows.flatMap(({ voucher_id }) => voucher_id ?? []))];
    if (ids.length === 0) return () => undefined;
    const vouchers = new Map((await vouchersToShow(db, project_id, ids, shared)).map((one) => [one.id, one]));
    const category_ids = [...new Set([...vouchers.values()].flatMap(({ category_id }) => category_id ?? []))];
    const cardOf = ({ voucher_id }: RedemptionRow) => {
      const voucher = voucher_id === null ? undefined : vouchers.get(voucher_id);
      return voucher ? cards[voucher.type] : null;
    };
    const [found, shown] = await Promise.all([
      category_ids.length === 0 ? [] : findCategoriesByIds(db, project_id, category_ids),
      readShownOfCards(db, project_id, rows, cardOf),
    ]);
    const categories = new Map(found.map((category) => [category.id, category]));
    return (showing, row) => {
      if (row.voucher_id === null) return undefined;
      const voucher = vouchers.get(row.voucher_id);
      return {
        related_object_type: "voucher",
        related_object_id: row.voucher_id,
        voucher: voucher ? { ...bodyOf(showing, voucher, row, categories.get(voucher.category_id ?? "")) } : null,
        promotion_tier: null,
        ...(row.amount === null ? {} : cardOf(row)?.shown(row.amount)),
        ...shown(row),
      };
    };
  },
};

/** What happened to a voucher that is in the bin by now is still told of it. */
const vouchersToShow = async (db: Queries, project_id: string, ids: readonly string[], shared: SharedFacts | null) =>
  shared ? ids.flatMap((id) => voucherOf(shared, id) ?? []) : findVouchersByIds(db, project_id, ids, { bin_too: true });

const namesOf = ({ catalogue }: Named, ids: readonly string[]) => ({
  code_keys: ids.map((id) => codeKey(catalogue.project, id)),
  ids: ids.filter((id) => id.startsWith("v_")),
});

/** Requests that are read together came within milliseconds: what has run out for the last has run out. */
const locksOf = (requests: readonly DecidingRequest[]) => ({
  session_keys: requests.flatMap(({ session }) => session?.key ?? []),
  instant: Math.max(...requests.map(({ call }) => call.instant)),
});

/** What live sessions of other keys hold; one that has run out does not count, purged or not (redemption.md §12). */
function heldByOthers({ locks }: LockedVoucher, { session }: DecidingRequest) {
  const { sessions, credits } = session?.key ? withoutLock(locks, session.key) : locks;
  return { quantity: sessions, credits };
}

/** Takes what a redemption spends off the card, and hands over what it is spent on. */
function spend(redeeming: Redeeming, card: Card, after: VoucherRow, spent: number): void {
  const id = spent > 0 ? newId("vtx") : null;
  const details = card.give?.(redeeming, after, id) ?? null;
  if (id !== null) redeeming.change.add(books.entries, { ...entryOf(redeeming, card, after, spent), id, details });
}

/** What answers add about redemptions of cards; nothing is read where no card of the kind was redeemed. */
async function readShownOfCards(
  db: Queries,
  project_id: string,
  rows: readonly RedemptionRow[],
  cardOf: (row: RedemptionRow) => Card | null,
): Promise<ShownOf> {
  const shown = await Promise.all(
    allCards.map(async (card) => {
      const own = rows.filter((row) => row.amount !== null && cardOf(row) === card);
      return own.length > 0 ? card.readShown?.(db, project_id, own) : undefined;
    }),
  );
  return (row) => Object.assign({}, ...shown.map((of) => of?.(row)));
}

function entryOf({ request, row }: Redeeming, card: Card, after: VoucherRow, spent: number): Omit<LedgerEntry, "id"> {
  return {
    voucher_id: after.id,
    campaign_id: after.campaign_id,
    type: card.spending,
    amount: -spent,
    balance: after.balance ?? 0,
    total: (after.added ?? 0) - (after.subtracted ?? 0) - (after.expired ?? 0),
    currency: row.currency,
    redemption_id: row.id,
    rollback_id: null,
    order_id: row.order_id,
    source_id: null,
    source: null,
    reason: null,
    details: null,
    created_at: isoOf(request.call.instant),
  };
}

const voucherAfter = ({ redeemed_quantity, balance, redeemed }: VoucherRow): VoucherAfter => ({
  redeemed_quantity,
  ...(balance === null ? {} : { balance, redeemed: redeemed ?? 0 }),
});

/** The voucher as the redemption left it. */
function bodyOf({ context, catalogue }: Showing, voucher: VoucherRow, row: RedemptionRow, category?: Category) {
  const after = { ...voucher, ...row.voucher_after };
  return toVoucherBody(context, catalogue.project, after, campaignOf(catalogue, voucher.campaign_id), category);
}

const campaignOf = (catalogue: Catalogue, id: string | null) =>
  id === null ? undefined : catalogue.shelf(campaignShelf).get(id);
