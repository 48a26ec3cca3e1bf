import Type, { type Static } from "typebox";
import { integer, longText, metadata, money, named, nullable, oneOf, text } from "../../../platform/http/schema.js";
import { typesAlone } from "../../../platform/http/shapes/types-alone.js";
import { window_input } from "../../../terms/index.js";
import { CsvForm } from "../../imports/index.js";
import { given_fields, RedemptionInput } from "../voucher.schemas.js";

const { start_date, expiration_date, validity_timeframe, validity_day_of_week, validity_hours } = window_input;

/** That its code is missing is said of all rows together, and its metadata is checked when its turn comes (§9.1). */
const fields = {
  code: Type.Optional(nullable(text())),
  ...given_fields,
  category: Type.Optional(nullable(text({ description: "Name or id." }))),
  active: Type.Optional(nullable(Type.Boolean())),
  ...{ start_date, expiration_date, validity_timeframe, validity_day_of_week },
  redemption: Type.Optional(nullable(RedemptionInput)),
  additional_info: Type.Optional(nullable(longText())),
  metadata: Type.Optional(nullable(metadata())),
};

/** A voucher as `POST /v1/vouchers/import` is sent it; other fields are passed over in silence (vouchers-and-campaigns.md §9.1). */
// Hours are ours: the contract's rows have none, and what a voucher has would be lost on its way. Files have no column for them.
export const VoucherImport = Type.Object({ ...fields, validity_hours });
export type VoucherImport = Static<typeof VoucherImport>;

/** The same into a campaign, which says itself what its vouchers are: that is passed over, whatever it holds. */
const { type: _, discount: __, ...joining_fields } = fields;
export const JoiningImport = Type.Object({ ...joining_fields, validity_hours });

/** What the door looks for is of the wrong type; all else a row may say wrongly fails that row alone (§9.1). */
export const VouchersImport = named(
  "VouchersImport",
  Type.Array(named("VoucherImport", typesAlone(VoucherImport)), {
    description: "A row whose values are out of bounds fails by itself; the asynchronous action tells why.",
  }),
);

/** A voucher as a row of a file says it: also what was used up before it came here, and a rule (§9.2). */
export const VoucherRowImport = Type.Object({
  ...fields,
  validation_rule_id: Type.Optional(text()),
  redeemed_quantity: Type.Optional(integer({ minimum: 0 })),
  redeemed_amount: Type.Optional(money()),
});
export type VoucherRowImport = Static<typeof VoucherRowImport> & Pick<VoucherImport, "validity_hours">;

/** The form of `POST /v1/vouchers/importCSV`. The shape calls the field `webhooks_enable`, its guide `webhooks_enabled`. */
const told = () => Type.Optional(oneOf(["true", "false"], { description: "Whether webhooks hear of each voucher." }));
export const VouchersCsvForm = named(
  "VouchersCsvForm",
  Type.Intersect([CsvForm, Type.Object({ webhooks_enable: told(), webhooks_enabled: told() })]),
);
export type VouchersCsvForm = Static<typeof VouchersCsvForm>;
