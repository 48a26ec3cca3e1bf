export { StartRefused } from "./refused.js";
export { startEmbeddedPostgres } from "./start.js";
export type { EmbeddedPostgres, StartLog } from "./watch.js";
