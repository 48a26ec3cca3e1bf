import Type, { type Static } from "typebox";
import { metadataOf } from "../../../platform/http/metadata.js";
import {
  dateTime,
  integer,
  listOf,
  listQuery,
  metadata,
  named,
  nullable,
  oneOf,
  text,
} from "../../../platform/http/schema.js";
import { window_body, window_input } from "../../../terms/index.js";
import { ExpirationRules } from "../../vouchers/index.js";
import { ProgramParams } from "../programs/index.js";
import { Loyalty, LoyaltyInput, LoyaltyUpdate } from "./loyalty.schemas.js";

const PendingPoints = named(
  "PendingPointsPeriod",
  Type.Object({
    period_type: oneOf(["DAY"]),
    period_value: integer({ minimum: 1, maximum: 90 }),
  }),
);

const common = {
  validation_rule_id: Type.Optional(nullable(text())),
  custom_event: Type.Optional(nullable(Type.Object({ schema_id: Type.Optional(text()) }))),
  segment: Type.Optional(nullable(Type.Object({ id: Type.Optional(text()) }))),
  loyalty_tier: Type.Optional(nullable(Type.Object({ id: Type.Optional(text()) }))),
  source: Type.Optional(nullable(Type.Object({ banner: Type.Optional(nullable(text({ description: "Name." }))) }))),
  active: Type.Optional(nullable(Type.Boolean())),
  pending_points: Type.Optional(nullable(PendingPoints)),
  expiration_rules: Type.Optional(nullable(ExpirationRules)),
  metadata: Type.Optional(nullable(metadataOf("earning_rule"))),
  ...window_input,
};

const EarningRuleInput = named(
  "EarningRuleInput",
  Type.Object({
    event: Type.Optional(text({ minLength: 1, maxLength: 300 })),
    loyalty: Type.Optional(LoyaltyInput),
    ...common,
  }),
);
export type EarningRuleInput = Static<typeof EarningRuleInput>;

/** Body of `POST …/earning-rules`: several rules, made all or none. */
export const EarningRulesCreate = named("EarningRulesCreate", Type.Array(EarningRuleInput, { maxItems: 100 }));

/** Body of `PUT …/earning-rules/:earningRuleId`; the event stays. */
export const EarningRuleUpdate = named(
  "EarningRuleUpdate",
  Type.Object({ loyalty: Type.Optional(LoyaltyUpdate), ...common }),
);
export type EarningRuleUpdate = Static<typeof EarningRuleUpdate>;

/** A rule as answered; parts that were not sent are left out. */
export const EarningRuleBody = named(
  "EarningRule",
  Type.Object({
    id: Type.String(),
    created_at: dateTime(),
    updated_at: nullable(dateTime()),
    loyalty: Loyalty,
    event: Type.String(),
    custom_event: Type.Optional(Type.Object({ schema_id: Type.String() })),
    segment: Type.Optional(Type.Object({ id: Type.String() })),
    loyalty_tier: Type.Optional(Type.Object({ id: Type.String() })),
    pending_points: Type.Optional(PendingPoints),
    source: Type.Object({
      banner: Type.Optional(Type.String()),
      object_id: Type.String(),
      object_type: Type.Literal("campaign"),
    }),
    active: Type.Boolean(),
    ...window_body,
    expiration_rules: Type.Optional(ExpirationRules),
    validation_rule_id: nullable(Type.String()),
    automation_id: Type.String({ description: "For internal use." }),
    metadata: metadata(),
    object: Type.Literal("earning_rule"),
  }),
);
export type EarningRuleBody = Static<typeof EarningRuleBody>;

export const EarningRuleList = named("EarningRuleList", listOf("data", EarningRuleBody));

const orders = ["created_at", "-created_at", "updated_at", "-updated_at"] as const;
export type EarningRuleOrder = (typeof orders)[number];

export const EarningRuleQuery = Type.Object({
  ...listQuery(100),
  order: Type.Optional(oneOf(orders, { description: "Newest first unless given." })),
});
export type EarningRuleQuery = Static<typeof EarningRuleQuery>;

export const EarningRuleParams = Type.Object({ ...ProgramParams.properties, earningRuleId: text() });
