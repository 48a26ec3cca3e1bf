export {
  InapplicableSchema,
  OrderViewSchema,
  RedeemableSchema,
  SessionSchema,
  SkippedSchema,
  StackingRulesSchema,
} from "./answer.schemas.js";
export { createBatcher, type Redeemer } from "./batch.js";
export { orderView } from "./order-view.js";
export { createGatherer } from "./read-facts.js";
export { type Deciding, type Recorded, recordRedemptions } from "./record.js";
export type { RecordedRedemption } from "./record-success.js";
export { redeemableView } from "./redeemable-view.js";
export { refusalBody, request_refusals } from "./refusals.js";
export { type DecidingRequest, decidingRequest } from "./request.js";
export { DecidingBody, SingleBody } from "./request.schemas.js";
export type { SharedFacts } from "./shared-facts.js";
export { stackingRulesView } from "./stacking-view.js";
export { trackingIdOf, trackingOf } from "./tracking.js";
export { type Validated, validate } from "./validate.js";
