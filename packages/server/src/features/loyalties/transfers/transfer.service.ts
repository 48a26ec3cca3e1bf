import { type Day, spendablePoints } from "@guerdon/engine";
import { addToCard, books, entryOf, localDay, takeFromCard } from "../../../books/index.js";
import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Tx } from "../../../platform/db/database.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { type Change, change, readUnderKeys } from "../../../recording/index.js";
import { originOf, refusals } from "../../../terms/index.js";
import type { Call } from "../../projects/index.js";
import { movedEvent } from "../../transactions/index.js";
import { readLastDays, readVoucherBody, type VoucherBody, type VoucherRow } from "../../vouchers/index.js";
import { knownCard } from "../members/index.js";
import type { TransferInput } from "./transfer.schemas.js";

type Transfer = TransferInput[number];

interface Cards {
  receiver: VoucherRow;
  /** In the order of the transfers; a card that gives twice stands there twice. */
  donors: readonly VoucherRow[];
}

/** Hands points of cards over to a card, all of them or none (loyalty.md §3.2). Answers the card that receives. */
export const transferPoints = (
  context: Context,
  call: Call,
  code_or_id: string,
  program: string,
  transfers: TransferInput,
): Promise<VoucherBody> =>
  change(
    context,
    call,
    async (change) => {
      const { tx } = change;
      const found = await readUnderKeys(
        tx,
        () => findCards(tx, call, code_or_id, program, transfers),
        ({ receiver, donors }) =>
          [receiver, ...donors].map(({ id }) => ({ project_id: call.project_id, kind: "voucher" as const, id })),
      );
      const lastDayOf = await readLastDays(tx, call.project_id, [found.receiver.campaign_id]);
      const today = localDay(call.instant, call.project.timezone);
      const days = { today, comes_to: lastDayOf(found.receiver.campaign_id, today) };
      return handOver(change, call, found, transfers, days);
    },
    (receiver, db) => readVoucherBody(context, db, call, receiver),
  );

async function findCards(
  tx: Tx,
  call: Call,
  code_or_id: string,
  program: string,
  transfers: TransferInput,
): Promise<Cards> {
  const receiver = await knownCard(tx, call, code_or_id, program);
  const donors = await Promise.all(transfers.map(({ code }) => knownCard(tx, call, code, null)));
  return { receiver, donors };
}

/** Each transfer on what those before it left. */
function handOver(
  change: Change,
  call: Call,
  found: Cards,
  transfers: TransferInput,
  { today, comes_to }: { today: Day; comes_to: Day | null },
): VoucherRow {
  const cards = new Map([found.receiver, ...found.donors].map((card) => [card.id, card]));
  const now = ({ id }: VoucherRow): VoucherRow => cards.get(id) as VoucherRow;
  for (const [i, transfer] of transfers.entries()) {
    const [donor, receiver] = [now(found.donors[i] as VoucherRow), now(found.receiver)];
    assertTransferable(donor, receiver, transfer, `[${i}]`, today);
    const out = takeFromCard(donor, transfer.points, "subtracted", today);
    const into = addToCard(receiver, transfer.points, comes_to);
    cards.set(donor.id, out.card).set(receiver.id, into.card);
    const ids = { out: newId("vtx"), into: newId("vtx") };
    const given = entryOf(out.card, {
      ...sideOf(call, transfer, "POINTS_TRANSFER_OUT"),
      ...{ id: ids.out, related_transaction_id: ids.into, lots: out.lots },
      details: { destination_voucher: briefly(receiver) },
    });
    const taken = entryOf(into.card, {
      ...sideOf(call, transfer, "POINTS_TRANSFER_IN"),
      ...{ id: ids.into, related_transaction_id: ids.out, lots: into.lots },
      details: { source_voucher: briefly(donor) },
    });
    change.add(books.entries, given, taken);
    change.tell(
      movedEvent("voucher.loyalty_card.points_transferred", given, donor.holder_id),
      movedEvent("voucher.loyalty_card.points_transferred", taken, receiver.holder_id),
    );
  }
  return now(found.receiver);
}

function assertTransferable(
  donor: VoucherRow,
  receiver: VoucherRow,
  { points }: Transfer,
  at: string,
  today: Day,
): void {
  if (donor.id === receiver.id) throw problems.invalidPayload(`Property ${at}.code must not be the receiving card`);
  if (donor.holder_id === null || receiver.holder_id === null)
    throw refusals.invalidAddBalanceParams("Loyalty card must have a holder");
  if (points > spendablePoints({ balance: donor.balance ?? 0, lots: donor.lots ?? [] }, today))
    throw refusals.pointsExceeded(donor.code);
  if (!Number.isSafeInteger((receiver.added ?? 0) + points))
    throw refusals.invalidAddBalanceParams("Balance cannot be that high");
}

/** A card as the books of the other one name it. */
const briefly = ({ created_at, ...card }: VoucherRow) => ({
  ...{ id: card.id, code: card.code, type: card.type, campaign_id: card.campaign_id },
  created_at: isoOf(created_at),
  object: "voucher",
});

/** What the books say of one side of a transfer. */
const sideOf = (
  { project, caller, label, instant }: Call,
  { points, reason, source_id }: Transfer,
  type: "POINTS_TRANSFER_IN" | "POINTS_TRANSFER_OUT",
) => ({
  type,
  amount: type === "POINTS_TRANSFER_IN" ? points : -points,
  currency: project.currency,
  source_id,
  source: label || originOf(caller),
  reason,
  created_at: isoOf(instant),
});
