/**
 * The only door of the engine. Facts and an instant go in, decisions come out; nothing here reads a
 * clock, a database or a random source.
 */
import type { InputFault } from "./calendar/window-fault.js";
import { checkDiscount as checkWith } from "./discounts/check.js";
import { type CompiledDiscount, compileDiscount as compileWith } from "./discounts/compile.js";
import type { Discount } from "./facts.js";
import { parseFormula } from "./formulas/index.js";

export { type Day, daysAfter, startOfDay } from "./calendar/day.js";
export { addDuration, type Duration, parseDuration } from "./calendar/duration.js";
export { opensWithin } from "./calendar/opens-within.js";
export { ALWAYS, type CompiledWindow, compileWindow, inheritWindow, type WindowRefusal } from "./calendar/window.js";
export { checkWindow, type InputFault } from "./calendar/window-fault.js";
export { isTimeZone, localTime, zoneOf } from "./calendar/zone.js";
export {
  type CodeConfig,
  type CodeConfigInput,
  capacityOf,
  checkCapacity,
  codeAt,
  codeFault,
  foldCode,
  normaliseCodeConfig,
} from "./codes/code-config.js";
export { codeMaker, type NextByte } from "./codes/random-code.js";
export { type DecideOptions, decide, decideInTurns, decideOneByOne } from "./decision/decide.js";
export type { CheckStep, Explanation } from "./decision/explanation.js";
export {
  type CampaignFacts,
  type DecisionFacts,
  type GiftFacts,
  isSingle,
  type LoyaltyCardFacts,
  type MissingFacts,
  type PromotionStackFacts,
  type PromotionTierFacts,
  type RedeemableFacts,
  type RedeemableObject,
  type RewardFacts,
  type RewardSupply,
  redeemable_objects,
  type SingleObject,
  single_objects,
  type UnitCounterRef,
  unitCounterKey,
  type VoucherFacts,
} from "./decision/facts.js";
export type {
  Applicable,
  DecidedRedeemable,
  Decision,
  Inapplicable,
  Increments,
  Outcome,
  ResolvedItem,
  ResultValue,
  Skipped,
} from "./decision/outcome.js";
export type { RedeemableKind, Refusal, RulesRefusal } from "./decision/refusal.js";
export { kindOf } from "./decision/rules.js";
export type { DiscountInForce } from "./discounts/apply.js";
export type { BundleCount } from "./discounts/bundle.js";
export type { CompiledDiscount } from "./discounts/compile.js";
export type { UnitObject } from "./discounts/effect.js";
export { type PointsPayment, payWithPoints } from "./discounts/points.js";
export type { AmountStep, LineStep } from "./discounts/trace.js";
export type {
  ActivityWindow,
  CategoryFacts,
  CustomerFacts,
  Discount,
  Instant,
  RequestFacts,
  StackingRules,
} from "./facts.js";
export { KeptOn, oncePer } from "./kept-on.js";
export { type EarningFacts, type NotEarning, notEarning } from "./loyalty/earning.js";
export { type ExpirationRules, expiresOn } from "./loyalty/expiry.js";
export {
  addPoints,
  type Lot,
  nextExpiration,
  returnPoints,
  spendablePoints,
  takeFromLots,
  takePoints,
} from "./loyalty/lots.js";
export {
  type CompiledPoints,
  checkPointsFormula,
  compilePoints,
  type EarningSituation,
  type PointsSource,
} from "./loyalty/points.js";
export { checkTiersExpiration, type TierSettings, type TiersExpiration, tierSettings } from "./loyalty/tier-dates.js";
export { mappedPrice, mappedRatio, multiplied, multipliedFormula, type PointsMapping } from "./loyalty/tier-mapping.js";
export {
  collectedSince,
  moveTier,
  recalculateTier,
  type TierChange,
  type TierFacts,
  type TierMove,
  type TierStanding,
  type TierStay,
} from "./loyalty/tiers.js";
export { normaliseOrder } from "./orders/normalise.js";
export type { OrderInput, OrderLine, OrderLineInput, ProductFacts, RunningOrder, SkuFacts } from "./orders/order.js";
export { checkOrder, type OrderFault } from "./orders/order-fault.js";
export { type LinePart, type OrderPart, type Replacement, removePart, totalAmount } from "./orders/part.js";
export {
  type LineAmounts,
  type OrderAmounts,
  renderLineAmounts,
  renderOrderAmounts,
  renderRolledBackAmounts,
} from "./orders/render.js";
export { sentAgain, stillHeld } from "./orders/sent-again.js";
export {
  allOf,
  type CartFacts,
  cartFacts,
  createQualificationIndex,
  duringDates,
  type Predicates,
  predicatesOf,
  type QualificationIndex,
  someOf,
} from "./qualification/index.js";
export type * from "./rules/contract.js";
export { counterKey, scenarios } from "./rules/contract.js";
export {
  type CollectionDirectory,
  type CollectionSource,
  compileCollection,
  compileLocation,
  compileSegment,
  createCollectionDirectory,
  dayTest,
  type FilterClock,
  type Location,
  locationFault,
  type ProductCollection,
  type Segment,
  SUMMARY_FIELD,
} from "./rules/filters/index.js";
export {
  compileRule,
  faultOfSentRule,
  type RuleEnvironment,
  type RuleFault,
  type RuleSource,
  type ValidationRule,
  writtenEntries,
} from "./rules/index.js";
export { arrange, DEFAULT_STACKING_RULES, eligibilityOf, type SkipReason } from "./stacking/stacking.js";
export { TooMuchWork, Work, type WorkedOn, type WorkLimits } from "./work.js";

/** Parses a stored discount once, formulas included; what comes out is for {@link decide} (discounts.md §4, §10). */
export const compileDiscount = (discount: Discount): CompiledDiscount => compileWith(discount, parseFormula);

/** Checks a discount before it is stored; null when nothing is wrong (discounts.md §11). */
export const checkDiscount = (discount: unknown): InputFault | null => checkWith(discount, parseFormula);
