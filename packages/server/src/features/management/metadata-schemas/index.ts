export { metadataSchemaRoutes as routes } from "./metadata-schema.routes.js";
