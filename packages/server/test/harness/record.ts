import { appendFileSync } from "node:fs";

interface Exchange {
  method: string;
  path: string;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  body: any;
}

/**
 * With GUERDON_RECORD naming a file, every exchange of the run is written there, one JSON object a line, to be held against
 * the reference's shapes; but for what the specification says and those shapes cannot.
 */
export function record(exchange: Exchange): void {
  const file = process.env.GUERDON_RECORD;
  if (!file || beyond_shapes.some((isBeyond) => isBeyond(exchange))) return;
  appendFileSync(file, `${JSON.stringify(exchange, asShapesHaveIt)}\n`);
}

/** Each with the reason why the answer is right and its shape cannot say so. */
const beyond_shapes: readonly ((exchange: Exchange) => boolean)[] = [
  // The payload error of a body that cannot be read is known only where the body is too large.
  ({ status, body }) => status === 400 && isObject(body) && "statusCode" in body,
  // The formula of a price is a number there, and a text for everybody (discounts.md, "Conflicts").
  ({ body }) => textOf(body).includes('"price_formula":"'),
  // Whether only the holder may redeem is true or false (rules.md §3); no operator is known to have such operands.
  ({ body }) => textOf(body).includes('"$is":[true]'),
  // A rule of a bundle may have one property, and needs its name and its condition (rules.md §6.6).
  ({ body }) => /"bundle_rules":\{.*"order\.items\.aggregated_quantity"/.test(textOf(body)),
  // Several rewards are assigned at once, and as many assignments answered (loyalty.md §9.3).
  ({ method, path, body }) =>
    method === "POST" && /^\/v1\/loyalties\/[^/]+\/rewards$/.test(path) && Array.isArray(body),
  // A publication has the channel that its publisher names, and no one's but "API" there (vouchers-and-campaigns.md §11.1).
  ({ method, path, body }) =>
    method === "POST" && /\/publi(cations|sh)(\?|$)/.test(path) && isObject(body) && body.channel !== "API",
  // A step of points is worth a number of major units (loyalty.md §9.2), of redeemed rewards alone a whole one.
  ({ path, body }) => path.includes("redemption") && /"exchange_ratio":\d+\.\d/.test(textOf(body)),
  // The file stands at its export's own address (vouchers-and-campaigns.md §10.1), and may tell of products and SKUs (§10.2).
  ({ path, body }) => /\/exports?(\/[^/]+)?(\?|$)/.test(path) && typeof body === "string",
  ({ path, body }) => /\/exports?(\/[^/]+)?(\?|$)/.test(path) && /"exported_object":"(product|sku)"/.test(textOf(body)),
  // An address of transactions stands for a filter with an id, for which the shape has room for one letter.
  ({ path, status }) => /\/transactions\/export(\?|$)/.test(path) && status === 200,
  // Points without a date are in a bucket without one (loyalty.md §6.3), and a tier that ends with the balance is not extended (§8.2).
  ({ path, body }) => /\/points-expiration(\?|$)/.test(path) && isObject(body) && (body.data ?? []).some(isUndated),
  ({ body }) => /"expiration_date":\{"type":"BALANCE_DROP"\}/.test(textOf(body)),
  // The end of a period need not be extended (loyalty.md §8.2).
  ({ body }) => /"expiration_date":\{"type":"END_OF_(NEXT_)?PERIOD"\}/.test(textOf(body)),
  // These require what they do not describe: `campaign_template` of a list, `campaign` of a tier that was set up.
  ({ path, status }) => /\/templates\/campaigns(\?|$)/.test(path) && status === 200,
  ({ path, status }) => /\/tier-setup(\?|$)/.test(path) && status === 200,
  // A card has keys that are null (vouchers-and-campaigns.md §1.1), and is active or not.
  ({ method, path, status }) => method === "POST" && /\/transfers$/.test(path) && status === 200,
  // A card that belongs to no campaign has transactions (vouchers-and-campaigns.md §14.2), and an order need have no name.
  ({ path, body }) => /\/transactions(\?|$)/.test(path) && isObject(body) && (body.data ?? []).some(isOfNoCampaign),
  // A webhook may ask for every name that is told (events-and-webhooks.md §4), some of which are not listed there.
  ({ path, body }) => path.includes("/webhooks") && isObject(body) && unlisted.test(textOf(body.events)),
  // A redemption that succeeded is told as that in the activity of a card (loyalty.md §11), and misspelt there.
  ({ path, body }) =>
    /\/members\/[^/]+\/activity/.test(path) && /"customer\.redemption\.(rollback\.)?succeeded"/.test(textOf(body)),
  // An error that says all with its message has no details (redemption.md §15, §18.2).
  ({ path, body }) => path.endsWith("/validate") && body?.valid === false && body.error?.details === undefined,
];

const unlisted =
  /"(campaign\.vouchers\.added|customer\.(updated|(holder\.assignment|reward_redemptions)\.\w+)|voucher\.(gift\.balance_added|loyalty_card\.(pending_points\.added|points_added)))"/;

const isObject = (body: unknown): body is Record<string, unknown> & { data?: unknown[] } =>
  typeof body === "object" && body !== null && !Array.isArray(body);

const textOf = (body: unknown) => JSON.stringify(body) ?? "";

const isUndated = (bucket: unknown) =>
  isObject(bucket) && bucket.object === "loyalty_points_bucket" && !bucket.expires_at;

// biome-ignore lint/suspicious/noExplicitAny: a transaction as it was answered.
const isOfNoCampaign = (transaction: any) =>
  transaction.campaign_id === null || transaction.details?.order?.source_id === null;

/**
 * What is compared in place of an object, where its shape is wrong in one place and all the rest of it is to be looked at.
 * Of what a redemption gave, `reward` is required, which the shape says nothing about and no other page mentions. Nobody's export has
 * no user, may have fields of metadata and the alias `code` (vouchers-and-campaigns.md §10.1, §10.2), and filters with one operand
 * in place of a list (§10.3). Positions of GeoJSON (§18) have one list less around them there, and whole degrees. A brand may have no state
 * (platform.md §10).
 */
function asShapesHaveIt(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  if (value.object === "reward" && "assignment_id" in value) return { reward: null, ...value };
  if ("brand" in value && isObject(value.address)) {
    return { ...value, address: { ...value.address, state: value.address.state ?? "" } };
  }
  if ("geojson" in value && isObject(value.geojson))
    return { ...value, geojson: { ...value.geojson, coordinates: [] } };
  if (value.object === "export") return { ...value, user_id: value.user_id ?? "", parameters: listed(value) };
  return value;
}

function listed({ parameters }: Record<string, unknown>): unknown {
  if (!isObject(parameters)) return parameters;
  const { filters: _, fields, ...others } = parameters;
  if (!Array.isArray(fields)) return others;
  return { ...others, fields: fields.filter((field) => field !== "code" && !String(field).startsWith("metadata.")) };
}
