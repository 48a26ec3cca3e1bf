export type { Binned, BinRemoval } from "./bin.js";
export { binRoutes } from "./bin.routes.js";
export { putInBin } from "./bin.service.js";
