import type { JsonSchema, Operation } from "./document.js";
import type { ResourceName } from "./resources.js";

/** A place in a request that takes the name of something stored. */
export interface Reference {
  in: "path" | "query" | "body";
  /** Where it stands: `["redeemables", "[]", "id"]`. */
  steps: string[];
  /** How {@link named_by} knows it: its name, with the object around it where the name alone says little. */
  key: string;
}

/**
 * What each place names; null where it is nothing that we store, or nothing that belongs to a project. A new name that
 * looks like one of these must be entered here, or tenancy.test.ts fails: nobody forgets to keep projects apart.
 */
export const named_by: Readonly<Record<string, readonly ResourceName[] | null>> = {
  customer: ["customer"],
  customerId: ["customer"],
  customers: ["customer"],
  "customers.id": ["customer"],
  "customers.source_id": ["customer"],
  "customer.id": ["customer"],
  "customer.source_id": ["customer"],
  "referrer.id": ["customer"],
  "referrer.source_id": ["customer"],
  referrer_id: ["customer"],

  code: ["voucher"],
  ids: ["voucher", "segment", "tier"],
  voucher: ["voucher"],
  "redeemables.id": ["voucher", "tier", "stack"],
  sessionKey: ["session"],
  "session.key": ["session"],
  session_key: ["session"],

  campaign: ["campaign"],
  "related_object_parent.id": ["campaign", "program"],
  "campaign.id": ["campaign", "program"],
  campaign_id: ["campaign"],
  campaignId: ["campaign", "program"],
  memberId: ["card", "referral_code"],
  holderId: ["referee"],
  "holders.id": ["customer"],
  "holders.source_id": ["customer"],
  earningRuleId: ["earning_rule"],
  loyaltyTierId: ["loyalty_tier"],
  // Looked for on the card alone that is named before it; they come about after the answer.
  pendingPointsId: null,
  // What the caller calls a publication; it is taken within a project.
  "loyalties.source_id": ["publication"],
  "publications.source_id": ["publication"],
  "client.source_id": ["publication"],
  // What the caller calls a transaction; nothing is found by it.
  "vouchers.source_id": null,
  category: ["category"],
  category_id: ["category"],
  categoryId: ["category"],

  validationRuleId: ["rule"],
  validation_rule_id: ["rule"],
  validation_rules: ["rule"],
  rule: ["rule"],
  assignmentId: ["assignment", "reward_assignment"],
  rewardId: ["reward"],
  reward: ["reward"],
  reward_id: ["reward"],
  "rewards.assignment_id": ["reward_assignment"],
  "loyalties.assignment_id": ["reward_assignment"],
  rule_id: ["rule"],
  promotionTierId: ["tier"],
  stackId: ["stack"],
  campaignTemplateId: ["template"],
  promotion_tier_id: ["tier"],
  related_object_id: ["voucher", "campaign", "tier", "reward_assignment"],

  orderId: ["order"],
  "orders.id": ["order"],
  "orders.source_id": ["order"],
  "order.id": ["order"],
  "order.source_id": ["order"],

  segmentId: ["segment"],
  segment_id: ["segment"],
  // The last record that a caller has seen of any list.
  starting_after_id: [
    ...(["voucher", "customer", "order", "redemption", "campaign", "segment"] as const),
    ...(["product", "sku", "product_collection", "rule", "assignment", "earning_rule"] as const),
    ...(["tier", "stack", "reward", "reward_assignment", "publication", "bin_entry", "template"] as const),
    "referee" as const,
  ],
  redemptionId: ["redemption"],
  asyncActionId: ["async_action"],
  exportId: ["export"],
  binEntryId: ["bin_entry"],
  // By what an export is sorted.
  order: null,
  access_token: ["token"],

  productId: ["product"],
  skuId: ["sku"],
  productCollectionId: ["product_collection"],
  // A SKU is made under its product, so both stand around the same noun.
  "products.id": ["product", "sku"],
  "products.source_id": ["product", "sku"],
  source_ids: ["product", "customer"],
  codes: ["voucher"],
  product_id: ["product"],
  sku_id: ["sku"],
  "product.id": ["product"],
  "product.source_id": ["product"],
  "sku.id": ["sku"],
  "sku.source_id": ["sku"],
  "items.source_id": ["product", "sku"],
  // What a variant is called; nothing is found by it.
  "sku.sku": null,
  "products.sku": null,
  // Kept as sent; items are looked for when points of an order are computed.
  "applicable_to.id": null,
  "quantity.id": null,
  "amount.id": null,
  "subtotal_amount.id": null,
  // Made with a management key; earning-rule.test.ts and referral-program.test.ts name another project's.
  schema_id: null,
  "custom_event.id": null,
  // Earning rules do not look their segment up yet, and tiers are not stored.
  "segment.id": null,
  "loyalty_tier.id": null,
  "reward.id": ["reward"],
  "reward.assignment_id": ["reward_assignment"],
  // A person's mark that the caller made up, or that we sealed; looked up as the customer it hides.
  tracking_id: null,
  // The organization's: a management key reaches every project.
  projectId: null,
  // So are roles.
  roleId: null,
  // Management's too; stacking-rules.test.ts names another project's.
  stackingRulesId: null,
  // The organization's: user.test.ts says who is in which project.
  userId: null,
  "users.id": null,
  login: null,
  // A person's own, and a project's: kept.test.ts and key.test.ts try another's.
  keptId: null,
  keyId: null,
  // brand.test.ts does.
  brandingId: null,
  // location.test.ts does.
  locationId: null,
  // metadata-schema.test.ts does.
  metadataSchemaId: null,
  // What a schema is about: a word of ours, or a name of the project's own.
  resource: null,
  // webhook.test.ts and log.test.ts do.
  webhookId: null,
  webhook_id: null,
  sendOutId: null,
  // referral-tier.test.ts does.
  referralTierId: null,
  // automation.test.ts and run.test.ts do, and what an automation names is looked for by its own tests.
  automationId: null,
  cluster_id: null,
  // Sealed, and open to everybody who holds one.
  "qr.id": null,
  "barcode.id": null,
};

