import { type Problem, refusal } from "../../platform/http/problems.js";

/** Why a code is not given (vouchers-and-campaigns.md §11.2). */
export const refusals = {
  duplicateSourceId: (source_id: string): Problem =>
    refusal(
      400,
      "duplicate_source_id",
      "Duplicate source_id",
      `Publication with source_id: '${source_id}' already exists`,
    ),
  alreadyJoined: (): Problem =>
    refusal(
      400,
      "voucher_cannot_be_published",
      "Voucher cannot be published",
      "Voucher cannot be published. Customer already joined program.",
    ),
  alreadyPublished: (voucher_id: string): Problem =>
    refusal(
      400,
      "voucher_already_published",
      "Voucher already published",
      `Voucher with id ${voucher_id} is already published`,
      { resource_id: voucher_id, resource_type: "voucher" },
    ),
  noneSuitable: (): Problem =>
    refusal(400, "no_voucher_suitable_for_publication", "Couldn't find any voucher suitable for publication"),
};
