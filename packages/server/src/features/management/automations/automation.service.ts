import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Tx } from "../../../platform/db/database.js";
import { listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { type Change, change, type Requested } from "../../../recording/index.js";
import { refusals } from "../../../terms/index.js";
import { knownProject, underProjectKey } from "../../projects/index.js";
import {
  assertTarget,
  channel_prefix,
  deleteChannel,
  headerNames,
  headersAfter,
  headersIn,
  writeChannel,
} from "../webhooks/index.js";
import { type Automation, automations_max, type StoredAutomation } from "./automation.js";
import type { AutomationBody, AutomationInput } from "./automation.schemas.js";
import {
  deleteAutomation,
  findAutomation,
  insertAutomation,
  listAutomations,
  lockAutomation,
  updateAutomation,
} from "./automation.store.js";
import { meantBy } from "./meant-by.js";

export async function createAutomation(
  context: Context,
  cause: Requested,
  input: AutomationInput,
): Promise<AutomationBody> {
  const headers = headersOf(context, input);
  const { project_id, instant } = cause;
  return change(context, cause, (change) =>
    underProjectKey(change, async (project) => {
      const { tx } = change;
      if ((await listAutomations(tx, project_id)).length >= automations_max)
        throw refusals.tooManyAutomations(automations_max);
      const automation: Automation = {
        id: newId(channel_prefix),
        ...(await meantBy(change, project, input)),
        active: input.active ?? true,
        active_since: instant,
        created_at: instant,
        updated_at: null,
      };
      if ((await insertAutomation(tx, project_id, automation)) === 0) throw nameTaken(input);
      return toBody(context, await withChannel(tx, project_id, automation, input, headersAfter(context, headers)));
    }),
  );
}

/** What a channel may be sent with, once its address is one. */
function headersOf(context: Context, { channel }: AutomationInput) {
  if (channel) assertTarget(context, channel, ".channel");
  return channel ? headersIn(channel, ".channel") : undefined;
}

export async function readAutomations(context: Context, project_id: string) {
  await knownProject(context.db, project_id);
  const automations = await listAutomations(context.db, project_id);
  return listBody(
    "data",
    automations.map((automation) => toBody(context, automation)),
    automations.length,
  );
}

export async function readAutomation(context: Context, project_id: string, id: string): Promise<AutomationBody> {
  await knownProject(context.db, project_id);
  return toBody(context, known(await findAutomation(context.db, project_id, id), id));
}

/** `active: true` begins anew, whether it was off or not, as with webhooks. */
export async function changeAutomation(
  context: Context,
  cause: Requested,
  id: string,
  input: AutomationInput,
): Promise<AutomationBody> {
  const headers = headersOf(context, input);
  const { project_id, instant } = cause;
  return change(context, cause, (change) =>
    underProjectKey(change, async (project) => {
      const { tx } = change;
      const { target_url: _, headers_sealed, ...stored } = known(await lockAutomation(tx, project_id, id), id);
      const automation: Automation = {
        ...stored,
        ...(await meantBy(change, project, input)),
        active: input.active ?? stored.active,
        active_since: input.active === true ? instant : stored.active_since,
        updated_at: instant,
      };
      if ((await updateAutomation(tx, project_id, automation)) === 0) throw nameTaken(input);
      const sealed = headersAfter(context, headers, headers_sealed);
      return toBody(context, await withChannel(tx, project_id, automation, input, sealed));
    }),
  );
}

export async function removeAutomation(context: Context, cause: Requested, id: string): Promise<void> {
  const { project_id } = cause;
  await change(context, cause, async ({ tx }: Change) => {
    await knownProject(tx, project_id);
    if ((await deleteAutomation(tx, project_id, id)) === 0) throw problems.notFound("automation", id);
    await deleteChannel(tx, project_id, id);
  });
}

/** Writes where the automation's messages go, or that they go nowhere. */
async function withChannel(
  tx: Tx,
  project_id: string,
  automation: Automation,
  { channel }: AutomationInput,
  headers_sealed: Buffer | null,
): Promise<StoredAutomation> {
  const { id, active, active_since, created_at, updated_at } = automation;
  const target_url = channel?.target_url ?? null;
  if (target_url === null) await deleteChannel(tx, project_id, id);
  else
    await writeChannel(tx, project_id, {
      ...{ id, target_url, headers_sealed, active, active_since, created_at, updated_at },
      failing_since: null,
    });
  return { ...automation, target_url, headers_sealed };
}

const nameTaken = ({ name }: AutomationInput) => problems.duplicate("automation", name, "name");

function known(found: StoredAutomation | undefined, id: string): StoredAutomation {
  if (!found) throw problems.notFound("automation", id);
  return found;
}

const toBody = (context: Context, automation: StoredAutomation): AutomationBody => {
  const { id, name, active, validation_rule_id, published_campaign_id, message, target_url } = automation;
  const { event, segment_id, custom_event, campaign_id } = automation;
  return {
    ...{ id, object: "automation", name, active },
    trigger: { event, segment_id, custom_event, campaign_id },
    validation_rule_id,
    action: { type: published_campaign_id === null ? "SEND" : "PUBLISH", campaign_id: published_campaign_id },
    channel:
      message === null || target_url === null
        ? null
        : {
            type: "webhook",
            event_name: message.event_name,
            target_url,
            payload: message.payload,
            raw_payload: message.is_raw,
            custom_header_names: headerNames(context, automation.headers_sealed),
          },
    created_at: isoOf(automation.created_at),
    updated_at: isoOf(automation.updated_at),
  };
};
