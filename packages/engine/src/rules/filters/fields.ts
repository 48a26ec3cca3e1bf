import { type JsonObject, readProperty } from "../properties.js";
import type { RuleEnvironment } from "../source.js";
import type { FilterField, FilterFields } from "./contract.js";
import { plainField } from "./filter.js";

const ADDRESS = ["city", "state", "country", "line_1", "line_2", "postal_code"];

const NUMBERS =
  /^(summary\.(redemptions|orders)\..+|loyalty\.(points|referred_customers)|loyalty\.campaigns\..+\.(points|referred_customers)|events\..+\.count)$/;

const TIMES = /^(created_at|updated_at|summary\.orders\.last_order_date|events\..+\.last_at)$/;

/** The fields of a customer that a segment may filter on (rules.md §14.1). The customer is as the API shows it. */
export function customerFields(environment: RuleEnvironment = {}): FilterFields {
  return (written) => {
    const path = customerPath(written);
    if (path.startsWith("publications.")) return publicationField(path.slice("publications.".length));
    if (path === "birthdate" || path === "birthday") return { ...plainField(path, "date"), recurs_yearly: true };
    if (path.startsWith("metadata.")) return metadataField(path, environment, "customer");
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
  return plainField(path, metadata_type?.(owner, path.slice("metadata.".length)) ?? null);
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

/** The fields of a product or SKU that a collection may filter on (rules.md §15). */
export function productFields(environment: RuleEnvironment = {}): FilterFields {
  return (path) => {
    if (path.startsWith("metadata.")) return metadataField(path, environment, "product");
    if (path === "created_at" || path === "updated_at") return plainField(path, "datetime");
    return plainField(path, path === "price" ? "number" : null);
  };
}
