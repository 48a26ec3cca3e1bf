import { Problem, problems } from "../../../platform/http/problems.js";
import { invalid } from "../../../terms/index.js";
import { metadataError } from "../../async-actions/index.js";
import type { ImportTurn, RowOutcome, UnreadRow } from "../../imports/index.js";
import { newCode } from "../codes.js";
import { addedVoucher, newVoucher } from "../new-voucher.js";
import type { NewVoucher, VoucherCampaign } from "../voucher.js";
import { assertCode } from "../voucher.service.js";
import type { NewCode } from "../voucher-insert.store.js";
import type { VoucherRowImport } from "./voucher-import.schemas.js";

export type Turn = ImportTurn<object>;

/** A row that waits to be read, by its code as codes are compared. */
export interface Asked {
  key: string;
  unread: UnreadRow<VoucherRowImport>;
  /** Null: it was not read yet, or could not be. */
  row: Row | null;
}

/** Reads it, and of a row whose code is there already what may change of that alone; answers nothing where it cannot be read. */
export function readAsked(asked: Asked, is_known: boolean): Row | null {
  const sent = asked.unread.read(is_known);
  asked.row = sent && { sent, key: asked.key, outcome: null, made: null };
  return asked.row;
}

/** A row on its way: its code, the voucher it will be, or why not. */
export interface Row {
  sent: VoucherRowImport;
  key: string;
  outcome: RowOutcome | null;
  made: (NewCode & NewVoucher) | null;
}

export const madeOf = ({ made, key }: Row) => {
  if (!made) throw new Error(`a row has no voucher: ${key}`);
  return made;
};

/** What voucher the row will be, or why it is refused. */
export function readRow(
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
    // Not spread: of a hundred thousand rows it shows.
    else row.made = Object.assign(voucher, newCode(project, sent.code ?? ""));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    row.outcome = { refused: error.message };
  }
}

/** What is not sent is null. A discount that comes as JSON says how it works; a file may leave that out (§9.1, §9.2). */
function standing(sent: VoucherRowImport, is_file: boolean): NewVoucher {
  if (sent.discount && !sent.discount.effect && !is_file)
    throw invalid("voucher", "Property .discount.effect is required");
  // The category is looked for by name and by id, with those of the other rows.
  const { category: _, ...body } = sent;
  return newVoucher({ ...body, active: sent.active ?? null }, null);
}

/** What it gives is the campaign's, but for the credit or points of a card; one of a campaign that is over starts inactive. */
function joining(sent: VoucherRowImport, campaign: VoucherCampaign, instant: number): NewVoucher {
  const added = addedVoucher(sent, campaign);
  const { gift, loyalty_card } = added;
  const is_over = campaign.expiration_date !== null && campaign.expiration_date < instant;
  // Else they all have the campaign's own, which is sent to the database once.
  if (gift && sent.gift?.amount != null) added.gift = { ...gift, amount: sent.gift.amount };
  if (loyalty_card && sent.loyalty_card?.points != null)
    added.loyalty_card = { ...loyalty_card, points: sent.loyalty_card.points };
  added.active = sent.active ?? !is_over;
  return added;
}

function assertUses({ redeemed_quantity = 0, redeemed_amount = 0 }: VoucherRowImport, voucher: NewVoucher): void {
  if (voucher.quantity !== null && redeemed_quantity > voucher.quantity)
    throw invalid("voucher", "Redeemed Quantity must not be more than the redemptions that are allowed");
  if (voucher.gift && redeemed_amount > voucher.gift.amount)
    throw invalid("voucher", "Redeemed Amount must not be more than the amount of the card");
}

export const codeTaken = ({ sent }: Row): RowOutcome => ({
  refused: problems.duplicate("voucher", sent.code ?? "").message,
});
