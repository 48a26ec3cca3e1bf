/** What a cell of a field has to be. */
export type Holds =
  | "text"
  | "count"
  | "number"
  | "money"
  | "flag"
  | "date"
  | "voucher_type"
  | "discount_type"
  | "value";

/** A field that a column of a file may be, as the import calls it: letters in capitals, `_` and blanks are alike. */
export interface Field {
  name: string;
  holds: Holds;
  /** Without it no row is taken. */
  is_required?: boolean;
  /** What others call it. */
  also?: readonly string[];
}

export interface ImportKind {
  /** What its operation is called among permissions. */
  needs: string;
  fields: readonly Field[];
  /** Columns that it knows and passes over: they can be no metadata. */
  passed_over?: readonly string[];
}

const field = (name: string, holds: Holds = "text", ...also: string[]): Field => ({ name, holds, also });
const required = (one: Field): Field => ({ ...one, is_required: true });

const of_all_codes = [
  required(field("code", "text", "voucher code", "coupon", "coupon code")),
  field("category"),
  field("active", "flag", "enabled"),
  field("start date", "date", "valid from", "starts"),
  field("expiration date", "date", "end date", "valid until", "expires"),
  field("redeemed quantity", "count"),
  field("redeemed amount", "money"),
];
const given = [
  required(field("voucher type", "voucher_type", "type")),
  field("value", "value", "discount", "amount"),
  field("discount type", "discount_type"),
  field("discount effect", "text", "effect"),
  field("discount unit type"),
  field("formula"),
  field("redemption limit", "count", "limit", "quantity"),
  field("validation rule id", "text", "rule", "rule id"),
  field("additional info", "text", "info"),
];
const of_cards = [field("gift amount", "money", "amount", "balance"), field("loyalty points", "count", "points")];
const of_goods = [field("price", "money"), field("attributes"), field("image url", "text", "image", "picture")];
const source_id = field("source id", "text", "external id");
const namesOf = (fields: readonly Field[]) => fields.map(({ name }) => name);

export const import_kinds = {
  customers: {
    needs: "customers.importCSV.create",
    fields: [
      field("name", "text", "full name", "customer name"),
      field("email", "text", "e-mail", "mail", "e-mail address", "email address"),
      field("source id", "text", "external id", "customer id", "customer number"),
      field("phone", "text", "telephone", "mobile", "phone number"),
      field("birthdate", "date", "birthday", "date of birth"),
      field("description", "text", "note", "notes"),
      field("address line 1", "text", "street", "address"),
      field("address line 2"),
      field("address postal code", "text", "postal code", "zip", "zip code", "postcode"),
      field("address city", "text", "city", "town"),
      field("address state", "text", "state", "region"),
      field("address country", "text", "country"),
      field("id"),
    ],
  },
  vouchers: {
    needs: "vouchers.importCSV.create",
    fields: [...of_all_codes.slice(0, 1), ...given, ...of_all_codes.slice(1)],
    passed_over: namesOf(of_cards),
  },
  campaign: {
    needs: "campaigns.importCSV.create",
    fields: [...of_all_codes, ...of_cards],
    passed_over: namesOf(given),
  },
  products: {
    needs: "products.importCSV.create",
    fields: [required(field("name", "text", "product", "product name", "title")), source_id, ...of_goods],
  },
  skus: {
    needs: "skus.importCSV.create",
    fields: [
      required(field("product id", "text", "product")),
      field("sku", "text", "name"),
      source_id,
      ...of_goods,
      field("currency"),
    ],
  },
} satisfies Record<string, ImportKind>;

export type KindName = keyof typeof import_kinds;
export const kind_names = Object.keys(import_kinds) as KindName[];
export const kindOf = (name: KindName): ImportKind => import_kinds[name];
