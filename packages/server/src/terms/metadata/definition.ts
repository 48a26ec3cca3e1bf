import type { Instant } from "../../platform/clock.js";

/** What has metadata of its own; a schema of any other name is nested in one of these (platform.md §9.1). */
const metadata_objects = [
  "campaign",
  "customer",
  "earning_rule",
  "loyalty_tier",
  "order",
  "order_item",
  "product",
  "promotion_tier",
  "publication",
  "redemption",
  "reward",
  "voucher",
] as const;
export type MetadataObject = (typeof metadata_objects)[number];

/** What rules and filters look into (rules.md §3, §14, §15). */
const compared_objects: readonly string[] = ["customer", "order", "order_item", "product", "redemption"];

/** Whether what a schema says counts where metadata is compared: it is of what is looked into, or nested in something. */
export const isCompared = (name: string): boolean => compared_objects.includes(name) || !isMetadataObject(name);

export const metadata_types = [
  "string",
  "number",
  "object",
  "date",
  "datetime",
  "geopoint",
  "boolean",
  "image_url",
] as const;
export type MetadataType = (typeof metadata_types)[number];

/** What the value of one key must be (rules.md §16). */
export interface MetadataDefinition {
  type: MetadataType;
  /** Whether what is made may go without it. */
  optional: boolean;
  /** Whether it is a list, and the rest is said of each element. */
  array: boolean;
  /** Kept, and checked no more. */
  deleted?: boolean;
  /** The nested schema of an object; null: any object. */
  object_type?: string | null;
  min_length?: number;
  max_length?: number;
  exact_length?: number;
  eq?: (string | number)[];
  ne?: number[];
  lt?: number;
  lte?: number;
  gt?: number;
  gte?: number;
}

/** The schema of one object's metadata, as stored (platform.md §9.1). */
export interface MetadataSchema {
  id: string;
  related_object: string;
  properties: Record<string, MetadataDefinition>;
  /** Whether keys that no definition names are refused. */
  allow_defined_only: boolean;
  created_at: Instant;
  updated_at: Instant | null;
}

const options_of: Partial<Record<MetadataType, readonly (keyof MetadataDefinition)[]>> = {
  string: ["min_length", "max_length", "exact_length", "eq"],
  number: ["eq", "ne", "lt", "lte", "gt", "gte"],
  object: ["object_type"],
};

/** The options that say something of values of the type, beside those that every definition has. */
export const optionsOf = (type: MetadataType): readonly (keyof MetadataDefinition)[] => options_of[type] ?? [];

export const isMetadataObject = (name: string): name is MetadataObject =>
  (metadata_objects as readonly string[]).includes(name);
