import { scenarios } from "@guerdon/engine";
import Type, { type Static } from "typebox";
import { ApplicableItemsSchema, OrderViewSchema, StackingRulesSchema, situation } from "../../deciding/index.js";
import { dateTime, integer, metadata, money, named, nullable, oneOf, text } from "../../platform/http/schema.js";
import { RuleAssignments } from "../validation-rules/index.js";
import { QualificationFilters } from "./qualification.filters.js";

const Options = named(
  "QualificationOptions",
  Type.Object({
    limit: Type.Optional(nullable(integer({ minimum: 1, maximum: 50, description: "5 unless given." }))),
    starting_after: Type.Optional(
      nullable(
        text({ description: "`more_starting_after` of the page before, or the `created_at` of its last entry." }),
      ),
    ),
    sorting_rule: Type.Optional(nullable(oneOf(["DEFAULT", "BEST_DEAL", "LEAST_DEAL"]))),
    expand: Type.Optional(
      nullable(Type.Array(oneOf(["redeemable", "category", "validation_rules"]), { maxItems: 10 })),
    ),
    filters: Type.Optional(nullable(QualificationFilters)),
  }),
);

/** Body of `POST /v1/qualifications` (redemption.md §13.1). */
export const QualificationBody = named(
  "QualificationRequest",
  Type.Object({
    ...situation,
    scenario: Type.Optional(nullable(oneOf(scenarios))),
    options: Type.Optional(nullable(Options)),
  }),
);
export type QualificationBody = Static<typeof QualificationBody>;

const open = () => Type.Unsafe<object>(Type.Record(Type.String(), Type.Unknown()));

const Result = Type.Object({
  discount: Type.Optional(open()),
  gift: Type.Optional(
    Type.Object({
      balance: money(),
      credits: money(),
      locked_credits: Type.Optional(money("What live sessions hold of it; where the request has a session.")),
    }),
  ),
  loyalty_card: Type.Optional(Type.Object({ points: integer({ minimum: 0 }), balance: integer({ minimum: 0 }) })),
  bundle: Type.Optional(open()),
});

const entry = {
  id: Type.String({ description: "The code of a voucher, the id of anything else." }),
  object: oneOf(["campaign", "promotion_tier", "promotion_stack", "voucher"]),
  created_at: dateTime(),
  result: Type.Optional(Result),
  order: Type.Optional(OrderViewSchema),
  applicable_to: ApplicableItemsSchema,
  inapplicable_to: ApplicableItemsSchema,
  validation_rule_id: Type.Optional(Type.String()),
  metadata: Type.Optional(metadata()),
  categories: Type.Optional(Type.Array(open())),
  name: Type.Optional(Type.String()),
  banner: Type.Optional(Type.String()),
  campaign_id: Type.Optional(Type.String()),
  campaign_name: Type.Optional(Type.String()),
  validation_rules_assignments: Type.Optional(RuleAssignments),
};

const QualifiedTier = named("QualifiedTier", Type.Object(entry));
export type QualifiedTier = Static<typeof QualifiedTier>;

const QualifiedEntry = named(
  "QualifiedRedeemable",
  Type.Object({
    ...entry,
    redeemables: Type.Optional(Type.Array(QualifiedTier, { description: "The tiers of a stack that would apply." })),
  }),
);
export type QualifiedEntry = Static<typeof QualifiedEntry>;

/** Answer of `POST /v1/qualifications` (redemption.md §13.3). */
export const QualificationAnswer = named(
  "Qualification",
  Type.Object({
    redeemables: Type.Object({
      object: Type.Literal("list"),
      data_ref: Type.Literal("data"),
      data: Type.Array(QualifiedEntry),
      total: integer({ minimum: 0, description: "Entries on this page." }),
      has_more: Type.Boolean(),
      more_starting_after: Type.Optional(
        Type.String({
          description:
            "Only with `has_more`: the `created_at` of the last entry. Where others were made at the same instant, digits behind the milliseconds say how many of them have been shown.",
        }),
      ),
    }),
    tracking_id: Type.Optional(Type.String()),
    order: Type.Optional(OrderViewSchema),
    stacking_rules: StackingRulesSchema,
  }),
);
export type QualificationAnswer = Static<typeof QualificationAnswer>;
