import type { Queries } from "../../platform/db/database.js";
import { problems } from "../../platform/http/problems.js";
import { refusals, toDiscountBody, toWindowBody } from "../../terms/index.js";
import { type Campaign, knownCampaign } from "../campaigns/index.js";
import { findTier } from "../promotions/index.js";
import { findAssignmentsTo, findRulesByIds, type ValidationRuleRow } from "../validation-rules/index.js";
import type { VoucherTemplate } from "../vouchers/index.js";
import { notHeld } from "./not-held.js";
import { savedResources } from "./saved-resources.js";
import {
  content_bytes_max,
  type SavedCampaign,
  type SavedRule,
  type TemplateContent,
  type TemplateType,
} from "./template.js";

interface Holding {
  campaign_type: TemplateType;
  content: TemplateContent;
}

/** What a template of this campaign holds (vouchers-and-campaigns.md §17). */
export async function holdingCampaign(db: Queries, project_id: string, id: string): Promise<Holding> {
  const campaign = await knownCampaign(db, project_id, id);
  const { campaign_type, voucher, creation_status } = campaign;
  const can_be_held = campaign_type === "DISCOUNT_COUPONS" || campaign_type === "GIFT_VOUCHERS";
  if (!can_be_held || voucher === null || creation_status === "DRAFT") throw refusals.noTemplateOf();
  const saved = { ...settingsOf(campaign), campaign_type, voucher: voucherOf(voucher) };
  return { campaign_type, content: await contentOf(db, project_id, campaign, saved) };
}

/** What a template of this promotion tier holds: coupons with its discount. */
export async function holdingTier(db: Queries, project_id: string, id: string): Promise<Holding> {
  const tier = await findTier(db, project_id, id);
  if (!tier) throw problems.notFound("promotion_tier", id);
  const campaign_type = "DISCOUNT_COUPONS";
  const discount = toDiscountBody(tier.discount);
  const saved = { campaign_type, ...toWindowBody(tier), voucher: { type: "DISCOUNT_VOUCHER", discount } } as const;
  return { campaign_type, content: await contentOf(db, project_id, tier, saved) };
}

/** Not its name, category and how many codes it has: those are the next campaign's own. */
function settingsOf(campaign: Campaign): SavedCampaign {
  const { description, activity_duration_after_publishing } = campaign;
  return {
    type: campaign.type,
    ...(description === null ? {} : { description }),
    auto_join: campaign.auto_join,
    join_once: campaign.join_once,
    use_voucher_metadata_schema: campaign.use_voucher_metadata_schema,
    ...(activity_duration_after_publishing === null ? {} : { activity_duration_after_publishing }),
    ...toWindowBody(campaign),
  };
}

function voucherOf({ type, discount, gift, redemption, code_config }: VoucherTemplate): SavedCampaign["voucher"] {
  const { initial_count, ...codes } = code_config;
  return {
    type,
    ...(discount ? { discount: toDiscountBody(discount) } : {}),
    ...(gift ? { gift } : {}),
    redemption,
    code_config: codes,
  };
}

async function contentOf(
  db: Queries,
  project_id: string,
  { id, metadata }: { id: string; metadata: Record<string, unknown> },
  campaign: SavedCampaign,
): Promise<TemplateContent> {
  const assignments = await findAssignmentsTo(db, project_id, [id]);
  const rule_ids = assignments.map(({ rule_id }) => rule_id);
  const by_id = new Map((await findRulesByIds(db, project_id, rule_ids)).map((rule) => [rule.id, rule]));
  const rules = rule_ids.flatMap((rule_id) => by_id.get(rule_id) ?? []).map(savedRule);
  const content = {
    campaign,
    rules,
    metadata: Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, jsonTypeOf(value)])),
    resources: await savedResources(db, project_id, [campaign.voucher, ...rules]),
  };
  if (Buffer.byteLength(JSON.stringify(content)) > content_bytes_max) {
    throw problems.invalidPayload(`What a template holds must not be larger than ${content_bytes_max} bytes`);
  }
  return content;
}

const jsonTypeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

function savedRule(rule: ValidationRuleRow): SavedRule {
  const { name, rules, bundle_rules, applicable_to, error, type, context_type } = rule;
  const unknown_elsewhere = askedIn(rules).find((asked) => of_one_project.some((start) => asked.startsWith(start)));
  if (unknown_elsewhere !== undefined) throw notHeld(`rule ${rule.id} asks for ${unknown_elsewhere}`);
  return { name, rules, bundle_rules, applicable_to, error, type, context_type };
}

/** Who redeems and which tier a card is in are said by ids that no other campaign can go by. */
const of_one_project = [
  "redemption.api_key",
  "redemption.user",
  "redemption.count.per_api_key",
  "redemption.count.per_user",
  "customer.loyalty_tier",
  "customer.loyalty.tier",
];

/** The names of the rules in a definition, nested ones too. */
function askedIn(rules: unknown): string[] {
  if (typeof rules !== "object" || rules === null) return [];
  return Object.values(rules).flatMap((leaf) => {
    if (typeof leaf !== "object" || leaf === null) return [];
    const { name, rules: nested } = leaf as { name?: unknown; rules?: unknown };
    return [...(typeof name === "string" ? [name] : []), ...askedIn(nested)];
  });
}
