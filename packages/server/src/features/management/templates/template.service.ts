import type { Context } from "../../../platform/context.js";
import { change, type Requested } from "../../../recording/index.js";
import { knownProject } from "../../projects/index.js";
import {
  knownTemplate,
  readTemplates,
  storeTemplate,
  type TemplateBody,
  type TemplateList,
  type TemplateQuery,
} from "../../templates/index.js";
import type { TemplateCopy } from "./template.schemas.js";

/** The templates of any project of the organization (platform.md §9). */
export async function readTemplatesOf(
  context: Context,
  project_id: string,
  query: TemplateQuery,
): Promise<TemplateList> {
  const { timezone } = await knownProject(context.db, project_id);
  return readTemplates(context, project_id, { instant: context.clock.now(), time_zone: timezone }, query);
}

/** Copies a template into another project. What it names is made there when it is used, and not before. */
export async function copyTemplate(
  context: Context,
  cause: Requested,
  from: { project_id: string; template_id: string },
  { name, description }: TemplateCopy,
): Promise<TemplateBody> {
  return change(context, cause, async (change) => {
    await knownProject(change.tx, from.project_id);
    const template = await knownTemplate(change.tx, from.project_id, from.template_id);
    await knownProject(change.tx, cause.project_id);
    const { campaign_type, content } = template;
    const said = description === undefined ? template.description : description;
    return storeTemplate(change, { name, description: said, campaign_type, content });
  });
}
