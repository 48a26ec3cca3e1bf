import Type, { type Static } from "typebox";
import { dateTime, integer, listOf, listQuery, named, nullable, text } from "../../platform/http/schema.js";
import { points_max } from "../vouchers/index.js";
import { RewardParams } from "./reward.schemas.js";

/** As many as a reward or a program may have: a decision looks through those of one reward. */
export const assignments_max = 1000;

const PriceInput = Type.Object({
  loyalty: Type.Optional(
    nullable(
      Type.Object({
        points: Type.Optional(integer({ minimum: 1, maximum: points_max, description: "The price." })),
        auto_redeem: Type.Optional(
          nullable(
            Type.Boolean({
              description:
                "Whether it is redeemed without a call, as soon as a card holds the price: one reward of a program, that is not paying with points.",
            }),
          ),
        ),
      }),
    ),
  ),
});
export type PriceInput = Static<typeof PriceInput>;

const parameters = Type.Optional(nullable(PriceInput));
const validation_rules = Type.Optional(
  nullable(Type.Array(text(), { maxItems: 100, description: "Rules that hold whenever the reward is asked for." })),
);

/** Body of `POST /v1/rewards/:rewardId/assignments`. */
export const RewardAssignmentInput = named(
  "RewardAssignmentInput",
  Type.Object({
    campaign: Type.Optional(nullable(text({ description: "Id or name of the loyalty program." }))),
    parameters,
    validation_rules,
  }),
);
export type RewardAssignmentInput = Static<typeof RewardAssignmentInput>;

/** Body of `POST /v1/loyalties/:campaignId/rewards`: all of them or none. */
export const ProgramRewardsInput = named(
  "ProgramRewardsInput",
  Type.Array(Type.Object({ reward: text({ minLength: 1, description: "Id." }), parameters, validation_rules }), {
    minItems: 1,
    maxItems: 100,
  }),
);
export type ProgramRewardsInput = Static<typeof ProgramRewardsInput>;

export const RewardAssignmentUpdate = named("RewardAssignmentUpdate", Type.Object({ parameters }));
export type RewardAssignmentUpdate = Static<typeof RewardAssignmentUpdate>;

export const RewardAssignmentBody = named(
  "RewardAssignment",
  Type.Object({
    id: Type.String(),
    reward_id: Type.String(),
    related_object_id: Type.String(),
    related_object_type: Type.Literal("campaign"),
    parameters: Type.Optional(
      Type.Object(
        {
          loyalty: Type.Object({
            points: integer({ minimum: 1 }),
            auto_redeem: Type.Optional(Type.Literal(true, { description: "Left out where it is not." })),
          }),
        },
        {
          description: "Left out where points are paid with: there is no price.",
        },
      ),
    ),
    created_at: dateTime(),
    updated_at: nullable(dateTime()),
    object: Type.Literal("reward_assignment"),
  }),
);
export type RewardAssignmentBody = Static<typeof RewardAssignmentBody>;

export const RewardAssignmentList = named("RewardAssignmentList", listOf("data", RewardAssignmentBody));

export const RewardAssignmentQuery = Type.Object(listQuery(100));
export type RewardAssignmentQuery = Static<typeof RewardAssignmentQuery>;

const assignmentId = text();
export const RewardAssignmentParams = Type.Object({ ...RewardParams.properties, assignmentId });
