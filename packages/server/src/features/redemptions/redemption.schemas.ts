import { single_objects } from "@guerdon/engine";
import Type, { type Static } from "typebox";
import {
  InapplicableSchema,
  OrderViewSchema,
  SingleBody,
  SkippedSchema,
  tracking_id_length_max,
} from "../../deciding/index.js";
import { metadataOf } from "../../platform/http/metadata.js";
import {
  between,
  dateTime,
  filtersQuery,
  integer,
  listOf,
  listQuery,
  longText,
  metadata,
  named,
  nullable,
  oneOf,
  text,
} from "../../platform/http/schema.js";
import { CustomerInputSchema, SimpleCustomer } from "../customers/index.js";
import { RewardParametersBody } from "../rewards/index.js";
import { redemption_filter_fields } from "./redemption-list.filters.js";

const open = () => Type.Record(Type.String(), Type.Unknown());
const maybeText = () => Type.Optional(Type.String());

/** What the points of a loyalty card were spent on. */
const RewardGiven = named(
  "RewardGiven",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: oneOf(["CAMPAIGN", "COIN", "MATERIAL"]),
    parameters: Type.Optional(RewardParametersBody),
    metadata: Type.Optional(metadata()),
    created_at: Type.Optional(dateTime()),
    updated_at: Type.Optional(nullable(dateTime())),
    assignment_id: Type.String(),
    customer: nullable(SimpleCustomer),
    voucher: nullable(open()),
    product: nullable(open()),
    sku: nullable(open()),
    loyalty_tier_id: nullable(Type.String()),
    object: Type.Literal("reward"),
  }),
);

/** A redemption, a failed one or a rollback (redemption.md §8, §10, §11). */
export const RedemptionBody = named(
  "Redemption",
  Type.Object({
    id: Type.String(),
    object: oneOf(["redemption", "redemption_rollback"]),
    date: dateTime(),
    customer_id: nullable(Type.String()),
    tracking_id: nullable(Type.String()),
    metadata: nullable(metadata()),
    amount: Type.Optional(integer({ description: "Credits or points spent; negative on a rollback." })),
    redemption: nullable(Type.String({ description: "The parent of a child, the redemption that a rollback undoes." })),
    reason: maybeText(),
    result: oneOf(["SUCCESS", "FAILURE"]),
    status: oneOf(["SUCCEEDED", "FAILED", "ROLLED_BACK"]),
    session: Type.Optional(Type.Object({ key: Type.String() })),
    related_redemptions: Type.Optional(open()),
    failure_code: maybeText(),
    failure_message: maybeText(),
    order: nullable(OrderViewSchema),
    channel: open(),
    customer: nullable(SimpleCustomer),
    related_object_type: oneOf([...single_objects, "redemption"]),
    related_object_id: Type.String(),
    voucher: nullable(open()),
    promotion_tier: nullable(open()),
    gift: Type.Optional(Type.Object({ amount: integer() })),
    loyalty_card: Type.Optional(Type.Object({ points: integer() })),
    reward: Type.Optional(RewardGiven),
  }),
);
export type RedemptionBody = Static<typeof RedemptionBody>;

/** Answer of `POST /v1/redemptions`. */
export const RedemptionsBody = named(
  "Redemptions",
  Type.Object({
    redemptions: Type.Array(RedemptionBody),
    parent_redemption: Type.Optional(RedemptionBody),
    order: Type.Optional(OrderViewSchema),
    inapplicable_redeemables: Type.Array(InapplicableSchema),
    skipped_redeemables: Type.Array(SkippedSchema),
  }),
);
export type RedemptionsBody = Static<typeof RedemptionsBody>;

export const RedemptionList = named("RedemptionList", listOf("redemptions", RedemptionBody));

const sorted_by = ["created_at", "id", "voucher_code", "tracking_id", "customer_id"] as const;
export type RedemptionOrder = (typeof sorted_by)[number] | `-${(typeof sorted_by)[number]}`;
const redemption_orders = sorted_by.flatMap((name): RedemptionOrder[] => [name, `-${name}`]);

const results = ["SUCCESS", "FAILURE"] as const;

export const RedemptionQuery = Type.Object({
  ...listQuery(99),
  result: Type.Optional(Type.Union([oneOf(results), Type.Array(oneOf(results))])),
  campaign: Type.Optional(text({ description: "Name of a campaign." })),
  customer: Type.Optional(text({ description: "Id or source id." })),
  order: Type.Optional(oneOf(redemption_orders, { description: "Newest first unless given." })),
  created_at: between(),
  filters: filtersQuery(redemption_filter_fields),
});
export type RedemptionQuery = Static<typeof RedemptionQuery>;

export const RedemptionParams = Type.Object({ redemptionId: text() });
export const CodeParams = Type.Object({ code: text({ description: "Code or id of the voucher." }) });
const tracking_id = () => text({ maxLength: tracking_id_length_max });
export const TrackingQuery = Type.Object({ tracking_id: Type.Optional(tracking_id()) });

/** Body of the calls that redeem a member's card: the member is the one who holds it. */
export const MemberRedemptionInput = named(
  "MemberRedemptionInput",
  Type.Object({
    reward: SingleBody.properties.reward,
    order: SingleBody.properties.order,
    metadata: SingleBody.properties.metadata,
  }),
);
export type MemberRedemptionInput = Static<typeof MemberRedemptionInput>;

/** Body of both rollback calls; all of it may be left out. */
export const RollbackInput = named(
  "RollbackInput",
  Type.Object({
    reason: Type.Optional(nullable(longText())),
    tracking_id: Type.Optional(nullable(tracking_id())),
    customer: Type.Optional(nullable(CustomerInputSchema)),
    order: Type.Optional(
      nullable(Type.Object({ id: Type.Optional(nullable(text())), source_id: Type.Optional(nullable(text())) })),
    ),
    metadata: Type.Optional(nullable(metadataOf("redemption"))),
  }),
);
export type RollbackInput = Static<typeof RollbackInput>;

export const RollbackQuery = Type.Object({ reason: Type.Optional(text()), tracking_id: Type.Optional(tracking_id()) });
export type RollbackQuery = Static<typeof RollbackQuery>;

/** Answer of `POST /v1/redemptions/{id}/rollbacks`. */
export const RollbacksBody = named(
  "Rollbacks",
  Type.Object({
    rollbacks: Type.Array(RedemptionBody),
    parent_rollback: Type.Optional(RedemptionBody),
    order: Type.Optional(OrderViewSchema),
  }),
);
export type RollbacksBody = Static<typeof RollbacksBody>;

/** Answer of `GET /v1/vouchers/{code}/redemption`: counters and entries (redemption.md §17). */
export const VoucherRedemptionBody = named(
  "VoucherRedemptions",
  Type.Object({
    quantity: nullable(integer()),
    redeemed_quantity: integer(),
    redeemed_amount: Type.Optional(integer()),
    redeemed_points: Type.Optional(integer()),
    object: Type.Literal("list"),
    url: Type.String(),
    data_ref: Type.Literal("redemption_entries"),
    total: integer(),
    redemption_entries: Type.Array(RedemptionBody),
  }),
);
