import Type, { type Static } from "typebox";
import { integer, longText, named, nullable, text } from "../../../platform/http/schema.js";
import { points_max } from "../../vouchers/index.js";

/** Cards of one transaction. */
const donors_max = 100;

/** Body of `POST /v1/loyalties/:campaignId/members/:memberId/transfers`. */
export const TransferInput = named(
  "PointsTransfer",
  Type.Array(
    Type.Object({
      code: text({ minLength: 1, description: "Code or id of the card that gives." }),
      points: integer({ minimum: 1, maximum: points_max }),
      reason: Type.Optional(nullable(longText())),
      source_id: text({ description: "The caller's own id; it may come again." }),
    }),
    { minItems: 1, maxItems: donors_max },
  ),
);
export type TransferInput = Static<typeof TransferInput>;
