import Type, { type Static } from "typebox";
import { integer, named, nullable, oneOf, text } from "../../platform/http/schema.js";
import { points_max } from "../vouchers/index.js";

const conversion_events = ["redemption", "custom_event"] as const;
const reward_types = ["LOYALTY_CARD", "GIFT_VOUCHER"] as const;

/** What makes a referral of a code, and what whoever came by it gets (vouchers-and-campaigns.md §15). */
export const ReferralProgramInput = named(
  "ReferralProgramInput",
  Type.Object({
    conversion_event_type: Type.Optional(nullable(oneOf(conversion_events))),
    custom_event: Type.Optional(
      nullable(
        Type.Object({
          id: Type.Optional(nullable(text({ description: "Of the event's schema." }))),
          name: Type.Optional(nullable(text())),
        }),
      ),
    ),
    referee_reward: Type.Optional(
      nullable(
        Type.Object({
          type: oneOf(reward_types),
          amount: integer({ minimum: 1, maximum: points_max, description: "Points, or credits in minor units." }),
          related_object_parent: Type.Object({
            id: Type.Optional(nullable(text({ description: "Of the campaign whose card is added to." }))),
            name: Type.Optional(nullable(text())),
            object: Type.Optional(nullable(oneOf(["CAMPAIGN"]))),
          }),
        }),
      ),
    ),
  }),
);
export type ReferralProgramInput = Static<typeof ReferralProgramInput>;

export const ReferralProgram = named(
  "ReferralProgram",
  Type.Object({
    conversion_event_type: oneOf(conversion_events),
    custom_event: Type.Optional(Type.Object({ id: Type.String(), name: Type.String() })),
    referee_reward: Type.Optional(
      Type.Object({
        type: oneOf(reward_types),
        amount: integer(),
        related_object_parent: Type.Object({
          id: Type.String(),
          name: Type.String(),
          object: Type.Literal("CAMPAIGN"),
        }),
      }),
    ),
  }),
);
export type ReferralProgram = Static<typeof ReferralProgram>;
