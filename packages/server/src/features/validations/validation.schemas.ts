import Type, { type Static } from "typebox";
import {
  InapplicableSchema,
  OrderViewSchema,
  RedeemableSchema,
  SessionSchema,
  SkippedSchema,
  StackingRulesSchema,
} from "../../deciding/index.js";
import { dateTime, listOf, metadata, named, nullable, oneOf, pageQuery, text } from "../../platform/http/schema.js";

const maybeText = () => Type.Optional(Type.String());
const open = () => Type.Unsafe<object>(Type.Record(Type.String(), Type.Unknown()));

/** Answer of `POST /v1/validations` (redemption.md §6). */
export const ValidationBody = named(
  "Validation",
  Type.Object({
    id: Type.String(),
    valid: Type.Boolean(),
    redeemables: Type.Array(RedeemableSchema),
    inapplicable_redeemables: Type.Optional(Type.Array(InapplicableSchema)),
    skipped_redeemables: Type.Optional(Type.Array(SkippedSchema)),
    order: Type.Optional(OrderViewSchema),
    tracking_id: maybeText(),
    session: Type.Optional(SessionSchema),
    stacking_rules: StackingRulesSchema,
  }),
);
export type ValidationBody = Static<typeof ValidationBody>;

/** Answer of `POST /v1/vouchers/{code}/validate` (redemption.md §15). */
export const VoucherValidationBody = named(
  "VoucherValidation",
  Type.Object({
    valid: Type.Boolean(),
    code: Type.String(),
    discount: Type.Optional(open()),
    gift: Type.Optional(open()),
    loyalty: Type.Optional(Type.Object({ points_cost: Type.Integer() })),
    reward: Type.Optional(Type.Object({ id: Type.String(), assignment_id: Type.String(), points: Type.Integer() })),
    order: Type.Optional(OrderViewSchema),
    applicable_to: Type.Optional(open()),
    inapplicable_to: Type.Optional(open()),
    campaign: Type.Optional(nullable(Type.String())),
    campaign_id: Type.Optional(nullable(Type.String())),
    start_date: maybeText(),
    expiration_date: maybeText(),
    metadata: metadata(),
    tracking_id: nullable(Type.String()),
    session: Type.Optional(SessionSchema),
    reason: maybeText(),
    error: Type.Optional(open()),
  }),
);
export type VoucherValidationBody = Static<typeof VoucherValidationBody>;

/** A lock that a validation has put on a voucher. */
const VoucherSessionBody = named(
  "VoucherSession",
  Type.Object({
    key: Type.String(),
    type: oneOf(["LOCK"]),
    voucher_id: Type.String(),
    code: Type.String(),
    quantity: Type.Integer({ description: "Redemptions that it reserves." }),
    credits: Type.Integer({ description: "Credits in minor units, or points, that it reserves of a card." }),
    expires_at: dateTime(),
    object: Type.Literal("session"),
  }),
);
export const VoucherSessionList = named("VoucherSessionList", listOf("sessions", VoucherSessionBody));

export const SessionQuery = Type.Object(pageQuery(100));
export type SessionQuery = Static<typeof SessionQuery>;

export const SessionParams = Type.Object({ code: text(), sessionKey: text() });
export const CodeParams = Type.Object({ code: text({ description: "Code or id of the voucher." }) });
