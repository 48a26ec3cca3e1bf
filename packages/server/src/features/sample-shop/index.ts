export type { Apart, OpenApart } from "./apart.js";
export { makingSampleShops } from "./making.js";
export { sampleShopRoutes as routes } from "./sample-shop.routes.js";
