import { describe, expect, test } from "vitest";
import { sends } from "../src/features/management/automations/automation.fixtures.js";
import { aSendOut } from "../src/features/management/send-outs/send-out.fixtures.js";
import { aUser } from "../src/features/management/users/user.fixtures.js";
import type { Client } from "./harness/client.js";
import { bodyText, nameOf, type Operation, pathWith, readOperations } from "./harness/document.js";
import { named_by, referencesOf } from "./harness/references.js";
import { callerOf, fuller, makeOneOfEach, uniqueText } from "./harness/resources.js";
import { exampleOf } from "./harness/schema-values.js";
import { startService } from "./harness/service.js";

const service = await startService();
const { url, project, management } = service;
const { api } = project;
const all = await readOperations(url);
const seeds = await makeOneOfEach(project, all);
/** Our own pages name no requests. */
const posts = all.filter(({ method, path }) => method === "POST" && !path.startsWith("/dashboard/"));
const isHonoured = ({ parameters }: Operation) => parameters.some(({ name }) => name === "idempotency-key");

const amount_off = { type: "AMOUNT", amount_off: 100 };
const code = uniqueText("CODE");
await api.post(`/v1/vouchers/${code}`, { type: "DISCOUNT_VOUCHER", discount: amount_off }, 200);
const redeemables = [{ object: "voucher", id: code }];
const redeemed = await api.post("/v1/redemptions", { redeemables, order: { amount: 5000 } }, 200);

const tier = { name: "tier", action: { discount: amount_off } };
const promotion = await api.post(
  "/v1/campaigns",
  { name: uniqueText("promotion"), campaign_type: "PROMOTION", promotion: { tiers: [tier] } },
  200,
);
const tier_id = promotion.body.promotion.tiers[0].id;
const event_schema = { name: "cart_left", schema: { properties: {} } };
await management.post(`/management/v1/projects/${project.id}/custom-event-schemas`, event_schema, 200);
const aProgram = async () => {
  const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 1 } };
  return (await api.post("/v1/loyalties", { name: uniqueText("program"), voucher }, 200)).body.id;
};
const [another_program, yet_another_program] = [await aProgram(), await aProgram()];
const donating = `/v1/loyalties/${another_program}/members`;
const donor = (await api.post(donating, { customer: { source_id: uniqueText("donor") } }, 200)).body;
const webhook = await management.post(
  `/management/v1/projects/${project.id}/webhooks`,
  { target_url: "https://hooks.example/", events: ["customer.created"] },
  200,
);
/** Points of three orders that wait. */
const waiting = await (async () => {
  const program_id = await aProgram();
  const pending_points = { period_type: "DAY", period_value: 90 };
  const rule = { event: "order.paid", loyalty: { type: "FIXED", points: 5 }, pending_points };
  await api.post(`/v1/loyalties/${program_id}/earning-rules`, [rule], 200);
  const customer = { source_id: uniqueText("waiting") };
  const card = (await api.post(`/v1/loyalties/${program_id}/members`, { customer }, 200)).body.id as string;
  for (let i = 0; i < 3; i += 1) await api.post("/v1/orders", { customer, amount: 100, status: "PAID" }, 200);
  await service.runDue();
  const { body } = await api.get(`/v1/loyalties/members/${card}/pending-points`, 200);
  return { card, ids: body.data.map(({ id }: { id: string }) => id) as string[] };
})();
const code_of_friends = (await api.get(`/v1/vouchers/${seeds.referral_code?.[0]}`, 200)).body;
const session = { type: "LOCK", ttl: 1, ttl_unit: "SECONDS" };

interface Sent {
  body?: unknown;
  path?: Record<string, string | undefined>;
  query?: string;
}

