import Type, { type Static } from "typebox";
import { dateTime, integer, named, nullable, oneOf, text } from "../../../platform/http/schema.js";

export const RequestQuery = Type.Object({
  status: Type.Optional(oneOf(["success", "failure"])),
  method: Type.Optional(oneOf(["GET", "POST", "PUT", "DELETE"])),
  path: Type.Optional(text({ description: "How the path begins." })),
  key: Type.Optional(text({ description: "Id of the key that asked." })),
  since: Type.Optional(dateTime()),
  until: Type.Optional(dateTime()),
  limit: Type.Optional(integer({ minimum: 1, maximum: 100, description: "Requests at once; 20 unless given." })),
  after: Type.Optional(text({ description: "Only what was asked before: `next` of the slice above." })),
});
export type RequestQuery = Static<typeof RequestQuery>;

const document = () => Type.Unsafe<object>(Type.Record(Type.String(), Type.Unknown()));

const line = {
  id: Type.String(),
  method: Type.String(),
  path: Type.String({ description: "With its query; what opens something is masked." }),
  operation: nullable(Type.String({ description: "Its name in this document." })),
  status: integer(),
  duration_ms: integer(),
  event_source: document(),
  label: nullable(Type.String({ description: "What the caller calls itself in `X-Voucherify-Channel`." })),
  created_at: dateTime(),
};

export const RequestSlice = named(
  "RequestSlice",
  Type.Object({
    data: Type.Array(named("LoggedRequestLine", Type.Object(line)), { description: "Newest first." }),
    next: nullable(Type.String({ description: "Goes into `after`; null where nothing was asked before." })),
    request_log_enabled: Type.Boolean({ description: "Whether what is asked from now on comes in." }),
  }),
);

/** Body of `PUT /dashboard/v1/request-log`, and its answer. */
export const RequestLog = named("RequestLog", Type.Object({ request_log_enabled: Type.Boolean() }));

export const LoggedRequestBody = named(
  "LoggedRequest",
  Type.Object({
    ...line,
    request_body: nullable(Type.String({ description: "How it begins: 16 KiB at most." })),
    response_body: nullable(Type.String({ description: "How it begins: 16 KiB at most." })),
    events: Type.Array(Type.Object({ id: Type.String(), type: Type.String(), entity_id: Type.String() }), {
      description: "What it caused; a hundred at most.",
    }),
  }),
);

export const RequestParams = Type.Object({ requestId: text() });
