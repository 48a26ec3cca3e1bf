import Type, { type Static } from "typebox";
import { dateTime, integer, named, nullable, oneOf, text } from "../../../platform/http/schema.js";
import { SimpleCustomer } from "../../customers/index.js";

export const LoggedValidationQuery = Type.Object({
  customer: Type.Optional(text({ description: "Id or source id of a customer who is stored." })),
  code: Type.Optional(text({ description: "A code, or the id of a tier, that was asked about." })),
  valid: Type.Optional(Type.Boolean()),
  limit: Type.Optional(integer({ minimum: 1, maximum: 100, description: "Validations at once; 20 unless given." })),
  after: Type.Optional(text({ description: "Only what was asked before: `next` of the slice above." })),
});
export type LoggedValidationQuery = Static<typeof LoggedValidationQuery>;

const Verdict = Type.Object({
  object: Type.String(),
  id: Type.String({ description: "The code, or the id of a tier." }),
  status: oneOf(["APPLICABLE", "INAPPLICABLE", "SKIPPED"]),
  result: Type.Optional(Type.Object({ error: Type.Object({ key: Type.String(), message: Type.String() }) })),
});

export const LoggedValidationSlice = named(
  "LoggedValidationSlice",
  Type.Object({
    data: Type.Array(
      named(
        "LoggedValidation",
        Type.Object({
          id: Type.String(),
          valid: Type.Boolean(),
          redeemables: Type.Array(Verdict),
          customer_id: nullable(Type.String({ description: "Who it was for, where they are stored." })),
          group_id: Type.String({ description: "The request." }),
          event_source: Type.Unsafe<object>(Type.Record(Type.String(), Type.Unknown())),
          created_at: dateTime(),
        }),
      ),
      { description: "Newest first, of the last thirty days." },
    ),
    customers: Type.Array(SimpleCustomer, { description: "Who they were for, as far as they are still there." }),
    next: nullable(Type.String({ description: "Goes into `after`; null where nothing was asked before." })),
  }),
);
