import Type, { type Static } from "typebox";
import {
  dateTime,
  filtersQuery,
  integer,
  listOf,
  named,
  nullable,
  oneOf,
  text,
  to_follow,
} from "../../../platform/http/schema.js";
import { VoucherBody } from "../../vouchers/index.js";
import { holding_filter_fields } from "./holding.filters.js";

export const HoldingParams = Type.Object({ customerId: text({ description: "Id or source id." }) });

export const HoldingQuery = Type.Object({
  limit: Type.Optional(integer({ minimum: 1, maximum: 100, description: "Rows on a page; 10 unless given." })),
  order: Type.Optional(
    oneOf(["id", "-id"], { description: "What was given last stands first unless said otherwise." }),
  ),
  starting_after_id: Type.Optional(text({ description: "Only what comes after this one in the order asked for." })),
  filters: filtersQuery(holding_filter_fields),
});
export type HoldingQuery = Static<typeof HoldingQuery>;

const Holding = named(
  "CustomerRedeemable",
  Type.Object({
    id: Type.String({ description: "`rh_…`, of the customer's holding it." }),
    created_at: dateTime(),
    redeemable_id: Type.String(),
    redeemable_object: Type.Literal("voucher"),
    customer_id: Type.String(),
    holder_role: oneOf(["OWNER", "REFERRER", "REFEREE"]),
    campaign_id: nullable(Type.String()),
    campaign_type: nullable(Type.String()),
    voucher_type: oneOf(["DISCOUNT_VOUCHER", "GIFT_VOUCHER", "LOYALTY_CARD"]),
    redeemable: Type.Object({
      type: Type.Literal("voucher"),
      voucher: VoucherBody,
      status: oneOf(["ACTIVE", "USED", "DISABLED", "NOT_ACTIVE_YET", "EXPIRED", "NO_BALANCE"]),
    }),
  }),
);
export type Holding = Static<typeof Holding>;

/** Answer of `GET /v1/customers/{customerId}/redeemables`. */
export const HoldingList = named(
  "CustomerRedeemableList",
  Type.Object({
    ...listOf("data", Holding).properties,
    ...to_follow,
  }),
);
export type HoldingList = Static<typeof HoldingList>;
