import Type, { type Static } from "typebox";
import { metadataOf } from "../../platform/http/metadata.js";
import {
  dateTime,
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
import { giving_campaigns } from "./reward.js";

const id = () => text({ minLength: 1 });

/** A number, or a text that says one. */
const ratio = () => Type.Union([Type.Number(), Type.String({ maxLength: 32 })]);

const CampaignParameters = Type.Object({
  id: id(),
  type: Type.Optional(nullable(Type.String({ maxLength: 32, description: "The campaign's, whatever is sent." }))),
  balance: Type.Optional(nullable(integer({ description: "Credits in minor units, or points, that it gives." }))),
});
const CoinParameters = Type.Object({
  exchange_ratio: ratio(),
  points_ratio: Type.Optional(nullable(ratio())),
});
const ProductParameters = Type.Object({ id: id(), sku_id: Type.Optional(nullable(id())) });

const ParametersInput = named(
  "RewardParametersInput",
  Type.Object(
    {
      campaign: Type.Optional(nullable(CampaignParameters)),
      coin: Type.Optional(nullable(CoinParameters)),
      product: Type.Optional(nullable(ProductParameters)),
    },
    { description: "Exactly one of them." },
  ),
);
export type ParametersInput = Static<typeof ParametersInput>;

const fields = {
  name: Type.Optional(nullable(text())),
  stock: Type.Optional(
    nullable(integer({ minimum: 0, description: "How many there are. Paying with points has no stock." })),
  ),
  attributes: Type.Optional(
    nullable(
      Type.Object({
        image_url: Type.Optional(nullable(longText())),
        description: Type.Optional(nullable(longText())),
      }),
    ),
  ),
  metadata: Type.Optional(nullable(metadataOf("reward"))),
};

export const RewardInput = named("RewardInput", Type.Object({ ...fields, parameters: ParametersInput }));
export type RewardInput = Static<typeof RewardInput>;

/** What is left out stays; what a reward gives may change, but not its kind. */
export const RewardUpdate = named(
  "RewardUpdate",
  Type.Object({ ...fields, parameters: Type.Optional(nullable(ParametersInput)) }),
);
export type RewardUpdate = Static<typeof RewardUpdate>;

/** What a reward gives, as every answer shows it. */
export const RewardParametersBody = named(
  "RewardParameters",
  Type.Union([
    Type.Object({
      campaign: Type.Object({
        id: Type.String(),
        type: oneOf(giving_campaigns),
        balance: Type.Optional(integer()),
      }),
    }),
    Type.Object({ coin: Type.Object({ exchange_ratio: Type.Number(), points_ratio: integer() }) }),
    Type.Object({ product: Type.Object({ id: Type.String(), sku_id: nullable(Type.String()) }) }),
  ]),
);

export const RewardBody = named(
  "Reward",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: oneOf(["CAMPAIGN", "COIN", "MATERIAL"]),
    parameters: RewardParametersBody,
    stock: nullable(integer()),
    redeemed: nullable(integer({ description: "How often it was given; null until it first is." })),
    attributes: Type.Object({ image_url: Type.Optional(Type.String()), description: Type.Optional(Type.String()) }),
    metadata: metadata(),
    created_at: dateTime(),
    updated_at: nullable(dateTime()),
    object: Type.Literal("reward"),
  }),
);
export type RewardBody = Static<typeof RewardBody>;

export const RewardList = named("RewardList", listOf("data", RewardBody));

export const RewardQuery = Type.Object({
  ...listQuery(100),
  assignment_id: Type.Optional(text({ description: "Only the reward of this assignment." })),
});
export type RewardQuery = Static<typeof RewardQuery>;

export const RewardParams = Type.Object({ rewardId: text() });
