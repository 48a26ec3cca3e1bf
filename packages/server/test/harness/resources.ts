import type { Operation } from "./document.js";
import type { TestProject } from "./service.js";

/** Names under which a resource can be asked for: its id first, then source id, code, name. */
export type Names = [string, ...string[]];

const discount = { type: "AMOUNT", amount_off: 100 };
let made = 0;

/** Text that nothing else in this run holds. */
export function uniqueText(word: string): string {
  made += 1;
  return `${word}-${process.pid}-${made}`;
}

type Made = Readonly<Record<string, Names | undefined>>;
interface Maker {
  /** Without this operation the resource does not exist yet. */
  created_by: string;
  make(project: TestProject, made: Made): Promise<Names>;
}

const nameIn = (made: Made, resource: string) => made[resource]?.at(-1) ?? "";

/** How to make one of every resource, in an order in which each may use those before it. */
export const makers = {
  customer: {
    created_by: "create-customer",
    async make({ api }) {
      const source_id = uniqueText("customer");
      const { body } = await api.post(
        "/v1/customers",
        { source_id, name: uniqueText("Ann"), metadata: { plan: "gold" } },
        200,
      );
      return [body.id, source_id];
    },
  },
  category: {
    created_by: "create-category",
    async make({ api }) {
      const name = uniqueText("category");
      return [(await api.post("/v1/categories", { name, hierarchy: 1 }, 200)).body.id, name];
    },
  },
  campaign: {
    created_by: "create-campaign",
    async make({ api }, made) {
      const name = uniqueText("campaign");
      const voucher = { type: "DISCOUNT_VOUCHER", discount };
      const category_id = made.category?.[0];
      const { body } = await api.post(
        "/v1/campaigns",
        { name, campaign_type: "DISCOUNT_COUPONS", voucher, category_id },
        200,
      );
      return [body.id, name];
    },
  },
  program: {
    created_by: "create-loyalty-program",
    async make({ api }) {
      const name = uniqueText("program");
      const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 100 } };
      return [(await api.post("/v1/loyalties", { name, voucher }, 200)).body.id, name];
    },
  },
  card: {
    created_by: "add-member",
    async make({ api }, made) {
      const customer = { source_id: uniqueText("member") };
      const { body } = await api.post(`/v1/loyalties/${made.program?.[0]}/members`, { customer }, 200);
      return [body.id, body.code];
    },
  },
  publication: {
    created_by: "create-publication",
    async make({ api }, made) {
      const source_id = uniqueText("publication");
      const customer = { source_id: uniqueText("member") };
      const wanted = { campaign: { name: made.program?.[0] }, customer, source_id };
      return [(await api.post("/v1/publications", wanted, 200)).body.id, source_id];
    },
  },
  referral_code: {
    created_by: "referrals-add-holders",
    async make({ api }) {
      const name = uniqueText("Friends");
      await api.post("/v1/campaigns", { name, campaign_type: "REFERRAL_PROGRAM", voucher: { discount } }, 200);
      const customer = { source_id: uniqueText("referrer") };
      const { voucher } = (await api.post("/v1/publications", { campaign: { name }, customer }, 200)).body;
      return [voucher.id, voucher.code];
    },
  },
  referee: {
    created_by: "referrals-add-holders",
    async make({ api }, made) {
      const holders = [{ source_id: uniqueText("referee") }];
      const { body } = await api.post(`/v1/referrals/members/${made.referral_code?.[0]}/holders`, { holders }, 200);
      return [body.holders[0].id];
    },
  },
  earning_rule: {
    created_by: "create-earning-rule",
    async make({ api }, made) {
      const rule = { event: "order.paid", loyalty: { type: "FIXED", points: 5 } };
      return [(await api.post(`/v1/loyalties/${made.program?.[0]}/earning-rules`, [rule], 200)).body[0].id];
    },
  },
  loyalty_tier: {
    created_by: "create-in-bulk-loyalty-tiers",
    async make({ api }, made) {
      const tier = { name: uniqueText("level"), points: { from: 5_000_000 } };
      return [(await api.post(`/v1/loyalties/${made.program?.[0]}/tiers`, [tier], 200)).body[0].id];
    },
  },
  tier: {
    created_by: "create-campaign",
    async make({ api }) {
      const tiers = [{ name: uniqueText("tier"), banner: "", action: { discount } }];
      const fields = { name: uniqueText("promotion"), campaign_type: "PROMOTION", promotion: { tiers } };
      const { body } = await api.post("/v1/campaigns", fields, 200);
      return [body.promotion.tiers[0].id];
    },
  },
  stack: {
    created_by: "create-promotion-stack",
    async make({ api }, made) {
      const ids = made.tier;
      const { campaign_id } = (await api.get(`/v1/promotions/tiers/${ids?.[0]}`, 200)).body;
      const fields = { name: uniqueText("stack"), tiers: { ids } };
      return [(await api.post(`/v1/promotions/${campaign_id}/stacks`, fields, 200)).body.id];
    },
  },
  voucher: {
    created_by: "create-voucher",
    async make({ api }) {
      const code = uniqueText("CODE");
      const { body } = await api.post(`/v1/vouchers/${code}`, { type: "DISCOUNT_VOUCHER", discount }, 200);
      return [body.id, code];
    },
  },
  segment: {
    created_by: "create-segment",
    async make({ api }, made) {
      const fields = { name: uniqueText("segment"), type: "static", customers: [made.customer?.[0]] };
      return [(await api.post("/v1/segments", fields, 200)).body.id];
    },
  },
  rule: {
    created_by: "create-validation-rules",
    async make({ api }) {
      return [(await api.post("/v1/validation-rules", { name: uniqueText("rule"), rules: {} }, 200)).body.id];
    },
  },
  assignment: {
    created_by: "create-validation-rule-assignment",
    async make({ api }, made) {
      const fields = { related_object_type: "campaign", related_object_id: made.campaign?.[0] };
      return [(await api.post(`/v1/validation-rules/${made.rule?.[0]}/assignments`, fields, 200)).body.id];
    },
  },
  product: {
    created_by: "create-product",
    async make({ api }) {
      const source_id = uniqueText("product");
      const { body } = await api.post("/v1/products", { source_id, name: uniqueText("Mug"), price: 100 }, 200);
      return [body.id, source_id];
    },
  },
  sku: {
    created_by: "create-sku",
    async make({ api }, made) {
      const source_id = uniqueText("sku");
      const { body } = await api.post(`/v1/products/${nameIn(made, "product")}/skus`, { source_id, price: 110 }, 200);
      return [body.id, source_id];
    },
  },
  product_collection: {
    created_by: "create-product-collection",
    async make({ api }, made) {
      const products = [{ id: nameIn(made, "product"), object: "product" }];
      const fields = { name: uniqueText("collection"), type: "STATIC", products };
      return [(await api.post("/v1/product-collections", fields, 200)).body.id];
    },
  },
  reward: {
    created_by: "create-reward",
    async make({ api }, made) {
      const parameters = { product: { id: made.product?.[0] } };
      return [(await api.post("/v1/rewards", { name: uniqueText("reward"), parameters }, 200)).body.id];
    },
  },
  reward_assignment: {
    created_by: "create-reward-assignment",
    async make({ api }, made) {
      const fields = { campaign: made.program?.[0], parameters: { loyalty: { points: 10 } } };
      return [(await api.post(`/v1/rewards/${made.reward?.[0]}/assignments`, fields, 200)).body.id];
    },
  },
  order: {
    created_by: "create-order",
    async make({ api }, made) {
      const source_id = uniqueText("order");
      const customer = { source_id: nameIn(made, "customer") };
      return [(await api.post("/v1/orders", { source_id, amount: 5000, customer }, 200)).body.id, source_id];
    },
  },
  session: {
    created_by: "validate-stacked-discounts",
    async make({ api }, made) {
      const key = uniqueText("session");
      const redeemables = [{ object: "voucher", id: nameIn(made, "voucher") }];
      await api.post("/v1/validations", { redeemables, session: { type: "LOCK", key, ttl: 7, ttl_unit: "DAYS" } }, 200);
      return [key];
    },
  },
  redemption: {
    created_by: "redeem-stacked-discounts",
    async make({ api }, made) {
      const redeemables = [{ object: "voucher", id: nameIn(made, "voucher") }];
      const customer = { source_id: nameIn(made, "customer") };
      const { body } = await api.post("/v1/redemptions", { redeemables, customer, order: { amount: 5000 } }, 200);
      return [body.redemptions[0].id];
    },
  },
  async_action: {
    created_by: "add-vouchers-to-campaign",
    async make({ api }, made) {
      const { body } = await api.post(`/v1/campaigns/${made.campaign?.[0]}/vouchers?vouchers_count=2`, {});
      return [body.async_action_id];
    },
  },
  export: {
    created_by: "create-export",
    async make({ api }) {
      return [(await api.post("/v1/exports", { exported_object: "voucher" }, 200)).body.id];
    },
  },
  bin_entry: {
    created_by: "list-bin-entries",
    async make({ api }) {
      const code = uniqueText("BINNED");
      await api.post(`/v1/vouchers/${code}`, { type: "DISCOUNT_VOUCHER", discount }, 200);
      await api.delete(`/v1/vouchers/${code}`, 204);
      return [(await api.get("/v1/trash-bin?limit=1", 200)).body.data[0].id];
    },
  },
  template: {
    created_by: "create-campaign-template",
    async make({ api }, made) {
      const fields = { campaign_id: made.campaign?.[0], name: uniqueText("template") };
      return [(await api.post("/v1/templates/campaigns", fields, 200)).body.id];
    },
  },
  token: {
    created_by: "generate-oauth-token",
    async make({ api }) {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const raw = "grant_type=client_credentials&scope=api";
      return [(await api.send("POST", "/v1/oauth/token", { raw, headers, status: 200 })).body.access_token];
    },
  },
} satisfies Record<string, Maker>;

