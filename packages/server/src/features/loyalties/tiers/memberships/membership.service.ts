import type { Day } from "@guerdon/engine";
import { isoOf } from "../../../../platform/clock.js";
import type { Context } from "../../../../platform/context.js";
import { listBody } from "../../../../platform/http/lists.js";
import type { Call } from "../../../projects/index.js";
import { knownCard } from "../../members/index.js";
import type { TierExpirationBody } from "../loyalty-tier.schemas.js";
import { toTierBody } from "../loyalty-tier.service.js";
import { findTiersByIds } from "../loyalty-tier.store.js";
import { findTierMembers } from "./membership.store.js";

/** `GET /v1/loyalties/members/:memberId/tiers`: the tier that the member is in, and the one that is ahead (loyalty.md §8.1). */
export async function readTiersOfMember({ db }: Context, call: Call, code_or_id: string) {
  const { project_id } = call;
  const card = await knownCard(db, call, code_or_id, null);
  const [member] = await findTierMembers(db, project_id, [card.id]);
  if (!member) return listBody("data", [], 0);
  const { campaign_id, created_at, updated_at } = member;
  const stays = [
    stayOf(member.tier_id, member.start_date, member.expiration_date),
    stayOf(member.next_tier_id, member.next_start_date, member.next_expiration_date),
  ].flatMap((stay) => stay ?? []);
  const ids = stays.map(({ tier_id }) => tier_id);
  const tiers = new Map((await findTiersByIds(db, project_id, ids)).map((tier) => [tier.id, tier]));
  const data = stays.flatMap(({ tier_id, start_date, expiration_date }) => {
    const tier = tiers.get(tier_id);
    if (!tier) return [];
    const expiration: TierExpirationBody = {
      customer_id: card.holder_id,
      campaign_id,
      tier_id,
      start_date,
      ...(expiration_date === null ? {} : { expiration_date }),
      created_at: isoOf(created_at),
      updated_at: isoOf(updated_at),
    };
    return toTierBody(tier, expiration_date === null ? undefined : expiration);
  });
  return listBody("data", data, data.length);
}

const stayOf = (tier_id: string | null, start_date: Day | null, expiration_date: Day | null) =>
  tier_id !== null && start_date !== null ? { tier_id, start_date, expiration_date } : null;
