export { type BuiltPages, readBuiltPages } from "./built.js";
export { servePages } from "./serve.js";