export type ResourceName = keyof typeof makers;

/** Whoever of a project may call the operation. */
export const callerOf = ({ path }: Operation, { api, page }: TestProject) => (path.startsWith("/client/") ? page : api);

/** One of every resource that the API can create today. */
export async function makeOneOfEach(
  project: TestProject,
  operations: readonly Operation[],
): Promise<Partial<Record<ResourceName, Names>>> {
  const made: Partial<Record<ResourceName, Names>> = {};
  for (const [resource, { created_by, make }] of Object.entries(makers) as [ResourceName, Maker][]) {
    if (operations.some(({ id }) => id === created_by)) made[resource] = await make(project, made);
  }
  return made;
}

/** A resource by a name that nobody has: like the given one, to the letter's kind and the length. */
export function unknownLike(name: string): string {
  return name.replace(/[a-z0-9]{4}$/i, (end) => (end === "zzzz" ? "yyyy" : "zzzz"));
}

/**
 * Bodies that get as far as possible where the smallest one that a schema accepts is refused at once. `code` is that of
 * a voucher which the caller's project has.
 */
export function fuller(operation_id: string | undefined, code: string): Record<string, unknown> {
  const redeemables = [{ object: "voucher", id: code }];
  const voucher = { type: "DISCOUNT_VOUCHER", discount };
  const bodies: Record<string, Record<string, unknown>> = {
    "generate-random-code": voucher,
    "create-voucher": voucher,
    "create-campaign": { campaign_type: "DISCOUNT_COUPONS", voucher },
    "validate-stacked-discounts": { redeemables, order: { amount: 5000 } },
    "redeem-stacked-discounts": { redeemables, order: { amount: 5000 } },
    "validate-stacked-discounts-client-side": { redeemables, order: { amount: 5000 } },
    "redeem-stacked-discounts-client-side": { redeemables, order: { amount: 5000 } },
    "create-publication-client-side": { voucher: code, customer: { source_id: "publishee" } },
    "create-publication": { voucher: code, customer: { source_id: "publishee" } },
    "generate-oauth-token": { grant_type: "client_credentials", scope: "api" },
  };
  return bodies[operation_id ?? ""] ?? {};
}
