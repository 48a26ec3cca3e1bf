import { books, findPending, listPending, localDay, type PendingPoints } from "../../../books/index.js";
import type { Context } from "../../../platform/context.js";
import type { Tx } from "../../../platform/db/database.js";
import { listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { countsOf, pageOf } from "../../../platform/listing/index.js";
import { change, readUnderKeys } from "../../../recording/index.js";
import { refusals } from "../../../terms/index.js";
import type { Call } from "../../projects/index.js";
import { readLastDays, type VoucherRow } from "../../vouchers/index.js";
import { knownCard } from "../members/index.js";
import { knownProgram } from "../programs/index.js";
import { activate } from "./activation.js";
import { pendingEvent } from "./pending-points.events.js";
import {
  type ActivatedPoints,
  type PendingPointsBalance,
  type PendingPointsList,
  type PendingPointsQuery,
  toPendingPointsBody,
} from "./pending-points.schemas.js";

export async function readPendingOfProgram(
  context: Context,
  call: Call,
  id_or_name: string,
  query: PendingPointsQuery,
): Promise<PendingPointsList> {
  const { id } = await knownProgram(context.db, call.project_id, id_or_name);
  return readPending(context, call, { campaign_id: id }, query);
}

/** Of a member's card, alone or under its program. */
export async function readPendingOfMember(
  context: Context,
  call: Call,
  code_or_id: string,
  program: string | null,
  query: PendingPointsQuery,
): Promise<PendingPointsList> {
  const { id } = await knownCard(context.db, call, code_or_id, program);
  return readPending(context, call, { voucher_id: id }, query);
}

async function readPending(
  { db }: Context,
  { project_id }: Call,
  of: Parameters<typeof listPending>[2],
  query: PendingPointsQuery,
): Promise<PendingPointsList> {
  const page = pageOf(query);
  const listed = await listPending(db, project_id, of, query.order ?? "-id", page);
  const { has_more } = listed;
  const last = listed.rows.at(-1);
  return {
    ...listBody("data", listed.rows.map(toPendingPointsBody), countsOf(listed, page)),
    has_more,
    ...(has_more && last ? { more_starting_after: last.id } : {}),
  };
}

/** `POST …/activate`: before their day, with all that follows from it on their day. */
export async function activatePoints(
  context: Context,
  call: Call,
  code_or_id: string,
  id: string,
): Promise<ActivatedPoints> {
  return change(context, call, async (change) => {
    const { card, pending } = await pendingUnderKey(change.tx, call, code_or_id, id, "activated");
    const day = localDay(call.instant, call.project.timezone);
    const lastDay = await readLastDays(change.tx, call.project_id, [pending.campaign_id]);
    const activated = activate(change, call.project, card, pending, { day, lastDay, operation_type: "MANUAL" });
    if (!activated) throw refusals.invalidAmount();
    return {
      points: pending.points,
      total: activated.entry.total,
      balance: activated.entry.balance,
      type: "loyalty_card",
      ...ofCard(card),
    };
  });
}

/** `POST …/balance`: more or less of them; their day stays. */
export async function adjustPoints(
  context: Context,
  call: Call,
  code_or_id: string,
  id: string,
  points: number,
): Promise<PendingPointsBalance> {
  return change(context, call, async ({ tx, add, tell }) => {
    const { card, pending } = await pendingUnderKey(tx, call, code_or_id, id, "updated");
    const left = pending.points + points;
    const total = (card.pending ?? 0) + points;
    // What the card could not hold one day would be lost in that night.
    const is_too_much = points > 0 && !Number.isSafeInteger((card.added ?? 0) + total);
    if (points === 0 || left <= 0 || is_too_much) throw refusals.invalidAmount();
    const adjusted = { ...pending, points: left, updated_at: call.instant };
    add(books.pending_moved, adjusted);
    tell(pendingEvent("updated", { pending_points: adjusted, points, total, operation_type: "MANUAL" }));
    return { points, total, ...ofCard(card) };
  });
}

/** `POST …/cancel`: they will be nobody's. */
export async function cancelPoints(context: Context, call: Call, code_or_id: string, id: string): Promise<null> {
  return change(context, call, async ({ tx, add, tell }) => {
    const { card, pending } = await pendingUnderKey(tx, call, code_or_id, id, "canceled");
    const canceled: PendingPoints = { ...pending, status: "CANCELED", updated_at: call.instant };
    const total = (card.pending ?? 0) - pending.points;
    add(books.pending_moved, canceled);
    tell(
      pendingEvent("canceled", { pending_points: canceled, points: -pending.points, total, operation_type: "MANUAL" }),
    );
    return null;
  });
}

const ofCard = ({ id }: VoucherRow) => ({
  object: "balance" as const,
  related_object: { type: "voucher" as const, id },
  operation_type: "MANUAL" as const,
});

/** The card and the points, under the card's key; those of another card are none (loyalty.md §5). */
async function pendingUnderKey(
  tx: Tx,
  call: Call,
  code_or_id: string,
  id: string,
  done: "activated" | "updated" | "canceled",
): Promise<{ card: VoucherRow; pending: PendingPoints }> {
  const { project_id } = call;
  const found = await readUnderKeys(
    tx,
    async () => {
      const card = await knownCard(tx, call, code_or_id, null);
      const pending = await findPending(tx, project_id, card.id, id);
      if (!pending) throw problems.notFound("pending_points", id);
      return { card, pending };
    },
    ({ card }) => [{ project_id, kind: "voucher", id: card.id }],
  );
  if (found.pending.status !== "PENDING") throw refusals.invalidPendingPointsState(done, found.pending.status);
  return found;
}
