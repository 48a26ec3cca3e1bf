export { OwnedByAnother, type StartLog } from "./become-owner.js";
export { StartRefused } from "./refused.js";
export { runningPostgresUrl, startEmbeddedPostgres } from "./start.js";
export type { EmbeddedPostgres } from "./watch.js";
