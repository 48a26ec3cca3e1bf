import Type, { type Static } from "typebox";
import { dateTime, integer, named, oneOf } from "../../../platform/http/schema.js";
import { CampaignParams } from "../../campaigns/index.js";

/** How much of the past an overview shows, in hours. */
export const windows = { "24h": 24, "7d": 7 * 24, "30d": 30 * 24, "90d": 90 * 24 } as const;
export type Window = keyof typeof windows;

export const OverviewQuery = Type.Object({
  window: Type.Optional(oneOf(Object.keys(windows) as Window[], { description: "30d unless given." })),
});

const counted = () => integer({ minimum: 0 });
const sums = {
  redemptions: counted(),
  refusals: counted(),
  rollbacks: counted(),
  publications: counted(),
  customers: counted(),
  orders_amount: counted(),
  discount_amount: counted(),
  rolledback_discount_amount: counted(),
};
const Sums = named("OverviewSums", Type.Object(sums));
export type Sums = Static<typeof Sums>;

export const OverviewBody = named(
  "Overview",
  Type.Object({
    from: dateTime(),
    to: dateTime(),
    tiles: Sums,
    before: Type.Unsafe<Sums>(Type.Object(sums, { description: "The same of as long a time before." })),
    trend: Type.Array(Type.Object({ at: Type.String(), ...sums }), {
      description: "By the hour where the window is a day, else by the day where the project is.",
    }),
    top_campaigns: Type.Array(
      Type.Object({
        ...{ id: Type.String(), name: Type.String() },
        ...{ redemptions: counted(), refusals: counted(), discount_amount: counted() },
        redemptions_before: integer({ minimum: 0, description: "On as many days before." }),
      }),
    ),
    active_campaigns: integer({
      minimum: 0,
      description: "Switched on and within their dates now; a thousand at most.",
    }),
    refusals: Type.Array(Type.Object({ key: Type.String(), count: counted() })),
    alerts: Type.Array(
      Type.Object({
        kind: oneOf(["failed_send_outs", "failed_actions", "campaigns_ending"]),
        count: integer({ minimum: 1, description: "A hundred at most." }),
      }),
    ),
  }),
);

export const NumbersQuery = OverviewQuery;
export const NumbersParams = CampaignParams;

export const CampaignNumbers = named(
  "CampaignNumbers",
  Type.Object({
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: "date" }),
        redemptions: counted(),
        refusals: counted(),
        rollbacks: counted(),
        validations: counted(),
        publications: counted(),
        orders_amount: counted(),
        discount_amount: counted(),
      }),
      { description: "Those on which something happened, where the project is." },
    ),
  }),
);
