import Type, { type Static } from "typebox";
import type { PendingPoints } from "../../../books/index.js";
import { isoOf } from "../../../platform/clock.js";
import { dateTime, integer, listOf, named, oneOf, text } from "../../../platform/http/schema.js";
import { CardParams } from "../members/index.js";

const PendingPointsBody = named(
  "PendingPoints",
  Type.Object({
    id: Type.String(),
    voucher_id: Type.String(),
    campaign_id: Type.String(),
    customer_id: Type.String(),
    order_id: Type.String(),
    points: integer(),
    activates_at: Type.String({
      format: "date",
      description: "The day, where the project is, that they can be spent from.",
    }),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description: "What they came from: the order, the rule, the event, and the tier of their member.",
    }),
    created_at: dateTime(),
    updated_at: Type.Optional(dateTime()),
  }),
);
type PendingPointsBody = Static<typeof PendingPointsBody>;

/** Pending points as answered. */
export const toPendingPointsBody = ({
  activates_on,
  created_at,
  updated_at,
  ...pending
}: PendingPoints): PendingPointsBody => ({
  id: pending.id,
  voucher_id: pending.voucher_id,
  campaign_id: pending.campaign_id,
  customer_id: pending.customer_id,
  order_id: pending.order_id,
  points: pending.points,
  activates_at: activates_on,
  details: pending.details,
  created_at: isoOf(created_at),
  ...(updated_at === null ? {} : { updated_at: isoOf(updated_at) }),
});

/** The reference has no `total` here; it is said as in every list of ours. */
export const PendingPointsList = named(
  "PendingPointsList",
  Type.Object({
    ...listOf("data", PendingPointsBody).properties,
    has_more: Type.Boolean(),
    more_starting_after: Type.Optional(Type.String()),
  }),
);
export type PendingPointsList = Static<typeof PendingPointsList>;

export const PendingPointsQuery = Type.Object({
  limit: Type.Optional(integer({ minimum: 1, maximum: 100, description: "Rows on a page; 10 unless given." })),
  order: Type.Optional(oneOf(["id", "-id"], { description: "Newest first unless given." })),
  starting_after_id: Type.Optional(text({ description: "Only what comes after this one in the order asked for." })),
});
export type PendingPointsQuery = Static<typeof PendingPointsQuery>;

export const PendingPointsParams = Type.Object({ ...CardParams.properties, pendingPointsId: text({ minLength: 1 }) });

/** Body of `POST …/pending-points/:pendingPointsId/balance`. */
export const PendingPointsInput = named(
  "PendingPointsInput",
  Type.Object({ points: integer({ description: "What is negative is taken away; some must be left." }) }),
);

const of_card = {
  object: Type.Literal("balance"),
  related_object: Type.Object({ type: Type.Literal("voucher"), id: Type.String() }),
  operation_type: oneOf(["MANUAL"]),
};

export const PendingPointsBalance = named(
  "PendingPointsBalance",
  Type.Object({
    points: integer({ description: "As sent." }),
    total: integer({ description: "All that pends on the card." }),
    ...of_card,
  }),
);
export type PendingPointsBalance = Static<typeof PendingPointsBalance>;

export const ActivatedPoints = named(
  "ActivatedPoints",
  Type.Object({
    points: integer({ description: "That pended, and can be spent now." }),
    total: integer({ description: "Ever added, less what was taken away or has expired." }),
    balance: integer({ description: "What can be spent." }),
    type: oneOf(["loyalty_card"]),
    ...of_card,
  }),
);
export type ActivatedPoints = Static<typeof ActivatedPoints>;
