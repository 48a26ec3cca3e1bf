import Type, { type Static } from "typebox";
import { metadataOf } from "../../platform/http/metadata.js";
import {
  dateTime,
  document,
  integer,
  listOf,
  listQuery,
  longText,
  metadata,
  money,
  named,
  nullable,
  oneOf,
  text,
} from "../../platform/http/schema.js";

const attributes_max = 1000;

const profile = {
  name: Type.Optional(nullable(text())),
  price: Type.Optional(nullable(money("For one unit, in minor units."))),
  attributes: Type.Optional(
    nullable(Type.Array(text(), { maxItems: attributes_max, description: "Names; the values are the SKUs'." })),
  ),
  metadata: Type.Optional(nullable(metadataOf("product"))),
  image_url: Type.Optional(nullable(longText())),
};
const names = {
  id: Type.Optional(nullable(text())),
  source_id: Type.Optional(nullable(text({ description: "The caller's own id; unique in the project." }))),
};

export const ProductCreate = named("ProductCreate", Type.Object({ ...names, ...profile }));
export type ProductCreate = Static<typeof ProductCreate>;
export const ProductUpdate = named("ProductUpdate", Type.Object(profile));

const sku_profile = {
  sku: Type.Optional(nullable(text({ description: "Name of the variant." }))),
  price: profile.price,
  currency: Type.Optional(nullable(text())),
  attributes: Type.Optional(nullable(document("GUERDON_METADATA_BYTES"))),
  metadata: profile.metadata,
  image_url: profile.image_url,
};
export const SkuCreate = named("SkuCreate", Type.Object({ ...names, ...sku_profile }));
export type SkuCreate = Static<typeof SkuCreate>;
export const SkuUpdate = named("SkuUpdate", Type.Object(sku_profile));

const shown = {
  id: Type.String(),
  source_id: nullable(Type.String()),
  price: nullable(integer({ minimum: 0 })),
  metadata: metadata(),
  image_url: nullable(Type.String()),
  created_at: dateTime(),
  updated_at: nullable(dateTime()),
};

export const SkuBody = named(
  "Sku",
  Type.Object({
    ...shown,
    product_id: Type.String(),
    sku: nullable(Type.String()),
    currency: nullable(Type.String()),
    attributes: Type.Record(Type.String(), Type.Unknown()),
    object: Type.Literal("sku"),
  }),
);

/** SKUs inside their product, the newest of them where there are very many. */
const SkusOfProduct = named("SkusOfProduct", listOf("data", SkuBody));

export const ProductBody = named(
  "Product",
  Type.Object({
    ...shown,
    name: nullable(Type.String()),
    attributes: Type.Array(Type.String()),
    skus: Type.Optional(SkusOfProduct),
    object: Type.Literal("product"),
  }),
);

export const ProductList = named("ProductList", listOf("products", ProductBody));
export const SkuList = named("SkuList", listOf("skus", SkuBody));

export const ProductQuery = Type.Object({
  ...listQuery(100),
  order: Type.Optional(
    oneOf(["created_at", "-created_at", "updated_at", "-updated_at"], { description: "Newest first unless given." }),
  ),
  start_date: Type.Optional(dateTime("Only what was created then or later.")),
  end_date: Type.Optional(dateTime("Only what was created then or earlier.")),
});
export type ProductQuery = Static<typeof ProductQuery>;

export const ProductGetQuery = Type.Object({
  hide: Type.Optional(text({ description: "`sku` leaves the SKUs out." })),
});
export const DeleteQuery = Type.Object({
  force: Type.Optional(oneOf(["true", "false"], { description: "Past the bin: the source id is free again." })),
});

export const ProductParams = Type.Object({ productId: text({ description: "Id or source id." }) });
export const SkuParams = Type.Object({ skuId: text({ description: "Id or source id." }) });
export const ProductSkuParams = Type.Object({ ...ProductParams.properties, ...SkuParams.properties });

/** Body of `POST /v1/products/metadata/async`. */
export const ProductsMetadataUpdate = named(
  "ProductsMetadataUpdate",
  Type.Object({
    source_ids: Type.Array(text({ minLength: 1 }), { description: "Unknown ones become products." }),
    metadata: metadata(),
  }),
);

/** Body of `POST /v1/products/bulk/async`. */
export const ProductsBulkUpdate = named(
  "ProductsBulkUpdate",
  // Its metadata is looked at product by product, and told in the report.
  Type.Array(
    Type.Object({
      source_id: text({ minLength: 1 }),
      ...profile,
      metadata: Type.Optional(nullable(metadata())),
    }),
  ),
);
