import type { StackingRules } from "@guerdon/engine";
import type { Catalogue } from "../catalogue/index.js";
import { slices } from "../platform/sharing/slices.js";
import { unitTypesOf } from "../terms/index.js";
import { compoundOf, kindOf, publishedOf, type Wanted } from "./kinds/index.js";
import type { Named } from "./named.js";
import type { DecidingRequest } from "./requests/request.js";
import type { RedeemableInput } from "./requests/request.schemas.js";
import type { Ruled } from "./ruled.js";
import type { SharedFacts } from "./shared-facts.js";
import { askForCounts } from "./situation/memberships.js";

/** What each of the redeemables stands for: itself, or others in their order. One that does not exist stands for itself. */
export const resolved = (catalogue: Catalogue, redeemables: readonly RedeemableInput[]): readonly RedeemableInput[] =>
  redeemables.flatMap((redeemable) => compoundOf(redeemable.object)?.singles(catalogue, redeemable.id) ?? [redeemable]);

/** What a request asks for, one by one: all that is found, ruled, counted, held and decided. */
export function singlesOf(named: Named, request: DecidingRequest): readonly RedeemableInput[] {
  const { redeemables } = request;
  if (!redeemables.some(({ object }) => compoundOf(object))) return redeemables;
  const singles = named.singles.get(request) ?? resolved(named.catalogue, redeemables);
  named.singles.set(request, singles);
  return singles;
}

/** What the requests ask for of one kind; null where they ask for none. */
export function wantedOf(named: Named, requests: readonly DecidingRequest[], kind: string): Wanted | null {
  const asked = requests.flatMap((request) => singlesOf(named, request).filter(({ object }) => object === kind));
  return asked.length === 0 ? null : { ids: [...new Set(asked.map(({ id }) => id))], asked, requests };
}

const asked_for_singles = { promotion_stack_id: null };

/** How the rows of a request's redemptions name what it asked for, where that stands for others: it stands alone. */
export function compoundColumns({ catalogue }: Named, { redeemables }: DecidingRequest) {
  for (const { object, id } of redeemables) {
    const compound = compoundOf(object);
    if (compound?.singles(catalogue, id)) return compound.columns(id);
  }
  return asked_for_singles;
}

/** Products and SKUs that what a request asks for gives away, as far as it is known. */
export const unitsGiven = (shared: SharedFacts, request: DecidingRequest): string[] =>
  singlesOf(shared, request).flatMap(({ object, id }) => {
    const discount = kindOf(object)?.discount(shared, id);
    return discount ? unitTypesOf(discount) : [];
  });

/** How what a request asks for goes together. */
export const stackingRulesOf = ({ catalogue }: Named, { stacking_rules }: DecidingRequest): StackingRules =>
  stacking_rules ?? catalogue.stacking_rules;

/** What rules hold for a redeemable, found out once; undefined for one that does not exist. */
export function ruledBy(named: Named, redeemable: RedeemableInput): Ruled | undefined {
  const { object } = redeemable;
  const name = nameOfRuled(redeemable);
  const known = named.ruled.get(object, name);
  if (known || named.ruled.has(object, name)) return known;
  const ruled = kindOf(object)?.ruled(named, redeemable);
  named.ruled.set(object, name, ruled);
  return ruled;
}

/** Makes rules known that hold for something the catalogue does not have. */
export function keepRuled(named: Named, redeemable: RedeemableInput, ruled: Ruled): void {
  named.ruled.set(redeemable.object, nameOfRuled(redeemable), ruled);
}

/** What a card is spent on has rules of its own. */
const nameOfRuled = ({ id, reward }: RedeemableInput) => (reward ? `${id} ${reward.id} ${reward.assignment_id}` : id);

/** The same of one that a request was decided about, by its own id. */
export function ruledIn(named: Named, request: DecidingRequest, own_id: string): Ruled | undefined {
  for (const redeemable of singlesOf(named, request)) {
    const ruled = ruledBy(named, redeemable);
    if (ruled?.object_id === own_id) return ruled;
  }
  return undefined;
}

/** Finds out all rules of what is asked for. Those that are compiled for it may be long: others have turns in between. */
export async function findRules(named: Named, requests: readonly DecidingRequest[]): Promise<void> {
  const pause = slices();
  for (const request of requests) {
    for (const redeemable of singlesOf(named, request)) {
      ruledBy(named, redeemable);
      const others = pause();
      if (others !== undefined) await others;
    }
  }
}

/** Ids of the segments that the rules of the request's redeemables ask about. */
export function segmentsAsked(named: Named, request: DecidingRequest): string[] {
  const ids = singlesOf(named, request).flatMap((redeemable) =>
    (ruledBy(named, redeemable)?.rules ?? []).flatMap(({ segments }) => segments),
  );
  return ids.length === 0 ? ids : [...new Set(ids)];
}

/** Ids of the request's vouchers whose amounts hang on what was written when they were published. */
export const publicationsAsked = (shared: SharedFacts, request: DecidingRequest): string[] =>
  singlesOf(shared, request).flatMap(
    (redeemable) => publishedOf(shared, redeemable, ruledBy(shared, redeemable)?.rules ?? []) ?? [],
  );

/** Whether a rule of the request asks about loyalty tiers. */
export const asksForTiers = (named: Named, request: DecidingRequest): boolean =>
  singlesOf(named, request).some((redeemable) =>
    (ruledBy(named, redeemable)?.rules ?? []).some(({ loyalty_tiers }) => loyalty_tiers.length > 0),
  );

/** Whether something of the request hangs on what a redemption before it in its batch has changed, and is not kept of it. */
export const isOutdated = (shared: SharedFacts, request: DecidingRequest): boolean =>
  (shared.isCounted(request.customer) && askForCounts(shared, segmentsAsked(shared, request))) ||
  request.redeemables.some((one) => kindOf(one.object)?.isOutdated?.(shared, request, one));
