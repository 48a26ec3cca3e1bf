import type { Queries } from "../../platform/db/database.js";
import { problems } from "../../platform/http/problems.js";
import { invalid } from "../../terms/index.js";
import { findCustomEventSchemaByName, findCustomEventSchemas } from "../management/custom-event-schemas/index.js";
import type { Campaign } from "./campaign.js";
import { findCampaign } from "./campaign.store.js";
import type { ReferralProgram, ReferralProgramInput } from "./referral-program.schemas.js";

type RewardInput = NonNullable<ReferralProgramInput["referee_reward"]>;
type RefereeReward = NonNullable<ReferralProgram["referee_reward"]>;

/** Of which campaigns the cards are that a referee's reward adds to. */
const campaign_types: Record<RefereeReward["type"], Campaign["campaign_type"]> = {
  LOYALTY_CARD: "LOYALTY_PROGRAM",
  GIFT_VOUCHER: "GIFT_VOUCHERS",
};

/** What a referral campaign begins with; null for any other, whose body names none (vouchers-and-campaigns.md §15). */
export async function newReferralProgram(
  db: Queries,
  project_id: string,
  { campaign_type }: Pick<Campaign, "campaign_type">,
  input: ReferralProgramInput | null | undefined,
): Promise<ReferralProgram | null> {
  if (campaign_type !== "REFERRAL_PROGRAM") return null;
  const { custom_event, referee_reward } = input ?? {};
  // Who names an event and no type means that event.
  const conversion_event_type = input?.conversion_event_type ?? (custom_event ? "custom_event" : "redemption");
  if (conversion_event_type === "redemption" && custom_event)
    throw invalid("campaign", "Property .referral_program.custom_event goes with conversion_event_type custom_event");
  return {
    conversion_event_type,
    ...(conversion_event_type === "custom_event"
      ? { custom_event: await readCustomEvent(db, project_id, custom_event ?? {}) }
      : {}),
    ...(referee_reward ? { referee_reward: await readReward(db, project_id, referee_reward) } : {}),
  };
}

/** The program after an edit, which may change how much a referee gets and on which campaign's card: nothing else (§15). */
export async function changedReferralProgram(
  db: Queries,
  project_id: string,
  stored: ReferralProgram | null,
  input: ReferralProgramInput | null | undefined,
): Promise<ReferralProgram | null> {
  if (stored === null || !input) return stored;
  const { conversion_event_type, custom_event, referee_reward } = input;
  const named = [conversion_event_type ?? stored.conversion_event_type, custom_event?.id, custom_event?.name];
  const [type, id = stored.custom_event?.id, name = stored.custom_event?.name] = named;
  const is_other = id !== stored.custom_event?.id || name !== stored.custom_event?.name;
  if (type !== stored.conversion_event_type || (custom_event && is_other))
    throw unchangeable("the conversion event of a referral program");
  if (referee_reward === undefined) return stored;
  if ((referee_reward === null) !== (stored.referee_reward === undefined))
    throw unchangeable("who is rewarded by a referral program");
  if (referee_reward === null) return stored;
  if (referee_reward.type !== stored.referee_reward?.type) throw unchangeable("the type of a referee's reward");
  return { ...stored, referee_reward: await readReward(db, project_id, referee_reward) };
}

const unchangeable = (what: string) => invalid("campaign", `It is not possible to change ${what}`);

async function readCustomEvent(
  db: Queries,
  project_id: string,
  { id, name }: NonNullable<ReferralProgramInput["custom_event"]>,
): Promise<NonNullable<ReferralProgram["custom_event"]>> {
  if (!id && !name)
    throw invalid(
      "campaign",
      "Property .referral_program.custom_event is required with conversion_event_type custom_event",
    );
  const schema = id
    ? (await findCustomEventSchemas(db, project_id, [id]))[0]
    : await findCustomEventSchemaByName(db, project_id, name ?? "");
  if (!schema) throw problems.notFound("custom_event_schema", id || (name ?? ""), id ? "id" : "name");
  if (name && name !== schema.name)
    throw invalid("campaign", `Property .referral_program.custom_event.name is not that of ${schema.id}`);
  return { id: schema.id, name: schema.name };
}

async function readReward(
  db: Queries,
  project_id: string,
  { type, amount, related_object_parent: { id, name } }: RewardInput,
): Promise<RefereeReward> {
  const at = "Property .referral_program.referee_reward.related_object_parent";
  const wanted = id || name;
  if (!wanted) throw problems.invalidPayload(`${at} should have required property 'id'`);
  const campaign = await findCampaign(db, project_id, wanted);
  if (!campaign) throw problems.notFound("campaign", wanted);
  if (campaign.campaign_type !== campaign_types[type])
    throw invalid(
      "campaign",
      `${at} must name a campaign of type ${campaign_types[type]}, not ${campaign.campaign_type}`,
    );
  return { type, amount, related_object_parent: { id: campaign.id, name: campaign.name, object: "CAMPAIGN" } };
}
