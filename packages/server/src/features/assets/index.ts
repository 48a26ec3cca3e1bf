export { assetRoutes as routes } from "./asset.routes.js";
