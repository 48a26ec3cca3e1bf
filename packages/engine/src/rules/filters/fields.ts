import { type JsonObject, readProperty } from "../properties.js";
import type { RuleEnvironment } from "../source.js";
import type { FilterField, FilterFields } from "./contract.js";
import { plainField } from "./filter.js";

const ADDRESS = ["city", "state", "country", "line_1", "line_2", "postal_code"];

const PROFILE = ["id", "source_id", "name", "email", "phone", "description", "birthdate", "birthday"];

const OF_REDEMPTIONS =
  "total_(redeemed|failed|succeeded|rolled_back|rollback_failed|rollback_succeeded)|gift\\.(redeemed_amount|amount_to_go)|loyalty_card\\.(redeemed_points|points_to_go)";
const OF_ORDERS = "total_amount|total_count|average_amount|last_order_amount|last_order_date";

/** What a customer's summary is asked for by (rules.md §14.1). */
export const SUMMARY_FIELD = new RegExp(`^summary\\.(redemptions\\.(${OF_REDEMPTIONS})|orders\\.(${OF_ORDERS}))$`);

/** What else stands in a customer under names of its own; what follows these words names what somebody else has made. */
const KNOWN = new RegExp(
  [
    `^(${PROFILE.join("|")}|created_at|updated_at|address\\.(${ADDRESS.join("|")}))$`,
    "^loyalty\\.(points|referred_customers|campaigns\\..+)$",
    "^events\\..+\\.(count|last_at)$",
    "^(metadata|system_metadata|publications|loyalty_tier)\\..+$",
  ].join("|"),
  "s",
);

const NUMBERS =
  /^(summary\.(redemptions|orders)\..+|loyalty\.(points|referred_customers)|loyalty\.campaigns\..+\.(points|referred_customers)|events\..+\.count)$/;

const TIMES = /^(created_at|updated_at|summary\.orders\.last_order_date|events\..+\.last_at)$/;

/** The fields of a customer that a segment may filter on (rules.md §14.1), and no others. The customer is as the API shows it. */
export function customerFields(environment: RuleEnvironment = {}): FilterFields {
  return (written) => {
    const path = customerPath(written);
    if (!SUMMARY_FIELD.test(path) && !KNOWN.test(path)) return null;
    if (path.startsWith("publications.")) return publicationField(path.slice("publications.".length));
    if (path.startsWith("loyalty_tier.")) return tierField(path.slice("loyalty_tier.".length));
    if (path === "birthdate" || path === "birthday") return { ...plainField(path, "date"), recurs_yearly: true };
    if (path.startsWith("metadata.")) return metadataField(path, environment, "customer");
    if (path.startsWith("system_metadata.")) return { ...plainField(path), is_free: true };
    if (TIMES.test(path)) return plainField(path, "datetime");
    return plainField(path, NUMBERS.test(path) ? "number" : null);
  };
}

/** Short and older spellings. */
function customerPath(path: string): string {
  if (ADDRESS.includes(path)) return `address.${path}`;
  return path.replace(/^loyalty_points\./, "loyalty.");
}

function metadataField(path: string, { metadata_type }: RuleEnvironment, owner: "customer" | "product"): FilterField {
  return { ...plainField(path, metadata_type?.(owner, path.slice("metadata.".length)) ?? null), is_free: true };
}

/** Of all publications of the customer; a condition holds when one of them satisfies it. */
function publicationField(name: string): FilterField {
  return {
    type: name === "created_at" ? "datetime" : null,
    read: ({ publications }: JsonObject) => {
      const values = Array.isArray(publications)
        ? publications.map((publication) => readProperty(publication, name))
        : [];
      return values.length === 0 ? undefined : values;
    },
  };
}

const OF_PROGRAM = /^campaigns\.(.+)\.([^.]+)$/;
const TIER_DAYS = ["start_date", "expiration_date"];

/**
 * Of the tiers that the customer is in, one a program; a condition holds when one of them satisfies it. After `campaigns.` and the name
 * of a program, whatever dots it holds, of the tier in that program.
 */
function tierField(path: string): FilterField {
  const [, program, of_program] = OF_PROGRAM.exec(path) ?? [];
  const name = of_program ?? path;
  return {
    type: TIER_DAYS.includes(name) ? "date" : null,
    read: ({ loyalty_tiers }: JsonObject) => {
      const tiers = Array.isArray(loyalty_tiers) ? loyalty_tiers : [];
      const asked = program === undefined ? tiers : tiers.filter(({ campaign }) => campaign === program);
      const values = asked.map((tier) => readProperty(tier, name)).filter((value) => value !== undefined);
      return values.length === 0 ? undefined : values;
    },
  };
}

/** The fields of a product or SKU that a collection may filter on (rules.md §15). */
export function productFields(environment: RuleEnvironment = {}): FilterFields {
  return (path) => {
    if (path.startsWith("metadata.")) return metadataField(path, environment, "product");
    if (path === "created_at" || path === "updated_at") return plainField(path, "datetime");
    if (path.startsWith("attributes.")) return { ...plainField(path), is_free: true };
    return plainField(path, path === "price" ? "number" : null);
  };
}
