import {
  checkOrder,
  type DecidedRedeemable,
  type DecisionFacts,
  type OrderInput,
  type RedeemableFacts,
  type UnitObject,
  type Work,
} from "@guerdon/engine";
import { laidOver, toOrderInput } from "../features/orders/index.js";
import { problems } from "../platform/http/problems.js";
import { apiKeyIdOf, refusals, userLoginOf } from "../terms/index.js";
import { ruledBy, segmentsAsked, singlesOf, stackingRulesOf, unitsGiven } from "./candidates.js";
import { countersOf } from "./counting/counters.js";
import { unitsDiscounted } from "./counting/unit-usage-facts.js";
import { compoundOf, kindOf, type RuleFacts } from "./kinds/index.js";
import type { DecidingRequest } from "./requests/request.js";
import type { RedeemableInput } from "./requests/request.schemas.js";
import { assertNotTooMany } from "./requests/together.js";
import type { SharedFacts } from "./shared-facts.js";
import { inCollections } from "./situation/collections.js";
import { customerFacts } from "./situation/customer-facts.js";
import { peopleIn } from "./situation/subject.js";

/**
 * What one request's decision looks at, out of what the batch shares. Throws the problem of a request that no decision can
 * be asked about: an unknown id, one voucher by two names, an order that no sum can hold.
 */
export function factsOf(shared: SharedFacts, request: DecidingRequest, work: Work): DecisionFacts {
  assertNotTooMany(request.redeemables, stackingRulesOf(shared, request).redeemables_limit);
  assertKnown(shared, request);
  assertNotTwice(shared, request);
  return factsOn(shared, request, orderFacts(shared, request), work);
}

/** The same of candidates that nobody has named, however many they are, on an order that has been read before. */
export function factsOn(
  shared: SharedFacts,
  request: DecidingRequest,
  order: OrderInput | null,
  work: Work,
): DecisionFacts {
  const { project } = shared.catalogue;
  const in_collection = inCollections(shared.catalogue, request.call.instant, work);
  const redeemables = request.redeemables.map((redeemable) =>
    redeemableFacts(shared, request, redeemable, in_collection),
  );
  return {
    time_zone: project.timezone,
    stacking_rules: stackingRulesOf(shared, request),
    customer: customerFacts(shared, request, segmentsAsked(shared, request), work),
    order,
    metadata: request.metadata,
    redeemables,
    unit_objects: unitObjects(shared, request),
    in_collection,
    work,
    api_key_id: apiKeyIdOf(request.call.caller),
    user_login: userLoginOf(request.call.caller),
  };
}

/** An id that names nothing is the caller's mistake; an unknown source id is a newcomer (redemption.md §4 A7). */
export function assertKnown(shared: SharedFacts, request: DecidingRequest): void {
  const { order } = request;
  for (const one of peopleIn(request)) if (one.id && !shared.customer(one)) throw problems.notFound("customer", one.id);
  if (order?.id && !shared.order(order)) throw problems.notFound("order", order.id);
}

/** A code and the id of one voucher are the same redeemable (redemption.md §4 A4). */
function assertNotTwice(shared: SharedFacts, request: DecidingRequest): void {
  const ids = singlesOf(shared, request).flatMap((redeemable) => ruledBy(shared, redeemable)?.object_id ?? []);
  if (new Set(ids).size < ids.length) throw refusals.duplicatedRedeemables();
}

/** What the unit discounts give away; the engine makes do with the id of what is gone. */
function unitObjects(shared: SharedFacts, request: DecidingRequest) {
  return new Map(
    unitsGiven(shared, request).flatMap((unit_type): [string, UnitObject][] => {
      const object = shared.catalogue_of_lines.unit(unit_type);
      return object ? [[unit_type, object]] : [];
    }),
  );
}

/** A stored order is the base; named by id, what was sent is laid over it first (discounts.md §2). */
export function orderFacts(shared: SharedFacts, { order }: Pick<DecidingRequest, "order">): OrderInput | null {
  if (!order) return null;
  const stored = shared.order(order);
  const input = stored && !order.id ? toOrderInput(stored) : laidOver(stored, order, shared.catalogue_of_lines);
  assertCountable(input);
  return input;
}

function assertCountable(input: OrderInput): void {
  const fault = checkOrder(input);
  if (fault?.key === "invalid_amount") throw refusals.invalidAmount();
  if (fault) throw problems.invalidPayload(`Property .order.${fault.path} ${fault.problem}`);
}

type InCollection = ReturnType<typeof inCollections>;

function redeemableFacts(
  shared: SharedFacts,
  request: DecidingRequest,
  redeemable: RedeemableInput,
  in_collection: InCollection,
): RedeemableFacts {
  const { object, id } = redeemable;
  const compound = compoundOf(object);
  const singles = compound?.singles(shared.catalogue, id);
  if (!compound || !singles) return singleFacts(shared, request, redeemable, in_collection);
  const facts = singles.map((single) => singleFacts(shared, request, single, in_collection));
  return compound.facts(shared.catalogue, id, facts);
}

function singleFacts(
  shared: SharedFacts,
  request: DecidingRequest,
  redeemable: RedeemableInput,
  in_collection: InCollection,
): DecidedRedeemable {
  const { object, id } = redeemable;
  const rules = ruleFacts(shared, request, redeemable, in_collection);
  const facts = kindOf(object)?.facts(shared, request, redeemable, rules);
  return facts ?? { object, id, not_found: true };
}

function ruleFacts(
  shared: SharedFacts,
  request: DecidingRequest,
  redeemable: RedeemableInput,
  in_collection: InCollection,
): RuleFacts {
  const ruled = ruledBy(shared, redeemable);
  if (!ruled) return { rules: [], counters: new Map<string, number>() };
  return {
    rules: ruled.rules,
    counters: countersOf(shared, request, ruled),
    units_discounted: unitsDiscounted(shared, request, ruled, in_collection),
  };
}
