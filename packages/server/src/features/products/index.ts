export { type CatalogueOfLines, catalogueOf, emptyCatalogue } from "./catalogue-of-lines.js";
export { productJobs } from "./product.jobs.js";
export { productRoutes } from "./product.routes.js";
