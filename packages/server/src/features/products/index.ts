export { type CatalogueOfLines, catalogueOf } from "./catalogue-of-lines.js";
export { productJobs } from "./product.jobs.js";
export { productRoutes } from "./product.routes.js";
