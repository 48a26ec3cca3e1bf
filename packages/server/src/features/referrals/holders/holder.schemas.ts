import Type, { type Static } from "typebox";
import { metadataOf } from "../../../platform/http/metadata.js";
import {
  dateTime,
  filtersQuery,
  integer,
  listOf,
  metadata,
  named,
  nullable,
  oneOf,
  text,
  to_follow,
} from "../../../platform/http/schema.js";
import { CustomerInputSchema } from "../../customers/index.js";
import { holder_filter_fields } from "./holder.filters.js";

/** Customers that one request makes referees at most. */
const holders_max = 100;

const memberId = text({ minLength: 1, description: "Code or id of the referral code." });
const campaignId = text({ minLength: 1, description: "Id or name." });
const holderId = text({ minLength: 1 });
export const CodeParams = Type.Object({ memberId });
export const CodeOfCampaignParams = Type.Object({ campaignId, memberId });
export const HolderParams = Type.Object({ memberId, holderId });
export const HolderOfCampaignParams = Type.Object({ campaignId, memberId, holderId });

/** Body of `POST …/holders`. */
export const HoldersCreate = named(
  "ReferralHoldersCreate",
  Type.Object({
    holders: Type.Array(CustomerInputSchema, { minItems: 1, maxItems: holders_max }),
    metadata: Type.Optional(nullable(metadataOf("publication"))),
  }),
);
export type HoldersCreate = Static<typeof HoldersCreate>;

export const HolderBody = named(
  "ReferralHolder",
  Type.Object({
    id: Type.String({ description: "`rh_…`" }),
    created_at: dateTime(),
    redeemable_id: Type.String(),
    redeemable_object: Type.Literal("voucher"),
    customer_id: Type.String(),
    holder_role: oneOf(["OWNER", "REFERRER", "REFEREE"]),
    campaign_id: Type.String(),
    campaign_type: Type.Literal("REFERRAL_PROGRAM"),
    voucher_type: Type.Literal("DISCOUNT_VOUCHER"),
    metadata: Type.Optional(metadata()),
    object: Type.Literal("redeemable_holder"),
  }),
);
export type HolderBody = Static<typeof HolderBody>;

export const HoldersCreated = named("ReferralHoldersCreated", Type.Object({ holders: Type.Array(HolderBody) }));
export type HoldersCreated = Static<typeof HoldersCreated>;

export const HolderQuery = Type.Object({
  limit: Type.Optional(integer({ minimum: 1, maximum: 100, description: "Rows on a page; 10 unless given." })),
  order: Type.Optional(oneOf(["id", "-id"], { description: "Who came last stands first unless said otherwise." })),
  starting_after_id: Type.Optional(text({ description: "Only what comes after this one in the order asked for." })),
  filters: filtersQuery(holder_filter_fields),
});
export type HolderQuery = Static<typeof HolderQuery>;

/** Answer of `GET …/holders`. */
export const HolderList = named(
  "ReferralHolderList",
  Type.Object({
    ...listOf("data", HolderBody).properties,
    ...to_follow,
  }),
);
export type HolderList = Static<typeof HolderList>;
