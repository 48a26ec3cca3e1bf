import Type, { type Static } from "typebox";
import { dateTime, integer, listOf, named, nullable, oneOf, pageQuery } from "../../../platform/http/schema.js";

/** Points of a card that expire together, or do not expire (loyalty.md §6.3). */
export const BucketBody = named(
  "LoyaltyPointsBucket",
  Type.Object({
    id: Type.String(),
    voucher_id: Type.String(),
    campaign_id: nullable(Type.String()),
    bucket: Type.Object({ total_points: integer({ description: "What is left." }) }),
    status: oneOf(["ACTIVE", "EXPIRED"]),
    expires_at: Type.Optional(
      Type.String({ format: "date", description: "The last day; absent where they do not expire." }),
    ),
    created_at: dateTime(),
    updated_at: Type.Optional(dateTime()),
    object: Type.Literal("loyalty_points_bucket"),
  }),
);
export type BucketBody = Static<typeof BucketBody>;

export const BucketList = listOf("data", BucketBody);
export type BucketList = Static<typeof BucketList>;

export const BucketQuery = Type.Object(pageQuery(100));
export type BucketQuery = Static<typeof BucketQuery>;
