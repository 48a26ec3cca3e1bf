export type { StartLog } from "./become-owner.js";
export { StartRefused } from "./refused.js";
export { startEmbeddedPostgres } from "./start.js";
export type { EmbeddedPostgres } from "./watch.js";
