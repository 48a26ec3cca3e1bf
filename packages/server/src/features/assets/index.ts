export { assetRoutes } from "./asset.routes.js";
