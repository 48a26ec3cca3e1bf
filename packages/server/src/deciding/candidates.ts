import { kindOf } from "./kinds/index.js";
import type { Named } from "./named.js";
import type { DecidingRequest } from "./requests/request.js";
import type { RedeemableInput } from "./requests/request.schemas.js";
import type { Ruled } from "./ruled.js";
import type { SharedFacts } from "./shared-facts.js";
import { askForCounts } from "./situation/memberships.js";

/** What rules hold for a redeemable, found out once; undefined for one that does not exist. */
export function ruledBy(named: Named, { object, id }: Pick<RedeemableInput, "object" | "id">): Ruled | undefined {
  const name = `${object} ${id}`;
  if (named.ruled.has(name)) return named.ruled.get(name);
  const ruled = kindOf(object)?.ruled(named, id);
  named.ruled.set(name, ruled);
  return ruled;
}

/** Ids of the segments that the rules of the request's redeemables ask about. */
export function segmentsAsked(named: Named, { redeemables }: DecidingRequest): string[] {
  const ids = redeemables.flatMap((redeemable) =>
    (ruledBy(named, redeemable)?.rules ?? []).flatMap(({ segments }) => segments),
  );
  return ids.length === 0 ? ids : [...new Set(ids)];
}

/** Whether a rule of the request hangs on counts that a redemption before it in its batch has changed. */
export const isOutdated = (shared: SharedFacts, request: DecidingRequest): boolean =>
  shared.isCounted(request.customer) && askForCounts(shared, segmentsAsked(shared, request));
