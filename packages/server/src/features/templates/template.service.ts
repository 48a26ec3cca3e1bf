import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import { violatedConstraint } from "../../platform/db/database-errors.js";
import { followedBy } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { filterCondition, pageOf, type Today } from "../../platform/listing/index.js";
import { type Change, change } from "../../recording/index.js";
import type { Call } from "../projects/index.js";
import { holdingCampaign, holdingTier } from "./saving.js";
import { toTemplateBody, toWholeTemplate } from "./template.body.js";
import { templateFilterable } from "./template.filters.js";
import type { CampaignTemplate } from "./template.js";
import type {
  TemplateBody,
  TemplateCreate,
  TemplateList,
  TemplateQuery,
  TemplateUpdate,
  TemplateWhole,
} from "./template.schemas.js";
import { deleteTemplate, findTemplate, insertTemplate, listTemplates, updateTemplate } from "./template.store.js";

/** `POST /v1/templates/campaigns`: of a campaign or of a promotion tier, as it is now (vouchers-and-campaigns.md §17). */
export async function createTemplate(context: Context, call: Call, input: TemplateCreate): Promise<TemplateBody> {
  const { campaign_id = null, promotion_tier_id = null, name, description = null } = input;
  if ((campaign_id === null) === (promotion_tier_id === null)) {
    throw problems.invalidPayload(
      "Payload must have exactly one of the properties .campaign_id and .promotion_tier_id",
    );
  }
  const { project_id } = call;
  return change(context, call, async (change) => {
    const held =
      campaign_id !== null
        ? await holdingCampaign(change.tx, project_id, campaign_id)
        : await holdingTier(change.tx, project_id, promotion_tier_id ?? "");
    return storeTemplate(change, { ...held, name, description });
  });
}

/** Writes a new template, in the change that makes it. */
export async function storeTemplate(
  { tx, cause: { project_id, instant } }: Change,
  fields: Pick<CampaignTemplate, "name" | "description" | "campaign_type" | "content">,
): Promise<TemplateBody> {
  const template = { ...fields, id: newId("camp_tpl"), created_at: instant, updated_at: null };
  if ((await insertTemplate(tx, project_id, template)) === 0) throw nameTaken(template.name);
  return toTemplateBody(template);
}

export async function readTemplate({ db }: Context, call: Call, id: string, is_whole: boolean): Promise<TemplateWhole> {
  const template = await knownTemplate(db, call.project_id, id);
  return is_whole ? toWholeTemplate(template) : toTemplateBody(template);
}

/** The templates of a project by cursor, also for the organization, which asks about any. */
export async function readTemplates(
  { db }: Context,
  project_id: string,
  today: Today,
  query: TemplateQuery,
): Promise<TemplateList> {
  const filters = query.filters ? filterCondition(query.filters, templateFilterable, today) : null;
  const { rows, total, has_more } = await listTemplates(db, project_id, filters, query.order ?? "-id", pageOf(query));
  return {
    object: "list",
    data_ref: "data",
    data: rows.map(toTemplateBody),
    ...(query.include_total ? { total } : {}),
    ...followedBy(has_more, rows),
  };
}

export async function changeTemplate(
  context: Context,
  call: Call,
  id: string,
  input: TemplateUpdate,
): Promise<TemplateBody> {
  try {
    return await change(context, call, async ({ tx }) => {
      const template = await updateTemplate(tx, call.project_id, id, input, call.instant);
      if (!template) throw problems.notFound("campaign_template", id);
      return toTemplateBody(template);
    });
  } catch (error) {
    if (violatedConstraint(error) === "campaign_templates_name" && input.name) throw nameTaken(input.name);
    throw error;
  }
}

/** For good: there is no bin for templates. */
export async function removeTemplate(context: Context, call: Call, id: string): Promise<void> {
  await change(context, call, async ({ tx }) => {
    if ((await deleteTemplate(tx, call.project_id, id)) === 0) throw problems.notFound("campaign_template", id);
  });
}

/** The template, or a 404. */
export async function knownTemplate(db: Queries, project_id: string, id: string): Promise<CampaignTemplate> {
  const template = await findTemplate(db, project_id, id);
  if (!template) throw problems.notFound("campaign_template", id);
  return template;
}

const nameTaken = (name: string) => problems.duplicate("campaign_template", name, "name");
