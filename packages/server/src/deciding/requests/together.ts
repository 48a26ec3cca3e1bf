import { isSingle } from "@guerdon/engine";
import type { FastifyRequest } from "fastify";
import type { Catalogues } from "../../catalogue/index.js";
import { type Call, callOf } from "../../features/projects/index.js";
import type { Context } from "../../platform/context.js";
import { type Problem, problems } from "../../platform/http/problems.js";
import { refusals } from "../../terms/index.js";
import { type DecidingRequest, decidingRequest } from "./request.js";
import type { DecidingBody, RedeemableInput } from "./request.schemas.js";
import type { Tracking } from "./tracking.js";

interface Knowing {
  context: Context;
  catalogues: Catalogues;
}

/**
 * Reads a request that names several redeemables (redemption.md §4, A3 to A5). How many they may be is found out with what is
 * decided on, and asked for here only where something else is wrong with them, since too many is told first.
 */
export async function requestTogether(
  deciding: Knowing,
  call: Call,
  body: DecidingBody,
  tracking: Tracking,
): Promise<DecidingRequest> {
  if (faultOf(body.redeemables)) await assertTogether(deciding, call, body);
  return decidingRequest(call, body, tracking);
}

/** For `before_metadata` of a route with a `DecidingBody`. */
export const togetherBeforeMetadata = (deciding: Knowing) => (request: FastifyRequest) =>
  assertTogether(deciding, callOf(request), request.body as DecidingBody);

async function assertTogether(
  { context: { db }, catalogues }: Knowing,
  { project_id, version }: Call,
  { redeemables }: DecidingBody,
): Promise<void> {
  if (redeemables.length === 1) return;
  const { stacking_rules } = await catalogues.at(db, project_id, version);
  assertNotTooMany(redeemables, stacking_rules.redeemables_limit);
  const fault = faultOf(redeemables);
  if (fault) throw fault;
}

/** A stack counts as one (redemption.md §4, A3). */
export function assertNotTooMany({ length }: readonly RedeemableInput[], limit: number): void {
  if (length > limit) throw problems.invalidPayload(`Property .redeemables must NOT have more than ${limit} items`);
}

/** Anything stands once, a stack alone. A code and the id of one voucher are found out after they are read. */
function faultOf(redeemables: readonly RedeemableInput[]): Problem | null {
  const names = new Set(redeemables.map(({ object, id }) => `${object} ${id}`));
  if (names.size < redeemables.length) return refusals.duplicatedRedeemables();
  return redeemables.length > 1 && redeemables.some(({ object }) => !isSingle(object)) ? refusals.mixedStack() : null;
}
