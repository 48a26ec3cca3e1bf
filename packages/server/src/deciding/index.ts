export {
  ApplicableItemsSchema,
  ExplanationSchema,
  InapplicableSchema,
  type OrderView,
  OrderViewSchema,
  RedeemableSchema,
  SessionSchema,
  SkippedSchema,
  StackingRulesSchema,
} from "./answers/answer.schemas.js";
export { createExplaining } from "./answers/explaining.js";
export { orderView } from "./answers/order-view.js";
export { applicableView, categoriesView, leftOut, redeemableViews } from "./answers/redeemable-view.js";
export { readShown, type Shown } from "./answers/shown.js";
export { stackingRulesView } from "./answers/stacking-view.js";
export { compoundColumns, ruledBy, ruledIn, stackingRulesOf } from "./candidates.js";
export { moveCounters } from "./counting/counters.js";
export { itemUnits } from "./counting/unit-usage.js";
export { spendUnits } from "./counting/unit-usage-facts.js";
export { decideRequest } from "./decide-request.js";
export type { Deciding } from "./deciding.js";
export { createGatherer } from "./gather.js";
export { type Happening, type JudgedHappening, judgeHappenings } from "./happenings.js";
export {
  kindOf,
  kinds,
  type RelatedObject,
  type RelatedObjects,
  rewardOf,
  voucherOf,
} from "./kinds/index.js";
export { promotionCandidates, type Situation } from "./promotion-candidates.js";
export {
  byNewest,
  type Candidate,
  candidates_at_once_max,
  no_sources,
  openQualification,
  type Place,
  type Qualification,
  type Qualified,
  type Qualifying,
  type Sources,
  type Traits,
} from "./qualifying/index.js";
export { createRecorder, type RecordOne } from "./recorder.js";
export { type DecidingRequest, decidingRequest, singleRequest } from "./requests/request.js";
export {
  CartBody,
  DecidingBody,
  PageDecidingBody,
  rowsOfRedeemables,
  type SessionInput,
  SingleBody,
  SituationBody,
  situation,
  ttl_units,
} from "./requests/request.schemas.js";
export { requestTogether, togetherBeforeMetadata } from "./requests/together.js";
export { type Tracking, tracking_id_length_max, trackingIdOf, trackingOf } from "./requests/tracking.js";
export { unsavedCode } from "./requests/unsaved.js";
export type { SharedFacts } from "./shared-facts.js";
export { orderInUse } from "./situation/orders-in-use.js";
export { referrerByCode, referrerOf } from "./situation/referrer.js";
