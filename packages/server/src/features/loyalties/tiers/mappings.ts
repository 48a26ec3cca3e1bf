import type { PointsMapping } from "@guerdon/engine";
import type { Queries } from "../../../platform/db/database.js";
import { problems } from "../../../platform/http/problems.js";
import { findAssignmentsByIds, findRewardsByIds } from "../../rewards/index.js";
import type { LoyaltyTier } from "./loyalty-tier.js";
import type { MappingInput, TierInput } from "./loyalty-tier.schemas.js";

/** What a tier makes of points or of prices, as it is kept: of each mapping what its type takes. */
export const mappingsOf = (
  tier: TierInput,
  of: "earning_rules" | "rewards",
  at: number,
): Record<string, PointsMapping> =>
  Object.fromEntries(
    Object.entries(tier[of] ?? {}).map(([id, mapping]) => [id, mappingOf(mapping, `[${at}].${of}.${id}`)]),
  );

function mappingOf({ type, multiplier, points }: MappingInput, path: string): PointsMapping {
  const missing = (name: string) =>
    problems.invalidPayload(`Property ${path} should have required property '${name}' where type is ${type}`);
  if (type === "MULTIPLY") {
    if (multiplier === undefined) throw missing("multiplier");
    return { type, multiplier };
  }
  if (points === undefined) throw missing("points");
  return { type, points };
}

/**
 * Points that pay for an order have no price that a tier could replace (loyalty.md §9.3): such a mapping would count for
 * nothing. By the assignment or by the reward; ids that are nobody's are kept as they are given.
 */
export async function assertPricesMeant(
  db: Queries,
  project_id: string,
  made: readonly Pick<LoyaltyTier, "rewards">[],
): Promise<void> {
  const custom = made.flatMap(({ rewards }, i) =>
    Object.entries(rewards).flatMap(([id, { type }]) => (type === "CUSTOM" ? { i, id } : [])),
  );
  if (custom.length === 0) return;
  const ids = [...new Set(custom.map(({ id }) => id))];
  const assignments = await findAssignmentsByIds(db, project_id, ids);
  const reward_of = new Map(assignments.map(({ id, reward_id }) => [id, reward_id]));
  const rewards = await findRewardsByIds(db, project_id, [...ids, ...reward_of.values()]);
  const coins = new Set(rewards.flatMap(({ id, type }) => (type === "COIN" ? id : [])));
  const wrong = custom.find(({ id }) => coins.has(reward_of.get(id) ?? id));
  if (!wrong) return;
  throw problems.invalidPayload(
    `Property [${wrong.i}].rewards.${wrong.id}.type must be MULTIPLY: a reward that pays with points has no price`,
  );
}
