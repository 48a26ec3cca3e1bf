import Type, { type Static } from "typebox";
import { ExplanationSchema } from "../../../deciding/index.js";
import { dateTime, named, nullable, oneOf, text } from "../../../platform/http/schema.js";

const document = () => Type.Record(Type.String(), Type.Unknown());

const RefusalBody = named(
  "Refusal",
  Type.Object({
    id: Type.String(),
    object: Type.String(),
    object_id: nullable(Type.String()),
    name: Type.String({ description: "The code or id that was asked for." }),
    asked_for: oneOf(["validation", "redemption"]),
    key: Type.String(),
    message: Type.String(),
    explanation: nullable(ExplanationSchema),
    customer_id: nullable(Type.String()),
    order: nullable(Type.Unsafe<object>(document())),
    event_source: Type.Unsafe<object>(document()),
    request_id: Type.String(),
    created_at: dateTime(),
  }),
);

export const LastRefusal = named(
  "LastRefusal",
  Type.Object(
    { refusal: nullable(RefusalBody) },
    { description: "Of the last thirty days; null where there was none." },
  ),
);
export type LastRefusal = Static<typeof LastRefusal>;

export const RefusalParams = Type.Object({ code: text({ description: "Code or id of the voucher." }) });
