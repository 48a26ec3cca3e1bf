export { consumers } from "./totals.consumer.js";
export { type CountedFact, type HourTotal, listHours, listRefusalKeys } from "./totals.store.js";
