import type { Context } from "../../platform/context.js";
import { problems } from "../../platform/http/problems.js";
import { knownCampaign } from "../campaigns/index.js";
import { type ExportSent, startExport } from "../exports/index.js";
import { knownCard } from "../loyalties/members/index.js";
import { knownProgram } from "../loyalties/programs/index.js";
import type { Call } from "../projects/index.js";
import { knownVoucher } from "../vouchers/index.js";
import { pointsExpirationExport, transactionExport } from "./transaction.export.js";

/** `POST /v1/vouchers/:code/transactions/export`. */
export async function exportOfVoucher(context: Context, call: Call, code_or_id: string, sent?: ExportSent) {
  const { id, code } = await knownVoucher(context.db, call, code_or_id);
  return startExport(context, call, transactionExport, sent, { field: "voucher_id", id, name: code });
}

/** The same of a member's card, alone or under its program. */
export async function exportOfMember(
  context: Context,
  call: Call,
  code_or_id: string,
  program: string | null,
  sent?: ExportSent,
) {
  const { id, code } = await knownCard(context.db, call, code_or_id, program);
  return startExport(context, call, transactionExport, sent, { field: "voucher_id", id, name: code });
}

const with_cards: readonly string[] = ["GIFT_VOUCHERS", "LOYALTY_PROGRAM"];

/** `POST /v1/campaigns/:id/transactions/export`: only cards have books (§10.5). */
export async function exportOfCampaign(context: Context, call: Call, id_or_name: string, sent?: ExportSent) {
  const { id, campaign_type } = await knownCampaign(context.db, call.project_id, id_or_name);
  if (!with_cards.includes(campaign_type)) {
    throw problems.forbidden("transactions are allowed only for loyalty or gift campaigns");
  }
  return startExport(context, call, transactionExport, sent, { field: "campaign_id", id, name: id });
}

/** The same of a loyalty program. */
export async function exportOfProgram(context: Context, call: Call, id_or_name: string, sent?: ExportSent) {
  const { id } = await knownProgram(context.db, call.project_id, id_or_name);
  return startExport(context, call, transactionExport, sent, { field: "campaign_id", id, name: id });
}

/** `POST /v1/loyalties/:id/points-expiration/export`. */
export async function exportExpirations(context: Context, call: Call, program: string, sent?: ExportSent) {
  const { id } = await knownProgram(context.db, call.project_id, program);
  return startExport(context, call, pointsExpirationExport, sent, { field: "campaign_id", id, name: id });
}
