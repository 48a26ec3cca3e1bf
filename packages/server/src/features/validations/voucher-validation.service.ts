import { applicableView, type Deciding, rewardOf, type SingleBody, voucherOf } from "../../deciding/index.js";
import { isoOf } from "../../platform/clock.js";
import { campaignShelf } from "../campaigns/index.js";
import type { Call } from "../projects/index.js";
import { type Granted, validateSingle } from "./single-validation.js";
import type { VoucherValidationBody } from "./validation.schemas.js";

/**
 * `POST /v1/vouchers/{code}/validate`: the older call for one voucher.
 * @param unknown_code what a code that nobody has is to the caller: an error, or an answer like any other refusal
 */
export const validateVoucher = (
  deciding: Deciding,
  call: Call,
  code: string,
  { gift, reward, ...situation }: SingleBody,
  unknown_code: "error" | "answer" = "error",
): Promise<VoucherValidationBody> =>
  validateSingle<Omit<VoucherValidationBody, "tracking_id">>(
    deciding,
    call,
    { object: "voucher", id: code, gift, reward },
    situation,
    {
      ...(unknown_code === "answer" ? { unknown: "voucher not found" } : {}),
      granted: (granted) => toVoucherValidation(granted, code),
      refused: (refused, { request, outcome: { redeemable } }) => ({
        ...refused,
        code: "code" in redeemable ? redeemable.code : redeemable.id,
        metadata: request.metadata,
      }),
    },
  );

function toVoucherValidation(granted: Granted, code: string) {
  const { shared, request, outcome, shown, stored, session } = granted;
  const voucher = voucherOf(shared, code);
  if (!voucher) throw new Error("a voucher that applies has been read");
  const campaign = voucher.campaign_id ? shared.catalogue.shelf(campaignShelf).get(voucher.campaign_id) : undefined;
  const { order, applicable_to, inapplicable_to, result } = applicableView(shared, request, outcome, shown, stored);
  return {
    valid: true,
    code: voucher.code,
    ...(result.discount ? { discount: result.discount } : {}),
    ...("gift" in outcome.result
      ? {
          gift: {
            amount: voucher.added,
            balance: outcome.result.gift.balance,
            effect: voucher.gift?.effect ?? "APPLY_TO_ORDER",
          },
        }
      : {}),
    ...pointsOf(granted),
    ...(order ? { order } : {}),
    applicable_to,
    inapplicable_to,
    campaign: campaign?.name ?? null,
    campaign_id: campaign?.id ?? null,
    start_date: isoOf(voucher.start_date) ?? undefined,
    expiration_date: isoOf(voucher.expiration_date) ?? undefined,
    metadata: voucher.metadata,
    ...(session ? { session } : {}),
  };
}

/** What a loyalty card would spend, and on what. */
function pointsOf({ shared, outcome }: Granted) {
  if (!("loyalty_card" in outcome.result)) return {};
  const { points } = outcome.result.loyalty_card;
  const { reward, assignment } = rewardOf(shared, outcome);
  return { loyalty: { points_cost: points }, reward: { id: reward.id, assignment_id: assignment.id, points } };
}