/** Bodies and names with which an operation is done, where the smallest that its schema accepts is refused. */
const done_with: Record<string, Sent> = {
  "redeem-voucher-client-side": { query: `code=${code}`, body: { order: { amount: 5000 } } },
  "validate-stacked-discounts": { body: { redeemables, session } },
  "validate-stacked-discounts-client-side": { body: { redeemables } },
  "validate-voucher": { path: { code }, body: { session } },
  "validate-promotion-tier": { path: { promotionTierId: tier_id }, body: { session, order: { amount: 5000 } } },
  "redeem-voucher": { path: { code }, body: { order: { amount: 5000 } } },
  "rollback-stacked-redemptions": { path: { redemptionId: redeemed.body.redemptions[0].id }, body: {} },
  "add-voucher-with-specific-code-to-campaign": { path: { code: uniqueText("OWN") } },
  "add-promotion-tier-to-campaign": { path: { campaignId: promotion.body.id }, body: { ...tier, name: "another" } },
  "create-promotion-stack": {
    path: { campaignId: promotion.body.id },
    body: { name: "stack", tiers: { ids: [tier_id] } },
  },
  "create-campaign-from-template": { body: { name: uniqueText("campaign") } },
  "create-validation-rule-assignment": {
    body: { related_object_id: tier_id, related_object_type: "promotion_tier" },
  },
  "track-custom-event": { body: { event: "cart_left", customer: { source_id: "ann" } } },
  "create-loyalty-program": {
    body: { name: uniqueText("program"), voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 1 } } },
  },
  "create-reward": { body: { name: "reward", parameters: { product: { id: seeds.product?.[0] } } } },
  "create-reward-assignment": { body: { campaign: another_program, parameters: { loyalty: { points: 10 } } } },
  "create-reward-assignment-1": {
    path: { campaignId: yet_another_program },
    body: [{ reward: seeds.reward?.[0], parameters: { loyalty: { points: 10 } } }],
  },
  "export-campaign-transactions": { path: { campaignId: seeds.program?.[0] } },
  "update-voucher-balance": { path: { code: seeds.card?.[0] }, body: { amount: 1 } },
  "transfer-points": {
    path: { campaignId: seeds.program?.[0], memberId: seeds.card?.[0] },
    body: [{ code: donor.code, points: 1, source_id: "t" }],
  },
  "update-loyalty-card-balance": { path: { memberId: seeds.card?.[0] }, body: { points: 1 } },
  "update-loyalty-card-balance-1": {
    path: { campaignId: seeds.program?.[0], memberId: seeds.card?.[0] },
    body: { points: 1 },
  },
  "redeem-reward": { path: { memberId: seeds.card?.[0] }, body: { reward: { id: seeds.reward?.[0] } } },
  "redeem-reward-1": {
    path: { campaignId: seeds.program?.[0], memberId: seeds.card?.[0] },
    body: { reward: { id: seeds.reward?.[0] } },
  },
  "add-member": { path: { campaignId: seeds.program?.[0] }, body: { customer: { source_id: uniqueText("member") } } },
  "track-custom-event-client-side": { body: { event: "cart_left", customer: { source_id: "ann" } } },
  "create-publication-client-side": {
    query: `campaign=${seeds.campaign?.[0]}`,
    body: { customer: { source_id: "ann" } },
  },
  "customer-permanently-deletion": {
    path: { customerId: (await api.post("/v1/customers", { source_id: uniqueText("leaving") }, 200)).body.id },
  },
  "create-publication": { body: { campaign: { name: seeds.campaign?.[0] }, customer: { source_id: "ann" } } },
  "referrals-add-holders": {
    path: { memberId: seeds.referral_code?.[0] },
    body: { holders: [{ source_id: uniqueText("referee") }] },
  },
  "referrals-add-holders-1": {
    path: { campaignId: code_of_friends.campaign_id, memberId: seeds.referral_code?.[0] },
    body: { holders: [{ source_id: uniqueText("referee") }] },
  },
  "create-earning-rule": { path: { campaignId: seeds.program?.[0] } },
  "create-in-bulk-loyalty-tiers": {
    path: { campaignId: another_program },
    body: [{ name: "Silver", points: { from: 1, to: 10 } }],
  },
  "export-loyalty-campaign-transactions": { path: { campaignId: seeds.program?.[0] } },
  "export-loyalty-card-transactions": { path: { memberId: seeds.card?.[0] } },
  "export-loyalty-card-transactions-1": { path: { campaignId: seeds.program?.[0], memberId: seeds.card?.[0] } },
  "create-points-expiration-export": { path: { campaignId: seeds.program?.[0] } },
  "enable-earning-rule": { path: { campaignId: seeds.program?.[0] } },
  "disable-earning-rule": { path: { campaignId: seeds.program?.[0] } },
  ...Object.fromEntries(
    (["activate", "adjust", "cancel"] as const).map((what, i) => [
      `${what}-member-pending-points`,
      { path: { memberId: waiting.card, pendingPointsId: waiting.ids[i] ?? "" }, body: { points: 1 } },
    ]),
  ),
  "import-customers-using-csv": { body: { file: "Name\nAnn" } },
  "import-products-using-csv": { body: { file: "Name\nShirt" } },
  "import-skus-using-csv": { body: { file: "Product ID,SKU\np-1,Blue" } },
  "import-vouchers-using-csv": { body: { file: "Code\nFROM-A-FILE" } },
  "import-vouchers-to-campaign-using-csv": { body: { file: "Code\nFROM-A-FILE" } },
  "retry-send-out": { path: { sendOutId: await aSendOut(service, project.id, { webhook_id: webhook.body.id }) } },
  "create-metadata-schema": { body: { related_object: "customer", properties: {} } },
  "create-location": {
    body: {
      name: "here",
      shape: { type: "circle", format: "distance", distance: { center: "geo:1,2", radius: "1 km" } },
    },
  },
  "assign-user": { body: { id: (await aUser(service)).id, role: "USER" } },
  "invite-user": {
    body: {
      email: `${uniqueText("bea")}@example.com`,
      ...{ first_name: "Bea", last_name: "Moe", projects: { [project.id]: "USER" } },
    },
  },
  "create-brand": {
    body: {
      brand: { name: "b" },
      address: { street: "s", city: "c", postal: null, country: "p" },
      contact: { email: "a@b.example" },
    },
  },
  "create-campaign-template": { body: { campaign_id: seeds.campaign?.[0], name: uniqueText("template") } },
  "add-tier-from-template": { body: { campaign_id: promotion.body.id, name: "from a template" } },
  "management-copy-campaign-template": {
    path: { campaignTemplateId: seeds.template?.[0] },
    body: { destination_project_id: project.id, name: uniqueText("copy") },
  },
  "create-referral-tier": {
    path: { campaignId: code_of_friends.campaign_id },
    body: { criterion: "EACH_REFEREE", reward_id: seeds.reward?.[0] },
  },
  "create-role": { body: { name: uniqueText("role"), duplicate_of: "VIEWER" } },
  "create-automation": { body: sends("https://hooks.example/") },
  "create-webhook": { body: { target_url: "https://hooks.example/", events: ["customer.created"] } },
  "revoke-oauth-token": { body: { access_token: seeds.token?.[0] } },
};

