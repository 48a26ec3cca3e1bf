import Type, { type Static } from "typebox";
import { dateTime, integer, named, nullable, oneOf, text } from "../../platform/http/schema.js";
import { async_action_statuses, async_action_types, operation_statuses } from "./async-action.js";

const shown = {
  id: Type.String(),
  type: oneOf(async_action_types),
  status: oneOf(async_action_statuses),
  operation_status: oneOf(operation_statuses, { description: "UNKNOWN until the action has ended." }),
  request_id: Type.String({ description: "The request that started the action." }),
  progress: integer({ minimum: 0, maximum: 100 }),
  created_at: dateTime(),
  updated_at: dateTime(),
  object: Type.Literal("async_action"),
};

/** What a list shows of an action (vouchers-and-campaigns.md §7). */
export const AsyncActionListed = named("AsyncActionListed", Type.Object(shown));
export type AsyncActionListed = Static<typeof AsyncActionListed>;

/** An action with what came of it. */
export const AsyncActionBody = named(
  "AsyncAction",
  Type.Object({
    ...shown,
    processing_time: integer({ minimum: 0, description: "Milliseconds from the request to the latest change." }),
    result: nullable(Type.Record(Type.String(), Type.Unknown(), { description: "Null until the action has ended." })),
  }),
);
export type AsyncActionBody = Static<typeof AsyncActionBody>;

export const AsyncActionList = named(
  "AsyncActionList",
  Type.Object({
    object: Type.Literal("list"),
    data_ref: Type.Literal("async_actions"),
    async_actions: Type.Array(AsyncActionListed),
    has_more: Type.Boolean(),
  }),
);
export type AsyncActionList = Static<typeof AsyncActionList>;

export const AsyncActionQuery = Type.Object({
  limit: Type.Optional(integer({ minimum: 1, maximum: 100, description: "10 unless given." })),
  end_date: Type.Optional(dateTime("Only actions that were started before it.")),
});
export type AsyncActionQuery = Static<typeof AsyncActionQuery>;

export const AsyncActionParams = Type.Object({ asyncActionId: text() });

export const ReportQuery = Type.Object({
  token: Type.Optional(Type.String({ maxLength: 2048, description: "Stands in the url that the result gives." })),
  formulas: Type.Optional(
    oneOf(["neutralise", "keep"], {
      description:
        "Texts that a spreadsheet would run as formulas have an apostrophe before them, unless a machine asks for them as they are: `keep`.",
    }),
  ),
});

/** The answer of an operation whose work is done later. */
export const AsyncActionStarted = named("AsyncActionStarted", Type.Object({ async_action_id: Type.String() }));
