export { type BuiltPages, madePage, type PageFile, readBuiltPages } from "./built.js";
export { sendPage, servePages } from "./serve.js";
