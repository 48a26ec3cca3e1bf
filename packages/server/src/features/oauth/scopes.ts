/** Opens the whole server-side API, and the whole client-side one. */
const server_side = "api";
const client_side = "client_api";

/** Each opens the first segment of its own name: `/v1/vouchers`, and `/client/v1/vouchers` for `client_vouchers`. */
const segment_scopes = [
  "assets",
  "async-actions",
  "campaigns",
  "categories",
  "client_consents",
  "client_customers",
  "client_events",
  "client_promotions",
  "client_publish",
  "client_qualifications",
  "client_redeem",
  "client_redemptions",
  "client_validate",
  "client_validations",
  "client_vouchers",
  "consents",
  "customers",
  "events",
  "exports",
  "locations",
  "loyalties",
  "metadata-schemas",
  "orders",
  "product-collections",
  "products",
  "promotions",
  "publications",
  "qualifications",
  "redemptions",
  "referrals",
  "rewards",
  "segments",
  "skus",
  "task-results",
  "templates",
  "trash-bin",
  "validation-rules-assignments",
  "validation-rules",
  "validations",
  "vouchers",
] as const;

/** Every scope that a token can be asked for: the contract's 42. */
export const scopes: readonly string[] = [server_side, client_side, ...segment_scopes];

const scope_of_prefix = new Map<string, string>(segment_scopes.map((scope) => [prefixOf(scope), scope]));

function prefixOf(scope: string): string {
  return scope.startsWith("client_") ? `/client/v1/${scope.slice("client_".length)}` : `/v1/${scope}`;
}

/**
 * The scopes that open an operation: any one of them is enough, and where there is none no token is (platform.md §4).
 * Whole segments are compared, so `validation-rules` does not open `/v1/validation-rules-assignments`.
 * @param path as the route has it: `/v1/vouchers/:code/redemption`
 */
export function scopesFor(path: string): readonly string[] {
  const [, client, version, segment = ""] = /^(\/client)?\/(v[12])\/([^/]+)/.exec(path) ?? [];
  if (version === undefined || (client && version === "v2") || (!client && segment === "oauth")) return [];
  const whole = client ? client_side : server_side;
  // The contract writes this one `/v1/SKUs`, the published operations `/v1/skus`.
  const folded = segment.toLowerCase() === "skus" ? "skus" : segment;
  const own = scope_of_prefix.get(`${client ?? ""}/${version}/${folded}`);
  return own === undefined ? [whole] : [whole, own];
}
