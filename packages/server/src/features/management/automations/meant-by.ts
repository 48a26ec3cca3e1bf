import type { Queries } from "../../../platform/db/database.js";
import { problems } from "../../../platform/http/problems.js";
import type { Change } from "../../../recording/index.js";
import { knownCampaign } from "../../campaigns/index.js";
import type { Project } from "../../projects/index.js";
import { waitForEntries } from "../../segments/index.js";
import { findRulesByIds } from "../../validation-rules/index.js";
import { findCustomEventSchemaByName } from "../custom-event-schemas/index.js";
import { type Automation, isAboutCampaign, isAboutSegment, type Message, mayPublish } from "./automation.js";
import type { AutomationInput } from "./automation.schemas.js";
import { compileTemplate } from "./template.js";

type Meant = Omit<Automation, "id" | "active" | "active_since" | "created_at" | "updated_at">;

/**
 * What the input asks for, once all that it names is there and fits together; whatever does not is refused by its name. A
 * segment that it waits for tells of those who enter from now on (rules.md §14).
 */
export async function meantBy(change: Change, project: Project, input: AutomationInput): Promise<Meant> {
  const { tx: db } = change;
  const { id: project_id } = project;
  const message = messageIn(input);
  const about = await aboutWhat(db, project_id, input.trigger);
  if (about.segment_id !== null) {
    const { instant } = change.cause;
    await waitForEntries(change, { project_id, project, instant }, about.segment_id, ".trigger.segment_id");
  }
  const { validation_rule_id = null } = input;
  if (validation_rule_id !== null && (await findRulesByIds(db, project_id, [validation_rule_id])).length === 0)
    throw problems.notFound("validation_rules", validation_rule_id);
  const published_campaign_id = await publishedBy(db, project_id, input);
  return { name: input.name, ...about, validation_rule_id, published_campaign_id, message };
}

type Trigger = AutomationInput["trigger"];

async function aboutWhat(db: Queries, project_id: string, { event, ...parameters }: Trigger) {
  const { segment_id = null, custom_event = null, campaign_id = null } = parameters;
  assertBelongs("segment_id", segment_id, event, isAboutSegment(event));
  assertBelongs("custom_event", custom_event, event, event === "customer.custom_event");
  assertBelongs("campaign_id", campaign_id, event, isAboutCampaign(event), { is_needed: false });
  if (custom_event !== null && !(await findCustomEventSchemaByName(db, project_id, custom_event)))
    throw problems.notFound("custom_event_schema", custom_event, "name");
  const campaign = campaign_id === null ? null : await knownCampaign(db, project_id, campaign_id);
  return { event, segment_id, custom_event, campaign_id: campaign?.id ?? null };
}

/** A parameter that says nothing about the event would be ignored, and one that is missing would mean everything. */
function assertBelongs(
  name: keyof Trigger,
  value: string | null,
  event: string,
  belongs: boolean,
  { is_needed }: { is_needed: boolean } = { is_needed: true },
): void {
  if (value !== null && !belongs)
    throw problems.invalidPayload(`Property .trigger.${name} must not be given with ${event}`);
  if (value === null && belongs && is_needed)
    throw problems.invalidPayload(`Property .trigger should have required property '${name}'`);
}

async function publishedBy(db: Queries, project_id: string, { action, trigger }: AutomationInput) {
  const { type, campaign_id = null } = action;
  if (type === "SEND") {
    if (campaign_id !== null) throw problems.invalidPayload("Property .action.campaign_id must not be given with SEND");
    return null;
  }
  if (!mayPublish(trigger.event))
    throw problems.invalidPayload(`Property .action.type must be SEND with ${trigger.event}`);
  if (campaign_id === null)
    throw problems.invalidPayload("Property .action should have required property 'campaign_id'");
  const campaign = await knownCampaign(db, project_id, campaign_id);
  if (campaign.voucher === null)
    throw problems.invalidPayload("Property .action.campaign_id must name a campaign that has codes");
  return campaign.id;
}

function messageIn({ action, channel }: AutomationInput): Message | null {
  if (!channel) {
    if (action.type === "SEND") throw problems.invalidPayload("Property .channel is required with SEND");
    return null;
  }
  const { event_name, payload = null, raw_payload = false } = channel;
  const compiled = payload === null ? null : compileTemplate(payload);
  if (compiled && "fault" in compiled) throw problems.invalidPayload(`Property .channel.payload ${compiled.fault}`);
  return { event_name, payload, is_raw: raw_payload };
}
