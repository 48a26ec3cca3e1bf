import Type, { type Static } from "typebox";
import { dateTime, integer, named, nullable, oneOf } from "../../../platform/http/schema.js";
import { notice_kinds } from "../../notices/index.js";

export const NoticeBody = named(
  "Notice",
  Type.Object({
    id: Type.String(),
    kind: oneOf(notice_kinds, { description: "What was counted, or whose address it is." }),
    used_limit: nullable(
      Type.Object(
        {
          calls: integer({ description: "Made when it was told." }),
          value: integer({ description: "Calls in each period." }),
          duration: Type.String({ description: "ISO 8601." }),
          ends_at: dateTime("When the next period begins."),
        },
        { description: "Of calls." },
      ),
    ),
    switched_off: nullable(
      Type.Object(
        { id: Type.String({ description: "Of the webhook or automation." }), target_url: Type.String() },
        { description: "An address that a message could not be delivered to." },
      ),
    ),
    created_at: dateTime(),
  }),
);
export type NoticeBody = Static<typeof NoticeBody>;

export const NoticeList = named(
  "NoticeList",
  Type.Object({
    data: Type.Array(NoticeBody, { description: "Of ninety days, the newest first, fifty at most." }),
    has_more: Type.Boolean(),
  }),
);
