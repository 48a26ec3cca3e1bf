export {
  InapplicableSchema,
  OrderViewSchema,
  RedeemableSchema,
  SessionSchema,
  SkippedSchema,
  StackingRulesSchema,
} from "./answer.schemas.js";
export { moveCounters, ruledBy } from "./counters.js";
export { factsOf } from "./facts-of.js";
export { asksForCounts } from "./memberships.js";
export { type OrderView, orderView } from "./order-view.js";
export { createGatherer } from "./read-facts.js";
export { redeemableView } from "./redeemable-view.js";
export { refusalBody, request_refusals } from "./refusals.js";
export { type DecidingRequest, decidingRequest } from "./request.js";
export { DecidingBody, type SessionInput, SingleBody } from "./request.schemas.js";
export type { SharedFacts } from "./shared-facts.js";
export { stackingRulesView } from "./stacking-view.js";
export { trackingIdOf, trackingOf } from "./tracking.js";
export { changeOnFacts, type Deciding } from "./under-keys.js";
export { itemUnits } from "./unit-usage.js";
export { spendUnits } from "./unit-usage-facts.js";
