import Type, { type Static } from "typebox";
import {
  dateTime,
  filtersQuery,
  integer,
  listOf,
  named,
  nullable,
  oneOf,
  text,
  to_follow,
} from "../../platform/http/schema.js";
import { bin_filter_fields } from "./bin.filters.js";
import { binned_types } from "./bin.js";

export const BinEntryBody = named(
  "BinEntry",
  Type.Object({
    id: Type.String(),
    created_at: dateTime("When it was deleted."),
    deleted_by_user_id: nullable(Type.String({ description: "Null: deleted by the API." })),
    resource_id: Type.String(),
    resource_type: oneOf(binned_types),
    resource_name: Type.String({ description: "Its name or code, which nothing else may have meanwhile." }),
    resource_parent_id: nullable(Type.String({ description: "A voucher's campaign, a SKU's product." })),
    object: oneOf(binned_types),
  }),
);
export type BinEntryBody = Static<typeof BinEntryBody>;

export const BinList = named(
  "BinList",
  Type.Object({
    ...listOf("data", BinEntryBody).properties,
    total: integer({ minimum: 0, description: "Entries on this page." }),
    ...to_follow,
  }),
);
export type BinList = Static<typeof BinList>;

export const BinQuery = Type.Object({
  limit: Type.Optional(integer({ minimum: 1, maximum: 100, description: "Rows on a page; 10 unless given." })),
  order: Type.Optional(
    oneOf(["id", "-id"] as const, { description: "What was deleted last comes first unless given." }),
  ),
  starting_after_id: Type.Optional(text({ description: "Only what comes after this entry in the order asked for." })),
  filters: filtersQuery(bin_filter_fields),
});
export type BinQuery = Static<typeof BinQuery>;

export const BinParams = Type.Object({ binEntryId: text() });
