import Type from "typebox";
import { metadata, named, text } from "../../platform/http/schema.js";

/** Body of `POST /v1/vouchers/bulk/async`. */
export const VouchersBulkUpdate = named(
  "VouchersBulkUpdate",
  Type.Array(Type.Object({ code: text({ minLength: 1 }), metadata: metadata() })),
);

/** Body of `POST /v1/vouchers/metadata/async`. */
export const VouchersMetadataUpdate = named(
  "VouchersMetadataUpdate",
  Type.Object({
    codes: Type.Array(text({ minLength: 1 }), { description: "Unknown ones are reported." }),
    metadata: metadata(),
  }),
);
