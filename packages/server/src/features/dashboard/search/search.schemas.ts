import Type, { type Static } from "typebox";
import { named, nullable, oneOf, text } from "../../../platform/http/schema.js";

/** What can be found, and the list that shows it: whoever may not read that finds none of it. */
export const found_objects = {
  voucher: "vouchers",
  order: "orders",
  customer: "customers",
  redemption: "redemptions",
  campaign: "campaigns",
  request: "requests",
} as const;
export type FoundObject = keyof typeof found_objects;

const found_by = ["code", "id", "source_id", "email", "name"] as const;

export const FoundBody = named(
  "Found",
  Type.Object({
    object: oneOf(Object.keys(found_objects) as FoundObject[]),
    id: Type.String(),
    name: nullable(Type.String({ description: "What people call it: its code, name or source id." })),
    found_by: oneOf(found_by, { description: "What the text is of it; a campaign's name begins so." }),
  }),
);
export type FoundBody = Static<typeof FoundBody>;

export const SearchQuery = Type.Object({
  q: text({
    minLength: 1,
    description: "A code, an id, a source id or an e-mail address, whole; or the beginning of a campaign's name.",
  }),
});

export const SearchBody = named("SearchResult", Type.Object({ data: Type.Array(FoundBody) }));
