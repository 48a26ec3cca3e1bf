import { type Day, type ExpirationRules, expiresOn } from "@guerdon/engine";
import type { Queries } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";

/** Which day is the last of points that a program gives on a day; null where they do not expire. */
export type LastDayOf = (campaign_id: string | null, day: Day) => Day | null;

/** Reads how points of programs expire by the programs' rules as they are now (loyalty.md §6.1). */
export async function readLastDays(
  db: Queries,
  project_id: string,
  campaign_ids: readonly (string | null)[],
): Promise<LastDayOf> {
  const ids = [...new Set(campaign_ids.filter((id) => id !== null))];
  const rules = ids.length === 0 ? [] : await findExpirationRules(db, project_id, ids);
  const by_campaign = new Map(rules.map(({ id, expiration_rules }) => [id, expiration_rules]));
  return (campaign_id, day) => expiresOn(by_campaign.get(campaign_id ?? ""), day);
}

const findExpirationRules = (db: Queries, project_id: string, campaign_ids: readonly string[]) =>
  db.many<{ id: string; expiration_rules: ExpirationRules }>(sql`
    select campaigns.id, campaigns.voucher -> 'loyalty_card' -> 'expiration_rules' as expiration_rules from campaigns
     where campaigns.project_id = ${project_id} and campaigns.id = any(${campaign_ids}::text[])
       and campaigns.voucher -> 'loyalty_card' -> 'expiration_rules' is not null`);
