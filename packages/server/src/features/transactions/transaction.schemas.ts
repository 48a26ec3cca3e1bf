import Type, { type Static } from "typebox";
import {
  dateTime,
  filtersQuery,
  integer,
  listOf,
  longText,
  named,
  nullable,
  oneOf,
  text,
  to_follow,
} from "../../platform/http/schema.js";
import { campaign_transaction_filter_fields, transaction_filter_fields } from "./transaction.filters.js";

const related_object = Type.Object({ type: Type.Literal("voucher"), id: Type.String() });

/** Body of `POST /v1/vouchers/:code/balance`. */
export const BalanceInput = named(
  "BalanceInput",
  Type.Object({
    amount: integer({
      description: "Credits in minor units, points on a loyalty card; what is negative is taken away.",
    }),
    source_id: Type.Optional(nullable(text({ description: "The caller's own id; it may come again." }))),
    reason: Type.Optional(nullable(longText())),
  }),
);
export type BalanceInput = Static<typeof BalanceInput>;

/** Body of `POST /v1/loyalties/members/:memberId/balance`. */
export const PointsInput = named(
  "PointsInput",
  Type.Object({
    points: integer({ description: "What is negative is taken away." }),
    expiration_type: Type.Optional(
      nullable(
        oneOf(["PROGRAM_RULES", "NON_EXPIRING", "CUSTOM_DATE"], {
          description:
            "When they expire: by the rules of the program unless given. Of no account where points are taken.",
        }),
      ),
    ),
    expiration_date: Type.Optional(
      nullable(dateTime("The last day, where the project is; of no account but for CUSTOM_DATE, which needs it.")),
    ),
    source_id: BalanceInput.properties.source_id,
    reason: BalanceInput.properties.reason,
  }),
);
export type PointsInput = Static<typeof PointsInput>;

const amount_as_sent = integer({ description: "As sent." });

/** What was added, and what is there now. */
export const BalanceBody = named(
  "Balance",
  Type.Object({
    amount: amount_as_sent,
    total: integer({ description: "Ever added, less what was taken away or has expired." }),
    balance: integer({ description: "What can be spent." }),
    type: oneOf(["gift_voucher", "loyalty_card"]),
    operation_type: oneOf(["MANUAL"]),
    object: Type.Literal("balance"),
    related_object,
  }),
);
export type BalanceBody = Static<typeof BalanceBody>;

const { amount: _amount, ...balance } = BalanceBody.properties;
export const PointsBalanceBody = named("PointsBalance", Type.Object({ points: amount_as_sent, ...balance }));
export type PointsBalanceBody = Static<typeof PointsBalanceBody>;

/** A line of a card's books (vouchers-and-campaigns.md §14.2). */
export const TransactionBody = named(
  "VoucherTransaction",
  Type.Object({
    id: Type.String(),
    source_id: nullable(Type.String()),
    voucher_id: Type.String(),
    campaign_id: nullable(Type.String()),
    source: nullable(Type.String()),
    reason: nullable(Type.String()),
    type: Type.String(),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description: "The balance after it, and what it came from: an order, a redemption, a reward, a rule.",
    }),
    related_transaction_id: nullable(Type.String()),
    created_at: dateTime(),
  }),
);
export type TransactionBody = Static<typeof TransactionBody>;

/** The reference has no `total` here; it is said as in every list of ours. */
export const TransactionList = named(
  "VoucherTransactionList",
  Type.Object({
    ...listOf("data", TransactionBody).properties,
    ...to_follow,
  }),
);
export type TransactionList = Static<typeof TransactionList>;

const orders = ["id", "-id"] as const;

export const TransactionQuery = Type.Object({
  limit: Type.Optional(integer({ minimum: 1, maximum: 100, description: "Rows on a page; 10 unless given." })),
  order: Type.Optional(oneOf(orders, { description: "Newest first unless given." })),
  starting_after_id: Type.Optional(text({ description: "Only what comes after this one in the order asked for." })),
});
export const FilteredTransactionQuery = Type.Object({
  ...TransactionQuery.properties,
  filters: filtersQuery(transaction_filter_fields),
});
export type FilteredTransactionQuery = Static<typeof FilteredTransactionQuery>;

export const CampaignTransactionQuery = Type.Object({
  ...TransactionQuery.properties,
  filters: filtersQuery(campaign_transaction_filter_fields),
});
