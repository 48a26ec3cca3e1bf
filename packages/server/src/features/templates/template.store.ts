import { type Instant, isoOf } from "../../platform/clock.js";
import type { Database, Queries, Tx } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { fieldsBut, insertInto, json, table, text, timestamptz } from "../../platform/db/table.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";
import type { CampaignTemplate, TemplateHead } from "./template.js";

const campaign_templates = table<CampaignTemplate>("campaign_templates", {
  id: text,
  name: text,
  description: text,
  campaign_type: text,
  content: json,
  created_at: timestamptz,
  updated_at: timestamptz,
});
const head = fieldsBut(campaign_templates, ["content"]);

/** Answers how many were written: none where the name is taken. */
export const insertTemplate = (tx: Tx, project_id: string, template: CampaignTemplate) =>
  tx.run(sql`${insertInto(campaign_templates, project_id, [template])} on conflict do nothing`);

export const findTemplate = (db: Queries, project_id: string, id: string) =>
  db.maybe<CampaignTemplate>(sql`
    select ${campaign_templates.fields} from campaign_templates
     where campaign_templates.project_id = ${project_id} and campaign_templates.id = ${id}`);

/** What is undefined stays. */
export const updateTemplate = (
  tx: Tx,
  project_id: string,
  id: string,
  { name, description }: { name?: string; description?: string | null },
  instant: Instant,
) =>
  tx.maybe<TemplateHead>(sql`
    update campaign_templates
       set name = coalesce(${name ?? null}::text, campaign_templates.name),
           description = case when ${description === undefined} then campaign_templates.description
                              else ${description ?? null}::text end,
           updated_at = ${isoOf(instant)}
     where campaign_templates.project_id = ${project_id} and campaign_templates.id = ${id}
    returning ${head}`);

/** Answers how many there were. */
export const deleteTemplate = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`
    delete from campaign_templates
     where campaign_templates.project_id = ${project_id} and campaign_templates.id = ${id}`);

export const listTemplates = (
  db: Database,
  project_id: string,
  filters: Sql | null,
  order: "id" | "-id",
  page: Page,
): Promise<Listed<TemplateHead>> =>
  readList<TemplateHead>(
    db,
    project_id,
    { table: sql`campaign_templates`, fields: head },
    {
      conditions: filters ? [filters] : [],
      order: orderOf(order, { id: { keys: [sql`campaign_templates.id`] } }),
      page,
    },
  );
