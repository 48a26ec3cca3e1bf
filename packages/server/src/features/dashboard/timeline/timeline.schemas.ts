import Type, { type Static } from "typebox";
import { dateTime, integer, named, nullable, text } from "../../../platform/http/schema.js";

/** What a timeline is of. */
export const timeline_objects = ["voucher", "customer", "campaign", "order"] as const;
export type TimelineObject = (typeof timeline_objects)[number];

export const TimelineQuery = Type.Object({
  voucher: Type.Optional(text({ description: "Code or id." })),
  customer: Type.Optional(text({ description: "Id or source id." })),
  campaign: Type.Optional(text({ description: "Id or name." })),
  order: Type.Optional(text({ description: "Id or source id." })),
  limit: Type.Optional(integer({ minimum: 1, maximum: 100, description: "Events at once; 20 unless given." })),
  after: Type.Optional(text({ description: "Only what happened before: `next` of the slice above." })),
});
export type TimelineQuery = Static<typeof TimelineQuery>;

export const TimelineEntry = named(
  "TimelineEntry",
  Type.Object({
    id: Type.String(),
    type: Type.String(),
    created_at: dateTime(),
    request_id: Type.String({ description: "What the request that caused it brought stands together." }),
    event_source: Type.Record(Type.String(), Type.Unknown(), { description: "Who did it." }),
    data: Type.Record(Type.String(), Type.Unknown(), { description: "As webhooks are told it." }),
  }),
);
export type TimelineEntry = Static<typeof TimelineEntry>;

export const TimelineSlice = named(
  "TimelineSlice",
  Type.Object({
    data: Type.Array(TimelineEntry, { description: "Newest first." }),
    next: nullable(Type.String({ description: "Goes into `after`; null where nothing happened before." })),
  }),
);
