import type { Context } from "../../../platform/context.js";
import type { Queries } from "../../../platform/db/database.js";
import { problems } from "../../../platform/http/problems.js";
import { originOf } from "../../../terms/index.js";
import type { Call } from "../../projects/index.js";
import { publish } from "../../publications/index.js";
import {
  knownVoucher,
  readVoucherBody,
  readVouchers,
  type VoucherBody,
  type VoucherRow,
} from "../../vouchers/index.js";
import { knownProgram } from "../programs/index.js";
import type { MemberCreate, MemberQuery } from "./member.schemas.js";

const channel_length_max = 255;

/** `POST /v1/loyalties/:campaignId/members`: publishes a card to a customer and answers the card (loyalty.md §2.1). */
export async function addMember(
  context: Context,
  call: Call,
  id_or_name: string,
  input: MemberCreate,
): Promise<VoucherBody> {
  const { customer, voucher, source_id, metadata, channel } = input;
  if (!customer.id && !customer.source_id)
    throw problems.invalidPayload("Property .customer should have required property 'source_id'");
  const program = await knownProgram(context.db, call.project_id, id_or_name);
  const request = {
    customer,
    campaign_id: program.id,
    code: voucher ?? null,
    source_id: source_id || null,
    metadata: metadata ?? {},
    channel: (channel || call.label || originOf(call.caller)).slice(0, channel_length_max),
    join_once: false,
    count: 1,
  };
  return publish(context, call, request, ({ vouchers: [card] }, db) => readVoucherBody(context, db, call, card));
}

/** The cards of a program that somebody holds. */
export async function readMembers(context: Context, call: Call, id_or_name: string, query: MemberQuery) {
  const program = await knownProgram(context.db, call.project_id, id_or_name);
  return readVouchers(context, call, query, { campaign_id: program.id, is_published: true });
}

export async function readMember(
  context: Context,
  call: Call,
  code_or_id: string,
  program_id_or_name: string | null,
): Promise<VoucherBody> {
  const card = await knownCard(context.db, call, code_or_id, program_id_or_name);
  return readVoucherBody(context, context.db, call, card);
}

/** A card, by its code or id; with a program named, one of that program's (loyalty.md §2.3). */
export async function knownCard(
  db: Queries,
  call: Call,
  code_or_id: string,
  program_id_or_name: string | null,
): Promise<VoucherRow> {
  const program = program_id_or_name === null ? null : await knownProgram(db, call.project_id, program_id_or_name);
  const card = await knownVoucher(db, call, code_or_id);
  const is_card = card.type === "LOYALTY_CARD" && (program === null || card.campaign_id === program.id);
  if (!is_card) throw problems.notFound("voucher", code_or_id);
  return card;
}
