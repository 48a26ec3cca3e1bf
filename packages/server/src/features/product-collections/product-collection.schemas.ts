import Type, { type Static } from "typebox";
import {
  dateTime,
  document,
  listOf,
  listQuery,
  named,
  nullable,
  oneOf,
  pageQuery,
  text,
} from "../../platform/http/schema.js";
import { ProductBody, SkuBody } from "../products/index.js";
import { collection_types, member_objects } from "./product-collection.js";

const filter = (description: string) => document("GUERDON_RULE_BYTES", { description });
const filter_input = Type.Optional(nullable(filter("Of AUTO_UPDATE: `junction`, and conditions by field.")));
const name = text({ minLength: 1 });

export const ProductCollectionCreate = named(
  "ProductCollectionCreate",
  Type.Object({
    name,
    type: oneOf(collection_types),
    products: Type.Optional(
      Type.Array(Type.Object({ id: text({ description: "Id or source id." }), object: oneOf(member_objects) }), {
        description: "Of STATIC: what it lists.",
      }),
    ),
    filter: filter_input,
  }),
);
export type ProductCollectionCreate = Static<typeof ProductCollectionCreate>;

export const ProductCollectionUpdate = named(
  "ProductCollectionUpdate",
  Type.Object({ name: Type.Optional(name), filter: filter_input }),
);
export type ProductCollectionUpdate = Static<typeof ProductCollectionUpdate>;

/** A collection as answered (rules.md §17.2). */
export const ProductCollectionBody = named(
  "ProductCollection",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: oneOf(collection_types),
    filter: Type.Optional(filter("Of AUTO_UPDATE.")),
    products: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String(),
          object: oneOf(member_objects),
          product_id: Type.Optional(Type.String({ description: "The product of a SKU." })),
        }),
        { description: "Of STATIC." },
      ),
    ),
    created_at: dateTime(),
    updated_at: Type.Optional(dateTime()),
    object: Type.Literal("products_collection"),
  }),
);
export type ProductCollectionBody = Static<typeof ProductCollectionBody>;

export const ProductCollectionList = named("ProductCollectionList", listOf("data", ProductCollectionBody));

const order = Type.Optional(
  oneOf(["created_at", "-created_at", "updated_at", "-updated_at"], { description: "Newest first unless given." }),
);
export const ProductCollectionQuery = Type.Object({ ...listQuery(100), order });
export type ProductCollectionQuery = Static<typeof ProductCollectionQuery>;

export const MemberQuery = Type.Object({
  ...pageQuery(100),
  order,
  starting_after: Type.Optional(dateTime("Only what comes after this date in the order asked for.")),
});
export type MemberQuery = Static<typeof MemberQuery>;

export const ProductCollectionParams = Type.Object({ productCollectionId: text() });

const { id, source_id, name: product_name, price, attributes, metadata, object } = ProductBody.properties;

/** A product without its SKUs, or a SKU with its product (rules.md §17.2). */
const SkuMember = named(
  "CollectionSku",
  Type.Object({
    ...SkuBody.properties,
    product: Type.Object({ id, source_id, name: product_name, price, attributes, metadata, object }),
  }),
);

const MemberBody = Type.Union([ProductBody, SkuMember]);
export type MemberBody = Static<typeof MemberBody>;

export const MemberList = named("CollectionMemberList", listOf("data", MemberBody));
