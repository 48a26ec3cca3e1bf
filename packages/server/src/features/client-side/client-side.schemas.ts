import Type, { type Static } from "typebox";
import { tracking_id_length_max } from "../../deciding/index.js";
import { text } from "../../platform/http/schema.js";

/** Query of `POST /client/v1/redeem`. */
export const RedeemQuery = Type.Object({
  code: text({ minLength: 1, description: "Code or id of the voucher." }),
  tracking_id: Type.Optional(text({ maxLength: tracking_id_length_max })),
});
export type RedeemQuery = Static<typeof RedeemQuery>;
