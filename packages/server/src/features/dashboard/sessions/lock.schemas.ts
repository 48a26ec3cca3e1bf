import Type from "typebox";
import { dateTime, integer, named } from "../../../platform/http/schema.js";

export const LockList = named(
  "LockList",
  Type.Object({
    data: Type.Array(
      named(
        "Lock",
        Type.Object({
          key: Type.String(),
          voucher_id: Type.String(),
          code: Type.String(),
          credits: integer({ description: "Credits in minor units, or points, that it reserves of a card." }),
          expires_at: dateTime(),
        }),
      ),
      { description: "Of all codes; those that last longest first, a hundred at most." },
    ),
    has_more: Type.Boolean(),
  }),
);
