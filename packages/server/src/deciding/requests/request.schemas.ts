import { redeemable_objects } from "@guerdon/engine";
import Type, { type Static } from "typebox";
import { CustomerInputSchema } from "../../features/customers/index.js";
import { OrderInputSchema } from "../../features/orders/index.js";
import { metadataOf } from "../../platform/http/metadata.js";
import { integer, named, nullable, oneOf, text } from "../../platform/http/schema.js";
import { tracking_id_length_max } from "./tracking.js";

export const ttl_units = [
  "DAYS",
  "HOURS",
  "MINUTES",
  "SECONDS",
  "MILLISECONDS",
  "MICROSECONDS",
  "NANOSECONDS",
] as const;

/** Lock that a validation may ask for (redemption.md §12). */
export const SessionInput = named(
  "SessionInput",
  Type.Object({
    type: oneOf(["LOCK"]),
    key: Type.Optional(nullable(text({ minLength: 1 }))),
    ttl: Type.Optional(nullable(Type.Number({ exclusiveMinimum: 0, maximum: 1e15 }))),
    ttl_unit: Type.Optional(nullable(oneOf(ttl_units))),
  }),
);
export type SessionInput = Static<typeof SessionInput>;

const CreditsToSpend = named(
  "CreditsToSpend",
  Type.Object({ credits: Type.Optional(nullable(integer({ minimum: 0 }))) }),
);
const RewardWanted = named(
  "RewardWanted",
  Type.Object({
    id: Type.Optional(nullable(text())),
    points: Type.Optional(nullable(integer({ minimum: 0 }))),
    assignment_id: Type.Optional(nullable(text())),
  }),
);
const gift = Type.Optional(nullable(CreditsToSpend));
const reward = Type.Optional(nullable(RewardWanted));

export const RedeemableInput = named(
  "RedeemableInput",
  Type.Object({
    object: oneOf(redeemable_objects),
    id: text({ minLength: 1, description: "Code or id of a voucher, id of a tier or stack." }),
    gift,
    reward,
  }),
);
export type RedeemableInput = Static<typeof RedeemableInput>;

/** What everybody who asks for a decision may send. */
export const situation = {
  customer: Type.Optional(nullable(CustomerInputSchema)),
  order: Type.Optional(nullable(OrderInputSchema)),
  session: Type.Optional(nullable(SessionInput)),
  tracking_id: Type.Optional(nullable(text({ maxLength: tracking_id_length_max }))),
  metadata: Type.Optional(nullable(metadataOf("redemption"))),
};

const expandable = ["order", "redemption", "redeemable", "category"] as const;

const Options = Type.Object({
  expand: Type.Optional(
    nullable(
      Type.Array(oneOf([...expandable, "explanation"]), {
        maxItems: 10,
        description: "`explanation` is ours: a validation then shows every check of each redeemable, and every sum.",
      }),
    ),
  ),
});

/** For pages: an explanation would tell everybody what the rules are made of. */
const OptionsOfPages = Type.Object({
  expand: Type.Optional(nullable(Type.Array(oneOf(expandable), { maxItems: 10 }))),
});

const together = { redeemables: Type.Array(RedeemableInput, { minItems: 1, maxItems: 30 }), ...situation };

/** Body of `POST /v1/validations` and `POST /v1/redemptions` (redemption.md §3). */
export const DecidingBody = named(
  "RedeemablesRequest",
  Type.Object({ ...together, options: Type.Optional(nullable(Options)) }),
);
export type DecidingBody = Static<typeof DecidingBody>;

/** The same for the client side (redemption.md §16). */
export const PageDecidingBody = named(
  "PageRedeemablesRequest",
  Type.Object({ ...together, options: Type.Optional(nullable(OptionsOfPages)) }),
);

/** A redeemable is a row. */
export const rowsOfRedeemables = ({ body }: { body: unknown }): number => (body as DecidingBody).redeemables.length;

/** Body of the older calls that name one promotion tier in their path (redemption.md §15). */
export const SituationBody = named("SituationRequest", Type.Object(situation));
export type SituationBody = Static<typeof SituationBody>;

/** The same of one voucher, with what is to be spent of one that holds credits or points. */
export const SingleBody = named("VoucherRequest", Type.Object({ ...situation, gift, reward }));
export type SingleBody = Static<typeof SingleBody>;

/** Body of the older call that names nothing, and is answered with whatever promotions apply. */
export const CartBody = named(
  "CartRequest",
  Type.Object({
    customer: situation.customer,
    order: situation.order,
    tracking_id: situation.tracking_id,
    metadata: situation.metadata,
    options: Type.Optional(
      nullable(Type.Object({ expand: Type.Optional(nullable(Type.Array(oneOf(["category"]), { maxItems: 10 }))) })),
    ),
  }),
);
export type CartBody = Static<typeof CartBody>;
