import { compileWindow, inheritWindow, type Lot } from "@guerdon/engine";
import { books, entryOf, type RedemptionRow, takeFromCard, type VoucherAfter } from "../../books/index.js";
import type { Catalogue } from "../../catalogue/index.js";
import { campaignFacts } from "../../features/campaigns/index.js";
import { categoryFacts } from "../../features/categories/index.js";
import { assignedRules } from "../../features/validation-rules/index.js";
import {
  codeKey,
  findNamedVouchers,
  findVouchersByIds,
  findVouchersToDecide,
  holds,
  keysOfVouchers,
  type LockedVoucher,
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
import { keepVoucher, keepVoucherName, voucherNamed, voucherOf } from "./found-voucher.js";
import { giftCard } from "./gift-card.js";
import type { RedeemableKind, Redeeming } from "./kind.js";
import { loyaltyCard } from "./loyalty-card.js";
import { compiledDiscount, publicationMetadata } from "./published.js";
import { rulesOf } from "./rules.js";
import { campaignOf, readVouchersShown } from "./voucher-shown.js";

const cards: Record<VoucherType, Card | null> = {
  DISCOUNT_VOUCHER: null,
  GIFT_VOUCHER: giftCard,
  LOYALTY_CARD: loyaltyCard,
};

/** Those that hold anything. */
const allCards = Object.values(cards).filter((card) => card !== null);

/** A code, a gift card, a loyalty card: whatever has a code of its own. */
export const voucherKind: RedeemableKind = {
  object: "voucher",

  async readNames(db, named, { ids, requests }) {
    const [rows] = await Promise.all([
      findNamedVouchers(db, named.catalogue.project.id, namesOf(named.catalogue, ids)),
      ...allCards.map((card) => card.readNames?.(db, named, requests)),
    ]);
    for (const row of rows) keepVoucherName(named, row);
  },

  // What is spent on rewards asks for keys of what is given.
  findKeys: (catalogue, { ids, asked }, rules_that_count) =>
    asked.some(({ reward }) => reward)
      ? null
      : keysOfVouchers(catalogue.project.id, namesOf(catalogue, ids), rules_that_count),

  async readFacts(db, shared, { ids, asked, requests }, named) {
    const { id: project_id } = shared.catalogue.project;
    const is_recording = named !== undefined;
    const held = { ...locksOf(requests), holding: named ? holdingAmong(named, requests) : [], is_recording };
    const [rows, ...given] = await Promise.all([
      findVouchersToDecide(db, project_id, namesOf(shared.catalogue, ids), held),
      ...allCards.map((card) => card.readFacts?.(db, shared, asked, requests)),
    ]);
    const given_ids = given.flatMap((card_ids) => card_ids ?? []);
    const given_cards = { ...held, holding: given_ids };
    const more =
      given_ids.length === 0
        ? []
        : findVouchersToDecide(db, project_id, namesOf(shared.catalogue, given_ids), given_cards);
    for (const row of [...rows, ...(await more)]) {
      keepVoucher(shared, row);
      if (row.is_held_in_rows) shared.held_in_rows.add(row.id);
    }
  },

  isOutdated: (shared, request, named_as) =>
    named_as.reward !== undefined && allCards.some((card) => card.isOutdated?.(shared, request, named_as)),

  ruled(named, named_as) {
    const voucher = voucherNamed(named, named_as.id);
    if (!voucher) return undefined;
    const { campaign_id, rule_ids } = voucher;
    const campaign = campaignOf(named.catalogue, campaign_id);
    const of_card = named_as.reward ? allCards.flatMap((card) => card.ruleIds?.(named, voucher, named_as) ?? []) : [];
    const of_campaign = campaign ? assignedRules(named.catalogue, campaign.id) : [];
    const rules = rulesOf(named.catalogue, [...rule_ids, ...of_campaign, ...of_card]);
    return { rules, object: "voucher", object_id: voucher.id, campaign_id };
  },

  keys(named, request, named_as) {
    const voucher = voucherNamed(named, named_as.id);
    if (!voucher) return [];
    const { id: project_id } = named.catalogue.project;
    const of_card = named_as.reward
      ? allCards.flatMap((card) => card.keys?.(named, request, voucher, named_as) ?? [])
      : [];
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
      ...cards[voucher.type]?.facts({ shared, request, card: voucher, held: held.credits, named_as }),
      category: categoryFacts(catalogue, voucher.category_id),
      campaign: campaign ? campaignFacts(catalogue, campaign) : null,
      active: voucher.active !== false,
      window: compileWindow(window, catalogue.project.timezone),
      discount: voucher.discount ? compiledDiscount(voucher.discount) : null,
      ...rules,
      publish_count: voucher.publish_count,
      publication_metadata: publicationMetadata(shared, request.customer, voucher.id),
      metadata: voucher.metadata,
    };
  },

  redeem(redeeming) {
    const { change, shared, request, outcome, row } = redeeming;
    const voucher = voucherOf(shared, outcome.redeemable.id);
    if (!voucher) throw new Error(`voucher ${outcome.redeemable.id} was decided on without being read`);
    const card = cards[voucher.type];
    const spent = card?.spent(outcome) ?? 0;
    const session_key = request.session?.key;
    const moved = card ? takeFromCard(voucher, spent, "redeemed", row.day) : { card: voucher, lots: null };
    const after: LockedVoucher = {
      ...moved.card,
      redeemed_quantity: voucher.redeemed_quantity + 1,
      locks: session_key ? withoutLock(voucher.locks, session_key) : voucher.locks,
    };
    keepVoucher(shared, after);
    change.add(books.usage, { voucher_id: voucher.id, quantity: voucher.quantity, redeemed_quantity: 1 });
    if (session_key) change.add(books.sessions, { voucher_id: voucher.id, session_key, expires_at: null });
    if (card) spend(redeeming, card, after, { spent, lots: moved.lots });
    row.amount = card ? spent : null;
    row.voucher_after = voucherAfter(after);
  },

  undoing: {
    keys: (project_id, id) => [{ project_id, kind: "voucher", id }],
    // What a card gives back, and what was given for it, the rollback knows (redemption.md §11).
    undo: (change, id) => change.add(books.usage_returned, id),
  },

  reserve({ change, shared, outcome, session_key, expires_at }) {
    const voucher = voucherOf(shared, outcome.redeemable.id);
    if (!voucher) throw new Error(`voucher ${outcome.redeemable.id} was decided on without being read`);
    const lock = { session_key, credits: cards[voucher.type]?.spent(outcome) ?? 0, expires_at };
    keepVoucher(shared, { ...voucher, locks: withLock(voucher.locks, lock) });
    change.add(books.sessions, { ...lock, voucher_id: voucher.id, expires_at: isoOf(expires_at) });
  },

  async readShown(db, project_id, rows, shared) {
    const ids = [...new Set(rows.flatMap(({ voucher_id }) => voucher_id ?? []))];
    if (ids.length === 0) return () => undefined;
    const vouchers = new Map((await vouchersToShow(db, project_id, ids, shared)).map((one) => [one.id, one]));
    const cardOf = ({ voucher_id }: RedemptionRow) => {
      const voucher = voucher_id === null ? undefined : vouchers.get(voucher_id);
      return voucher ? cards[voucher.type] : null;
    };
    const [bodyOf, shown] = await Promise.all([
      readVouchersShown(db, project_id, [...vouchers.values()]),
      readShownOfCards(db, project_id, rows, cardOf),
    ]);
    return (showing, row) => {
      if (row.voucher_id === null) return undefined;
      const voucher = vouchers.get(row.voucher_id);
      return {
        related_object_type: "voucher",
        related_object_id: row.voucher_id,
        // As the redemption left it.
        voucher: voucher ? bodyOf(showing, { ...voucher, ...row.voucher_after }) : null,
        promotion_tier: null,
        ...(row.amount === null ? {} : cardOf(row)?.shown(row.amount)),
        ...shown(showing, row),
      };
    };
  },
};

