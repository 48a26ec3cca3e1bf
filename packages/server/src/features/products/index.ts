export { type CatalogueOfLines, catalogueOf, no_lines } from "./catalogue-of-lines.js";
export { productJobs as jobs } from "./product.jobs.js";
export { type Product, toProductBody } from "./product.js";
export { productRoutes as routes } from "./product.routes.js";
export { ProductBody, SkuBody } from "./product.schemas.js";
export { findProductsAfter, findProductsByIds } from "./product.store.js";
export { type Sku, toSkuBody } from "./sku.js";
export { findSkusAfter, findSkusByIds } from "./sku.store.js";
export { assertUnitsExist } from "./units-exist.js";
