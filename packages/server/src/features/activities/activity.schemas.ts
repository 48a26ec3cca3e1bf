import Type, { type Static } from "typebox";
import { dateTime, integer, listOf, named, notYet, oneOf, text, to_follow } from "../../platform/http/schema.js";
import { campaign_types } from "../campaigns/index.js";
import { activity_categories, activity_types } from "./activity.js";

const EventSourceBody = named(
  "EventSource",
  Type.Object({
    channel: oneOf(["USER_PORTAL", "API", "CLIENT_API", "INTERNAL"]),
    user: Type.Optional(Type.Object({ id: Type.String() })),
    api_key: Type.Optional(Type.Object({ name: Type.String(), app_id: Type.String() })),
  }),
);

const ActivityTypeSchema = named("CustomerActivityType", oneOf(activity_types));

const ActivityBody = named(
  "CustomerActivity",
  Type.Object({
    id: Type.String(),
    type: ActivityTypeSchema,
    data: Type.Object({
      data: Type.Record(Type.String(), Type.Unknown(), { description: "As webhooks are told it." }),
      event_source: EventSourceBody,
    }),
    created_at: dateTime(),
    group_id: Type.String({ description: "The request that caused it." }),
  }),
);
export type ActivityBody = Static<typeof ActivityBody>;

/** By cursor; the reference has no `total` here. */
export const ActivityList = named(
  "CustomerActivityList",
  Type.Object({
    object: Type.Literal("list"),
    data_ref: Type.Literal("data"),
    data: Type.Array(ActivityBody),
    ...to_follow,
  }),
);
export type ActivityList = Static<typeof ActivityList>;

export const OlderActivityList = named("CustomerActivities", listOf("data", ActivityBody));
export type OlderActivityList = Static<typeof OlderActivityList>;

const paged = {
  limit: Type.Optional(integer({ minimum: 1, maximum: 100, description: "Rows on a page; 10 unless given." })),
  order: Type.Optional(oneOf(["created_at", "-created_at"], { description: "Newest first unless given." })),
  starting_after_id: Type.Optional(text({ description: "Only what comes after this one in the order asked for." })),
};

export const MemberActivityQuery = Type.Object(paged);
export type MemberActivityQuery = Static<typeof MemberActivityQuery>;

const common = {
  ...paged,
  start_date: Type.Optional(dateTime("What happened since.")),
  end_date: Type.Optional(dateTime("What happened until.")),
  campaign_id: Type.Optional(text({ description: "Id of the campaign it is about." })),
  campaign_type: Type.Optional(oneOf(campaign_types)),
};

export const ActivityQuery = Type.Object({
  ...common,
  category: Type.Optional(oneOf(activity_categories)),
  type: Type.Optional(ActivityTypeSchema),
});

export const OlderActivityQuery = Type.Object({
  ...common,
  starting_after: Type.Optional(dateTime("Only what comes after this time in the order asked for.")),
  product_id: notYet(),
});

export type ActivityQuery = Static<typeof ActivityQuery> & Pick<Static<typeof OlderActivityQuery>, "starting_after">;