/** What happened to a voucher that is in the bin by now is still told of it. */
const vouchersToShow = async (db: Queries, project_id: string, ids: readonly string[], shared: SharedFacts | null) =>
  shared ? ids.flatMap((id) => voucherOf(shared, id) ?? []) : findVouchersByIds(db, project_id, ids, { bin_too: true });

const namesOf = (catalogue: Catalogue, ids: readonly string[]) => ({
  code_keys: ids.map((id) => codeKey(catalogue.project, id)),
  ids: ids.filter((id) => id.startsWith("v_")),
});

/** Those that will turn out to hold something: cards, and what requests say that they have locked. */
function holdingAmong(named: Named, requests: readonly DecidingRequest[]): readonly string[] {
  const holding = requests.flatMap(({ redeemables, session }) =>
    redeemables.flatMap(({ object, id }) => {
      const voucher = object === "voucher" ? voucherNamed(named, id) : undefined;
      return voucher && (session?.key || holds(voucher)) ? voucher.id : [];
    }),
  );
  return [...new Set(holding)];
}

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
function spend(
  redeeming: Redeeming,
  card: Card,
  after: VoucherRow,
  { spent, lots }: { spent: number; lots: readonly Lot[] | null },
): void {
  const id = spent > 0 ? newId("vtx") : null;
  const details = card.give?.(redeeming, after, id) ?? null;
  if (id === null) return;
  const { currency, id: redemption_id, order_id } = redeeming.row;
  const created_at = isoOf(redeeming.request.call.instant);
  const told = {
    id,
    type: card.spending,
    amount: -spent,
    currency,
    redemption_id,
    order_id,
    details,
    lots,
    created_at,
  };
  redeeming.change.add(books.entries, entryOf(after, told));
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
  return (showing, row) => Object.assign({}, ...shown.map((of) => of?.(showing, row)));
}

const voucherAfter = ({ redeemed_quantity, balance, redeemed, lots }: VoucherRow): VoucherAfter => ({
  redeemed_quantity,
  ...(balance === null ? {} : { balance, redeemed: redeemed ?? 0 }),
  ...(lots === null ? {} : { lots: lots.slice(0, 1) }),
});