function requestTo(operation: Operation): { path: string; raw: string | undefined } {
  const { id = "", path, body, body_type } = operation;
  const given = done_with[id] ?? {};
  const names = referencesOf(operation).flatMap(({ in: place, steps: [step = ""], key }) => {
    const [resource] = named_by[key] ?? [];
    return place === "path" && resource ? [[step, seeds[resource]?.[0] ?? ""]] : [];
  });
  const target = pathWith(path, { ...Object.fromEntries(names), projectId: project.id, ...given.path });
  const sent = given.body ?? (body && laidOver(exampleOf(body), fuller(id, code)));
  return {
    path: given.query ? `${target}?${given.query}` : target,
    raw: sent === undefined ? undefined : bodyText(sent, body_type),
  };
}

const laidOver = (example: unknown, fuller: object) =>
  Array.isArray(example) ? example : { ...(example as object), ...fuller };

const clientOf = (operation: Operation): Client =>
  operation.path.startsWith("/management/") ? management : callerOf(operation, project);

/** What is asked in a POST and changes nothing: sent again it is asked again. */
const questions = [
  "check-eligibility",
  "check-eligibility-client-side",
  "estimate-points",
  "examine-campaign-qualification",
  "examine-vouchers-qualification",
  "introspect-oauth-token",
  "validate-promotions",
];

/** Honoured for the lock that they may ask for; without one they change nothing. */
const without_lock = ["validate-stacked-discounts-client-side"];

test("every POST honours an Idempotency-Key, but for those that only ask; nothing else does", () => {
  const without = posts.filter((operation) => !isHonoured(operation)).map(({ id }) => id);
  expect(without.sort()).toEqual(questions);
  expect(all.filter(isHonoured).every(({ method }) => method === "POST")).toBe(true);
});

describe("done once, and sent again with its key", () => {
  const keyed = posts.filter((one) => isHonoured(one) && !without_lock.includes(one.id ?? ""));

  test.each(keyed.map((operation) => ({ name: nameOf(operation), operation })))(
    "$name answers what it answered",
    async ({ operation }) => {
      const { path, raw } = requestTo(operation);
      const type = raw === undefined ? null : operation.body_type;
      const headers = { "content-type": type, "idempotency-key": uniqueText("key") };
      const send = () => clientOf(operation).send("POST", path, { raw, headers });
      const first = await send();
      expect(first.status, JSON.stringify(first.body)).toBeLessThan(300);
      expect(first.headers.get("idempotent-replayed")).toBeNull();
      const again = await send();
      expect(again).toMatchObject({ status: first.status, body: first.body });
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
    },
  );
});
