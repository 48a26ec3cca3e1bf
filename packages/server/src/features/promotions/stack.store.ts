import type { Database, Queries, Tx } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { insertInto, jsonb, table, text, timestamptz, upsertInto } from "../../platform/db/table.js";
import { type Between, isBetween } from "../../platform/http/lists.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";
import type { PromotionStack } from "./stack.js";
import type { StackOrder } from "./stack.schemas.js";

const promotion_stacks = table<PromotionStack>("promotion_stacks", {
  id: text,
  campaign_id: text,
  name: text,
  tier_ids: jsonb,
  category_id: text,
  created_at: timestamptz,
  updated_at: timestamptz,
});
const { fields } = promotion_stacks;

/** Of a campaign in the bin nothing is seen. */
const live = sql`promotion_stacks.campaign_id in (
  select campaigns.id from campaigns
   where campaigns.project_id = promotion_stacks.project_id and campaigns.deleted_at is null)`;

export const findStack = (db: Queries, project_id: string, campaign_id: string, id: string) =>
  db.maybe<PromotionStack>(sql`
    select ${fields} from promotion_stacks
     where promotion_stacks.project_id = ${project_id} and promotion_stacks.id = ${id}
       and promotion_stacks.campaign_id = ${campaign_id}`);

export const findStacksByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<PromotionStack>(sql`
    select ${fields} from promotion_stacks
     where promotion_stacks.project_id = ${project_id} and promotion_stacks.id = any(${ids}::text[])`);

/** The stacks of a campaign, newest first. */
export const findStacksOfCampaign = (db: Queries, project_id: string, campaign_id: string) =>
  db.many<PromotionStack>(sql`
    select ${fields} from promotion_stacks
     where promotion_stacks.project_id = ${project_id} and promotion_stacks.campaign_id = ${campaign_id}
     order by promotion_stacks.created_at desc, promotion_stacks.id desc`);

const changed_at = sql`coalesce(promotion_stacks.updated_at, promotion_stacks.created_at)`;
const id = sql`promotion_stacks.id`;
const sort_keys = {
  created_at: { keys: [sql`promotion_stacks.created_at`, id] },
  updated_at: { keys: [changed_at, id] },
  name: { keys: [sql`promotion_stacks.name`, id] },
};

export function listStacks(
  db: Database,
  project_id: string,
  { created_at, updated_at }: { created_at: Between; updated_at: Between },
  order: StackOrder,
  page: Page,
): Promise<Listed<PromotionStack>> {
  const conditions: Sql[] = [
    live,
    ...isBetween(sql`promotion_stacks.created_at`, created_at),
    ...isBetween(sql`promotion_stacks.updated_at`, updated_at, changed_at),
  ];
  return readList<PromotionStack>(
    db,
    project_id,
    { table: sql`promotion_stacks`, fields },
    { conditions, order: orderOf(order, sort_keys), page },
  );
}

export const insertStack = (tx: Tx, project_id: string, stack: PromotionStack) =>
  tx.run(insertInto(promotion_stacks, project_id, [stack]));

export async function updateStacks(tx: Tx, project_id: string, stacks: readonly PromotionStack[]): Promise<void> {
  if (stacks.length > 0) await tx.run(upsertInto(promotion_stacks, project_id, stacks, ["campaign_id", "created_at"]));
}

export const deleteStacks = (tx: Tx, project_id: string, ids: readonly string[]) =>
  tx.run(sql`
    delete from promotion_stacks
     where promotion_stacks.project_id = ${project_id} and promotion_stacks.id = any(${ids}::text[])`);

const stackTexts = (project_id: string, which: Sql) => sql`
  select promotion_stacks.id,
         json_build_array(promotion_stacks.campaign_id, promotion_stacks.category_id, promotion_stacks.tier_ids,
                          (extract(epoch from promotion_stacks.created_at) * 1000)::bigint)::text as text
    from promotion_stacks
   where promotion_stacks.project_id = ${project_id} and ${which}`;

/** A page of the stacks in the order of their ids: what a catalogue begins with. */
export const stackTextsAfter = (project_id: string, after_id: string, limit: number) =>
  stackTexts(project_id, sql`${id} > ${after_id} order by ${id} limit ${limit}`);

export const stackTextsOfIds = (project_id: string, ids: readonly string[]) =>
  stackTexts(project_id, sql`${id} = any(${ids}::text[])`);
