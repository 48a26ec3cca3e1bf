export * from "./counters.store.js";
export * from "./ledger.store.js";
export { localDay } from "./local-day.js";
export { books } from "./parts.js";
export * from "./redemptions.store.js";
export * from "./sessions.store.js";
export * from "./standing.store.js";
export * from "./units.store.js";
export * from "./usage.store.js";