const looks_like_name =
  /(^|_)ids?$|Ids?$|_rules$|^(source_id|key|sessionKey|session_key|access_token)$|^(code|voucher|campaign|customer|order|product|sku|category|tier|reward|segment|holder|referrer|member|collection|publication|redemption|validation|rule|assignment|export|template)s?$/;
/** Names that say little without the object around them. */
const says_little = new Set(["id", "source_id", "key", "sku", "assignment_id"]);

/** Every place of an operation that takes a name. */
export function referencesOf({ path, parameters, body }: Operation): Reference[] {
  const segments = path.split("/").filter((segment) => segment !== "" && !/^v\d$/.test(segment));
  const noun = segments.find((segment) => !segment.startsWith("{")) ?? "";
  const of_parameters = parameters
    .filter(
      (one) => one.in === "path" || (one.in === "query" && looks_like_name.test(one.name) && takesText(one.schema)),
    )
    .map(({ in: place, name }): Reference => {
      const before = segments[segments.indexOf(`{${name}}`) - 1] ?? noun;
      return { in: place as "path" | "query", steps: [name], key: says_little.has(name) ? `${before}.${name}` : name };
    });
  const of_body = body
    ? namesIn(body).map((steps): Reference => {
        const [name = "", around = noun] = steps.filter((step) => step !== "[]").reverse();
        return { in: "body", steps, key: says_little.has(name) ? `${around}.${name}` : name };
      })
    : [];
  return [...of_parameters, ...of_body];
}

function namesIn(schema: JsonSchema, above: string[] = []): string[][] {
  const inside = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap((one) =>
    namesIn(one, above),
  );
  const in_items = schema.items ? namesIn(schema.items, [...above, "[]"]) : [];
  const in_properties = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const steps = [...above, name];
    return [...(looks_like_name.test(name) && takesText(property) ? [steps] : []), ...namesIn(property, steps)];
  });
  return [...new Map([...inside, ...in_items, ...in_properties].map((steps) => [steps.join("."), steps])).values()];
}

/** Whether the value may be a text of the caller's choice, or a list of such. */
function takesText(schema: JsonSchema): boolean {
  if (schema.enum !== undefined || schema.const !== undefined || schema.format !== undefined) return false;
  if ([schema.type].flat().includes("string")) return true;
  if (schema.items && takesText(schema.items)) return true;
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(takesText);
}
