import { type CustomerFacts, normaliseOrder, type OrderInput, type Work } from "@guerdon/engine";
import type { Catalogue, Claim } from "../../catalogue/index.js";
import { loyaltyTierShelf } from "../../features/loyalties/tiers/index.js";
import { segmentShelf } from "../../features/segments/index.js";
import type { Queries } from "../../platform/db/database.js";
import { assertKnown, orderFacts } from "../facts-of.js";
import { readSituations } from "../gather.js";
import type { Situation } from "../promotion-candidates.js";
import type { DecidingRequest } from "../requests/request.js";
import { SharedFacts } from "../shared-facts.js";
import { customerFacts } from "../situation/customer-facts.js";
import { readLoyaltyTiers } from "../situation/loyalty-tiers.js";
import { askForCounts, readMemberships } from "../situation/memberships.js";

/** Segments that are judged before candidates are looked for. Of more than these, a candidate's own are judged with it. */
const judged_max = 200;

/** Who and what one qualification is about, read once. */
export interface Asked {
  shared: SharedFacts;
  /** Its lines have their names: every answer names a line alike. */
  order: OrderInput | null;
  /** What the index is asked with. */
  situation: Situation;
}

/** Reads the first stage of facts. Throws the problem of a request that names nobody's customer or order. */
export async function readAsked(
  db: Queries,
  catalogue: Catalogue,
  claim: Claim,
  request: DecidingRequest,
  work: Work,
): Promise<Asked> {
  const shared = new SharedFacts(catalogue.claimedBy(claim));
  await readSituations(db, shared, [request]);
  assertKnown(shared, request);
  const order = orderFacts(shared, request);
  const { timezone: time_zone } = catalogue.project;
  const { stacking_rules } = catalogue;
  const customer = await audienceOf(db, shared, request, work);
  const facts = { time_zone, stacking_rules, customer, order, metadata: request.metadata };
  const normalised = order === null ? null : normaliseOrder(order);
  const situation = { customer, order: normalised, facts, instant: request.call.instant, time_zone };
  // Without the segments, which nobody asks any more.
  return { shared: sharedOn(catalogue, shared, request), order, situation };
}

/**
 * The customer with all segments that may hold them: those that count what the customer did would take another round trip,
 * and are found out where a candidate hangs on one.
 */
async function audienceOf(
  db: Queries,
  shared: SharedFacts,
  request: DecidingRequest,
  work: Work,
): Promise<CustomerFacts | null> {
  if (request.customer === null) return null;
  const shelf = shared.catalogue.shelf(segmentShelf);
  const ids = [...shelf.rows()].map(({ id }) => id);
  const counting = shelf.size > judged_max ? ids : ids.filter((id) => askForCounts(shared, [id]));
  const unjudged = new Set(counting);
  const segment_ids = ids.filter((id) => !unjudged.has(id));
  const has_tiers = shared.catalogue.shelf(loyaltyTierShelf).size > 0;
  await Promise.all([
    readMemberships(db, shared, [{ subject: request, segment_ids }]),
    readLoyaltyTiers(db, shared, { subjects: has_tiers ? [request] : [], voucher_ids: [] }),
  ]);
  const customer = customerFacts(shared, request, segment_ids, work);
  return customer && { ...customer, segments: new Set([...customer.segments, ...counting]) };
}

/** The same about other candidates, on the catalogue that they were found in. */
export function sharedOn(catalogue: Catalogue, shared: SharedFacts, request: DecidingRequest): SharedFacts {
  const next = new SharedFacts(catalogue);
  const [customer, order] = [shared.customer(request.customer), shared.order(request.order)];
  if (customer) next.keepCustomer(customer);
  if (order) next.keepOrder(order);
  next.catalogue_of_lines = shared.catalogue_of_lines;
  return next;
}
