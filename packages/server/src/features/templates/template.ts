import type { Instant } from "../../platform/clock.js";
import type { CampaignCreate } from "../campaigns/index.js";
import type { LocationRow } from "../locations/index.js";
import type { CollectionWithMembers } from "../product-collections/index.js";
import type { Product, Sku } from "../products/index.js";
import type { SegmentRow } from "../segments/index.js";
import type { ValidationRuleRow } from "../validation-rules/index.js";

/** What a template can be made of; a tier counts as coupons (vouchers-and-campaigns.md §17). */
export const template_types = ["DISCOUNT_COUPONS", "GIFT_VOUCHERS"] as const;
export type TemplateType = (typeof template_types)[number];

/** Without its content, as lists show it. */
export interface TemplateHead {
  id: string;
  name: string;
  description: string | null;
  campaign_type: TemplateType;
  created_at: Instant;
  updated_at: Instant | null;
}

/** A template of campaigns as stored. */
export interface CampaignTemplate extends TemplateHead {
  content: TemplateContent;
}

/** A copy of all that a campaign needs again, under the ids that it had (ADR 70). */
export interface TemplateContent {
  /** As it is sent to make one. */
  campaign: SavedCampaign;
  rules: SavedRule[];
  /** JSON types by key; the values are the campaign's own. */
  metadata: Record<string, string>;
  resources: SavedResources;
}

export type SavedCampaign = Omit<CampaignCreate, "name">;

export type SavedRule = Pick<
  ValidationRuleRow,
  "name" | "rules" | "bundle_rules" | "applicable_to" | "error" | "type" | "context_type"
>;

type Saved<Row, Field extends keyof Row> = Pick<Row, Field | ("id" & keyof Row)>;

/** What rules and discounts name, in the order in which one may name those before it. */
export interface SavedResources {
  locations: Saved<LocationRow, "name" | "shape">[];
  products: Saved<Product, "source_id" | "name" | "price" | "attributes" | "metadata" | "image_url">[];
  skus: Saved<
    Sku,
    "product_id" | "source_id" | "sku" | "price" | "currency" | "attributes" | "metadata" | "image_url"
  >[];
  collections: Saved<CollectionWithMembers, "name" | "type" | "filter" | "products">[];
  segments: Saved<SegmentRow, "name" | "type" | "filter">[];
}

/** What one template may hold: of named things, and of JSON in all. */
export const resources_max = 1_000;
export const content_bytes_max = 1_048_576;
