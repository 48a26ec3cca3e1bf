import type { Context } from "../../../platform/context.js";
import type { Queries } from "../../../platform/db/database.js";
import { problems } from "../../../platform/http/problems.js";
import {
  type Campaign,
  type CampaignUpdate,
  changeCampaign,
  createCampaign,
  knownCampaign,
  type Recalculating,
  readCampaign,
  removeCampaign,
} from "../../campaigns/index.js";
import type { Call } from "../../projects/index.js";
import type { ProgramCreate } from "./program.schemas.js";

/** The loyalty campaign with this id or name; a campaign of another type is as unknown as none (loyalty.md §1.2). */
export async function knownProgram(db: Queries, project_id: string, id_or_name: string): Promise<Campaign> {
  const campaign = await knownCampaign(db, project_id, id_or_name);
  if (campaign.campaign_type !== "LOYALTY_PROGRAM") throw problems.notFound("campaign", id_or_name);
  return campaign;
}

export const createProgram = (context: Context, call: Call, input: ProgramCreate) =>
  createCampaign(context, call, { ...input, campaign_type: "LOYALTY_PROGRAM" });

export async function readProgram(context: Context, call: Call, id_or_name: string) {
  const { id } = await knownProgram(context.db, call.project_id, id_or_name);
  return readCampaign(context, call, id);
}

export async function changeProgram(
  context: Context,
  call: Call,
  id_or_name: string,
  input: CampaignUpdate,
  recalculating: Recalculating,
) {
  const { id } = await knownProgram(context.db, call.project_id, id_or_name);
  return changeCampaign(context, call, id, input, recalculating);
}

export async function removeProgram(context: Context, call: Call, id_or_name: string, force: boolean) {
  const { id } = await knownProgram(context.db, call.project_id, id_or_name);
  return removeCampaign(context, call, id, force);
}
