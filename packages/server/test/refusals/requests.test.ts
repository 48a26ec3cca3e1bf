import { describe, expect, test } from "vitest";
import { aMember, aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import { aSendOut } from "../../src/features/management/send-outs/send-out.fixtures.js";
import { aUser } from "../../src/features/management/users/user.fixtures.js";
import { postForm } from "../../src/features/oauth/oauth.fixtures.js";
import { aBrowser, someoneIn } from "../../src/features/people/people.fixtures.js";
import { aStack, type Fields, off } from "../../src/features/promotions/promotion.fixtures.js";
import { default_bounds, setBounds } from "../../src/platform/bounds.js";
import { tryKeys } from "../../src/platform/db/locks.js";
import { sql } from "../../src/platform/db/sql.js";
import { refusals } from "../../src/terms/refusals.js";
import type { Answer } from "../harness/client.js";
import { uniqueText } from "../harness/resources.js";
import { startService } from "../harness/service.js";
import { holdErrorsToReference } from "../harness/told-errors.js";
import { refusedThings, request_id } from "./refusals.fixtures.js";

holdErrorsToReference();
const service = await startService();
const { api, page, clock, management, project, context, anotherProject, runDue } = service;
const { voucher, tier, aRule } = refusedThings(api);

interface Provoked {
  answers: Answer | Answer[];
  status?: number;
  /** What the body says beside `code` and `request_id`. */
  says: Fields & { key: string; message: string };
}
const order = { amount: 10_000 };
const rr = expect.stringMatching(/^rrf_/);
const asRollback = { resource_id: rr, resource_type: "redemption_rollback" };

/** The two operations of the pipeline, each side. */
const everywhere = async (sent: Fields) => [
  await api.post("/v1/validations", sent),
  await api.post("/v1/redemptions", sent),
  await page.post("/client/v1/validations", sent),
  await page.post("/client/v1/redemptions", sent),
];
async function redeemed(count = 1, more: Fields = {}): Promise<{ ids: string[]; parent: string }> {
  const redeemables = [];
  for (let i = 0; i < count; i += 1) redeemables.push(await voucher());
  const { body } = await api.post("/v1/redemptions", { redeemables, order, ...more }, 200);
  const ids = body.redemptions.map(({ id }: { id: string }) => id);
  return { ids, parent: body.parent_redemption?.id ?? ids[0] };
}
const rollBack = (id: string, sent: Fields = {}, form = "rollback") => api.post(`/v1/redemptions/${id}/${form}`, sent);
const aCard = async (program: { id: string }) =>
  (await api.post(`/v1/campaigns/${program.id}/vouchers/${uniqueText("L")}`, {}, 200)).body;
const join = (program: { id: string }, sent: Fields) => api.post(`/v1/loyalties/${program.id}/members`, sent);

/** A code that refers, of somebody or of nobody yet. */
async function referralCode(customer: Fields | null): Promise<string> {
  const name = uniqueText("Friends");
  await api.post("/v1/campaigns", { name, campaign_type: "REFERRAL_PROGRAM", voucher: off(100) }, 200);
  if (!customer) return (await api.post(`/v1/campaigns/${name}/vouchers`, {}, 200)).body.code;
  const { source_id } = customer;
  return (await api.post("/v1/publications", { campaign: { name }, customer: { source_id } }, 200)).body.voucher.code;
}
const toReferees = (code: string, holders: Fields[]) => api.post(`/v1/referrals/members/${code}/holders`, { holders });

/** How each refusal of a whole request comes about, and its words to the letter (redemption.md §18.2 to §18.4). */
const provoked: Record<keyof typeof refusals, () => Promise<Provoked>> = {
  async duplicatedRedeemables() {
    const one = await voucher();
    const { id } = (await api.get(`/v1/vouchers/${one.id}`, 200)).body;
    const answers = [
      ...(await everywhere({ redeemables: [one, one] })),
      ...(await everywhere({ redeemables: [one, { object: "voucher", id }] })),
    ];
    const details = "Duplicated redeemables detected in one redemption";
    return { answers, says: { key: "duplicated_redeemables", message: "Duplicated redeemables detected", details } };
  },
  async multipleRequests() {
    const redeemables = [await voucher()];
    const source_id = uniqueText("order");
    const in_use = { project_id: project.id, kind: "order_in_use", id: `source_id ${source_id}` } as const;
    const answers = await context.db.transaction(async (tx) => {
      await tryKeys(tx, [in_use]);
      return [await api.post("/v1/redemptions", { redeemables, order: { source_id, amount: 500 } })];
    });
    const details = "Another request for this order is being worked on. Try again.";
    return { answers, says: { key: "multiple_requests", message: "Multiple requests", details } };
  },
  async invalidPendingPointsState() {
    const { id } = await aProgram({ api });
    const pending_points = { period_type: "DAY", period_value: 1 };
    const rule = { event: "order.paid", loyalty: { type: "FIXED", points: 5 }, pending_points };
    await api.post(`/v1/loyalties/${id}/earning-rules`, [rule], 200);
    const customer = { source_id: uniqueText("member") };
    const card = (await api.post(`/v1/loyalties/${id}/members`, { customer }, 200)).body;
    await api.post("/v1/orders", { customer, amount: 100, status: "PAID" }, 200);
    await runDue();
    const path = `/v1/loyalties/members/${card.id}/pending-points`;
    const one = `${path}/${(await api.get(path, 200)).body.data[0].id}`;
    await api.post(`${one}/activate`, {}, 200);
    const details = "Only pending points in 'PENDING' status can be activated. Current status: 'ACTIVATED'.";
    const answers = await api.post(`${one}/activate`, {});
    return { answers, says: { key: "invalid_pending_points_state", message: "Invalid pending points state", details } };
  },
  async campaignNotActive() {
    const { id } = await aProgram({ api });
    await api.post(`/v1/campaigns/${id}/disable`, {}, 200);
    const answers = await api.post(`/v1/loyalties/${id}/qualifications`, { customer: {}, order: {} });
    return { answers, says: { key: "campaign_not_active", message: "Campaign is not active" } };
  },
  async loyaltyCardNotActive() {
    const program = await aProgram({ api });
    const { card, source_id } = await aMember({ api }, program);
    await api.post(`/v1/vouchers/${card.code}/disable`, {}, 200);
    const sent = { customer: { source_id }, order: {} };
    const answers = await api.post(`/v1/loyalties/${program.id}/qualifications`, sent);
    return { answers, says: { key: "loyalty_card_not_active", message: "Loyalty card is not active" } };
  },
  async noAutoJoin() {
    const { id } = await aProgram({ api });
    const answers = await api.post(`/v1/loyalties/${id}/qualifications`, { customer: {}, order: {} });
    return { answers, says: { key: "campaign_not_allow_auto_join", message: "Campaign does not allow auto join" } };
  },
  async mixedStack() {
    const stack = { object: "promotion_stack", id: (await aStack(api)).id };
    const other = { object: "promotion_stack", id: (await aStack(api)).id };
    const answers = [
      ...(await everywhere({ redeemables: [stack, await voucher()], order })),
      ...(await everywhere({ redeemables: [stack, other], order })),
    ];
    const details = "Promotion Stack cannot be use with other redeemables";
    return { answers, says: { key: "invalid_redeemables", message: "Invalid redeemables", details } };
  },
  async noApplicableRedeemables() {
    const partial = await anotherProject();
    const rules = { redeemables_application_mode: "PARTIAL" };
    await management.post(`/management/v1/projects/${partial.id}/stacking-rules`, rules, 200);
    await partial.api.post("/v1/vouchers/OFF", { ...off(100), active: false }, 200);
    const redeemables = [{ object: "voucher", id: "OFF" }];
    const validation = (await partial.api.post("/v1/validations", { redeemables, order }, 200)).body;
    const [entry] = validation.inapplicable_redeemables;
    const result = { ...entry.result, error: { ...entry.result.error, request_id } };
    return {
      answers: [
        await partial.api.post("/v1/redemptions", { redeemables, order }),
        await partial.page.post("/client/v1/redemptions", { redeemables, order }),
      ],
      says: {
        key: "no_applicable_redeemables",
        message: "No applicable redeemables",
        details: "None of the redeemables can be applied",
        resource_id: expect.stringMatching(/^rf_/),
        resource_type: "redemption",
        inapplicable_redeemables: [{ ...entry, result }],
        skipped_redeemables: [],
      },
    };
  },
  async invalidRedemptionParent() {
    const { ids } = await redeemed(2);
    const details = "You can rollback only a redemption that does not have parent redemption.";
    const answers = [await rollBack(ids[0] as string), await rollBack(ids[1] as string, {}, "rollbacks")];
    return { answers, says: { key: "invalid_redemption_parent", message: "Invalid redemption parent", details } };
  },
  async stackedRedemption() {
    const { parent } = await redeemed(2);
    const details = "You can rollback only a single redemption. Use different endpoint for stacked redemption.";
    return {
      answers: await rollBack(parent),
      says: { key: "invalid_redemption", message: "Invalid redemption", details },
    };
  },
  async notARedemption() {
    const { parent } = await redeemed();
    const rollback = (await rollBack(parent)).body.id;
    const failed = await api.post("/v1/redemptions", { redeemables: [await voucher({ active: false })] }, 400);
    const details = "You can rollback only a successful redemption.";
    return {
      answers: [await rollBack(rollback), await rollBack(failed.body.resource_id, {}, "rollbacks")],
      says: { key: "invalid_redemption", message: "Invalid redemption", details },
    };
  },
  async tooOldForRollback() {
    const { parent } = await redeemed();
    const now = clock.now();
    clock.advance({ days: 93 });
    const answers = [await rollBack(parent), await rollBack(parent, {}, "rollbacks")];
    clock.set(new Date(now).toISOString());
    const details = "Redemption is older than 3 months.";
    return { answers, says: { key: "invalid_redemption", message: "Invalid redemption", details, ...asRollback } };
  },
  async alreadyRolledBack() {
    const [one, two] = [await redeemed(), await redeemed(2)];
    await rollBack(one.parent);
    await rollBack(two.parent, {}, "rollbacks");
    const details = "Redemption has been already rolled back.";
    return {
      answers: [await rollBack(one.parent), await rollBack(two.parent, {}, "rollbacks")],
      says: { key: "already_rolled_back", message: "Already rolled back", details, ...asRollback },
    };
  },
  async foreignCustomer() {
    const { parent } = await redeemed(1, { customer: { source_id: "buyer" } });
    const { id, source_id } = (await api.post("/v1/customers", { source_id: uniqueText("stranger") }, 200)).body;
    const answers = [
      await rollBack(parent, { customer: { id } }),
      await rollBack(parent, { customer: { source_id } }, "rollbacks"),
      await api.post(`/v1/redemptions/${parent}/rollback?tracking_id=${source_id}`, {}),
    ];
    const details = "Customer is not related with redemption.";
    return { answers, says: { key: "invalid_customer", message: "Invalid customer", details } };
  },
  async foreignOrder() {
    const { parent } = await redeemed();
    const { id } = (await api.post("/v1/orders", { source_id: uniqueText("o"), amount: 1 }, 200)).body;
    const answers = [
      await rollBack(parent, { order: { id } }),
      await rollBack(parent, { order: { source_id: "another" } }, "rollbacks"),
    ];
    return {
      answers,
      says: { key: "invalid_order", message: "Invalid order", details: "Order is not related with redemption." },
    };
  },
  async invalidAmount() {
    const redeemables = [await voucher()];
    const answers = [
      ...(await everywhere({ redeemables, order: { amount: -1 } })),
      ...(await everywhere({ redeemables, order: { amount: 1.5 } })),
    ];
    const details = "Amount has to be a valid positive number";
    return { answers, says: { key: "invalid_amount", message: "Invalid Amount", details } };
  },
  async ambiguousTrackingId() {
    const tokenOf = async (source_id: string) =>
      (await api.post("/v1/validations", { redeemables: [await voucher()], customer: { source_id } }, 200)).body
        .tracking_id;
    const sent = { redeemables: [await voucher()], tracking_id: "ann", customer: { source_id: "bob" } };
    return {
      answers: [await page.post("/client/v1/validations", sent), await page.post("/client/v1/redemptions", sent)],
      says: {
        key: "ambiguous_tracking_id",
        message: `Ambiguous trackingId ('${await tokenOf("ann")}' vs. '${await tokenOf("bob")}')`,
        details:
          "The customer cannot be identified as two different identifiers have been used between requests from same origin.",
      },
    };
  },
  async tooHeavy() {
    const $contains = Array.from({ length: 9_000 }, (_none, i) => `word ${i}`);
    const rule = await aRule("order.metadata", { $contains }, { property: "essay" });
    const redeemables = [await voucher({ validation_rules: [rule] })];
    return {
      answers: await everywhere({ redeemables, order: { amount: 1, metadata: { essay: "a".repeat(60_000) } } }),
      says: {
        key: "decision_too_heavy",
        message: "Decision too heavy",
        details: expect.stringMatching(
          new RegExp(`^Work on validation rule ${rule} came to \\d+ units, \\d+ at most$`),
        ),
        resource_id: rule,
        resource_type: "validation_rule",
      },
    };
  },
  async tooMuchToLookAt() {
    const { id } = (await api.post("/v1/customers", { source_id: uniqueText("hoarder") }, 200)).body;
    await context.db.run(sql`
      insert into publications (project_id, id, customer_id, channel, metadata, result, created_at)
      select ${project.id}, 'pub_' || n, ${id}, 'API', '{}', 'SUCCESS', ${new Date(clock.now())}
        from generate_series(1, 10001) as n`);
    const filter = { junction: "and", "publications.related_object_id": { conditions: { $is: ["v_1"] } } };
    const segment = { type: "passive", name: uniqueText("S"), filter };
    await api.post("/v1/segments", segment, 200);
    return {
      answers: await api.get(`/v1/customers/${id}/segments`),
      says: {
        key: "decision_too_heavy",
        message: "Decision too heavy",
        details: `The customer ${id} has more than 10000 publications, too many for a segment to look at`,
      },
    };
  },

  async invalidVoucher() {
    return {
      answers: await api.post("/v1/vouchers", { type: "DISCOUNT_VOUCHER" }),
      says: {
        key: "invalid_voucher",
        message: "Invalid Voucher",
        details: "Property .discount is required for DISCOUNT_VOUCHER",
      },
    };
  },
  async invalidCampaign() {
    const details = "Property .campaign_type is required, or a voucher or promotion that tells it";
    return {
      answers: await api.post("/v1/campaigns", { name: uniqueText("C") }),
      says: { key: "invalid_campaign", message: "Invalid Campaign", details },
    };
  },
  async invalidCodeConfig() {
    const sent = { ...off(1), code_config: { charset: "" } };
    return {
      answers: await api.post("/v1/vouchers", sent),
      says: { key: "invalid_code_config", message: "Invalid Code Config", details: expect.stringContaining("charset") },
    };
  },
  async noTemplateOf() {
    const campaign = { name: uniqueText("C"), campaign_type: "PROMOTION" };
    const { id } = (await api.post("/v1/campaigns", campaign, 200)).body;
    const answers = await api.post("/v1/templates/campaigns", { campaign_id: id, name: uniqueText("T") });
    const key = "campaign_type_is_not_supported_by_campaign_template";
    return { answers, says: { key, message: "Campaign type is not supported by campaign template" } };
  },
  async protectedCampaign() {
    const sent = { name: uniqueText("C"), campaign_type: "PROMOTION" };
    const { id } = (await api.post("/v1/campaigns", sent, 200)).body;
    // No operation protects a campaign.
    await context.db.run(
      sql`update campaigns set protected = true where campaigns.project_id = ${project.id} and campaigns.id = ${id}`,
    );
    return {
      answers: [await api.put(`/v1/campaigns/${id}`, { description: "x" }), await api.delete(`/v1/campaigns/${id}`)],
      says: { key: "resource_protected", message: "Resource is protected", resource_type: "campaign" },
    };
  },
  async builtInProduct() {
    return {
      answers: await api.delete("/v1/products/prod_5h1pp1ng"),
      says: {
        key: "resource_protected",
        message: "Resource is protected",
        details: "Shipping is built in and cannot be deleted",
        resource_id: "prod_5h1pp1ng",
        resource_type: "product",
      },
    };
  },
  async invalidRule() {
    const sent = { name: "r", rules: { 1: { name: "order.amount", conditions: { $is: [1] } }, logic: "2" } };
    return {
      answers: await api.post("/v1/validation-rules", sent),
      says: {
        key: "invalid_validation_rules",
        message: "Invalid Validation Rule Definition",
        details: expect.any(String),
        path: expect.any(String),
      },
    };
  },
  async stackingRulesExist() {
    const path = `/management/v1/projects/${(await anotherProject()).id}/stacking-rules`;
    await management.post(path, {}, 200);
    const details = "Cannot exist more stacking rules for given project";
    return {
      answers: await management.post(path, {}),
      status: 409,
      says: { key: "stacking_rules_exist", message: "Stacking rules exist", details },
    };
  },
  async sendOutUnderWay() {
    const webhooks = `/management/v1/projects/${project.id}/webhooks`;
    const webhook = { target_url: "https://hooks.example/", events: ["customer.created"] };
    const { id: webhook_id } = (await management.post(webhooks, webhook, 200)).body;
    const id = await aSendOut(service, project.id, { webhook_id, status: "RETRYING", due_at: "2100-01-01" });
    return {
      answers: await management.post(`/management/v1/projects/${project.id}/send-outs/${id}/retry`),
      status: 409,
      says: {
        key: "send_out_under_way",
        message: "Send-out under way",
        details: `The message ${id} has not ended yet: it is tried again by itself`,
      },
    };
  },
  async tooManyAutomations() {
    const path = `/management/v1/projects/${(await anotherProject()).id}/automations`;
    const channel = { type: "webhook", event_name: "told", target_url: "https://hooks.example/" };
    const automation = { trigger: { event: "customer.created" }, action: { type: "SEND" }, channel };
    for (let i = 0; i < 50; i += 1) await management.post(path, { ...automation, name: `n${i}` }, 200);
    const details = "A project has 50 automations at most";
    return {
      answers: await management.post(path, { ...automation, name: "one more" }),
      says: { key: "automations_limit_exceeded", message: "Automations limit exceeded", details },
    };
  },
  async userNotAssigned() {
    const [user, { id }] = [await aUser(service), await anotherProject()];
    const says = { key: "user_not_assigned", message: "User is not assigned" };
    const details = "User is not assigned to the project";
    const answers = await management.delete(`/management/v1/projects/${id}/users/${user.id}`);
    return { answers, says: { ...says, details } };
  },
  async linkIsOver() {
    const answers = await aBrowser(service, "-").post("/dashboard/v1/links", { token: "nobodys" });
    const details = "The link was used, is older than a day, or was never made. Ask for a new one.";
    return { answers, status: 404, says: { key: "link_is_over", message: "Link is over", details } };
  },
  async wrongPassword() {
    const shown = { email: "nobody@example.com", password: "wrong" };
    const answers = await aBrowser(service, "-").post("/dashboard/v1/session", shown);
    return {
      answers,
      says: { key: "wrong_password", message: "Wrong password", details: "E-mail or password is wrong" },
    };
  },
  async tooManyKeys() {
    const { id } = await anotherProject();
    const { browser } = await someoneIn(service, id, "ADMIN");
    const add = () => browser.post("/dashboard/v1/keys", { name: "one more", kind: "server" });
    for (let keys = 2; keys < 100; keys += 1) await add();
    const says = { key: "keys_limit_exceeded", message: "Keys limit exceeded" };
    return { answers: await add(), says: { ...says, details: "A project has 100 keys at most" } };
  },
  async tooManyKept() {
    const { browser } = await someoneIn(service, project.id, "VIEWER");
    const add = () => browser.post("/dashboard/v1/drafts", { page: "campaigns/new", name: "one more", content: {} });
    for (let drafts = 0; drafts < 50; drafts += 1) await add();
    const says = { key: "drafts_limit_exceeded", message: "Drafts limit exceeded" };
    return { answers: await add(), says: { ...says, details: "One person has 50 drafts of a project at most" } };
  },
  async userNotInProject() {
    const [user, { id }] = [await aUser(service), await anotherProject()];
    const answers = await management.get(`/management/v1/projects/${id}/users/${user.id}`);
    const details = `Cannot find user '${user.id}' assigned to the project '${id}'`;
    const says = { key: "not_found", message: "Resource not found", details };
    return { answers, status: 404, says: { ...says, resource_id: user.id, resource_type: "user" } };
  },
  async incorrectRole() {
    const answers = await management.post(`/management/v1/projects/${project.id}/users`, {
      id: "x",
      role: "VICE_ADMIN",
    });
    const details = "The role 'VICE_ADMIN' is incorrect";
    return { answers, says: { key: "used_incorrect_role", message: "Used incorrect role", details } };
  },
  async onlyProject() {
    const [user, { id }] = [await aUser(service), await anotherProject()];
    const at = `/management/v1/projects/${id}/users`;
    await management.post(at, { id: user.id, role: "USER" }, 200);
    const details = "A user's only project cannot be taken away";
    const answers = await management.delete(`${at}/${user.id}`);
    return { answers, says: { key: "invalid_payload", message: "Invalid payload", details } };
  },
  async lastAdministrator() {
    const at = `/management/v1/projects/${(await anotherProject()).id}/users`;
    const { data } = (await management.get(at, 200)).body;
    const answers = [];
    for (const { id } of data) answers.push(await management.put(`${at}/${id}`, { role: "USER" }));
    const details = "A project must keep an administrator";
    return { answers: answers.slice(-1), says: { key: "invalid_payload", message: "Invalid payload", details } };
  },
  async brandingExists() {
    const address = { street: "s", city: "c", postal: null, country: "p" };
    const sent = { brand: { name: "b" }, address, contact: { email: "a@b.example" } };
    const at = `/management/v1/projects/${(await anotherProject()).id}/branding`;
    await management.post(at, sent, 200);
    const details = "Cannot exist more than one branding for given project";
    const answers = await management.post(at, sent);
    return { answers, status: 409, says: { key: "branding_exist", message: "Branding exist", details } };
  },
  async tooManyWebhooks() {
    const path = `/management/v1/projects/${(await anotherProject()).id}/webhooks`;
    const webhook = { target_url: "https://hooks.example/", events: ["customer.created"] };
    for (let i = 0; i < 50; i += 1) await management.post(path, webhook, 200);
    const details = "A project has 50 webhooks at most";
    return {
      answers: await management.post(path, webhook),
      says: { key: "webhooks_limit_exceeded", message: "Webhooks limit exceeded", details },
    };
  },
  async invalidMetadata() {
    const event = uniqueText("event");
    const schema = { properties: { title: { type: "string", optional: false } } };
    await management.post(`/management/v1/projects/${project.id}/custom-event-schemas`, { name: event, schema }, 200);
    const details = "title: must be a string, property is required (actual value is 'undefined')";
    return {
      answers: await api.post("/v1/events", { event, customer: { source_id: "ann" } }),
      says: { key: "metadata_validation_failed", message: "Metadata validation failed", details },
    };
  },

  async duplicateSourceId() {
    const program = await aProgram(service, { name: uniqueText("P") });
    const source_id = uniqueText("publication");
    await join(program, { customer: { source_id: uniqueText("c") }, source_id });
    return {
      answers: await join(program, { customer: { source_id: uniqueText("c") }, source_id }),
      says: {
        key: "duplicate_source_id",
        message: "Duplicate source_id",
        details: `Publication with source_id: '${source_id}' already exists`,
      },
    };
  },
  async alreadyJoined() {
    const program = await aProgram(service, { name: uniqueText("P") });
    const { source_id } = await aMember(service, program, uniqueText("c"));
    const details = "Voucher cannot be published. Customer already joined program.";
    return {
      answers: await join(program, { customer: { source_id } }),
      says: { key: "voucher_cannot_be_published", message: "Voucher cannot be published", details },
    };
  },
  async notPublished() {
    const code = await referralCode(null);
    const answers = await toReferees(code, [{ source_id: uniqueText("c") }]);
    return { answers, says: { key: "not_published", message: "Voucher is not published" } };
  },
  async holdsAlready() {
    const referrer = (await api.post("/v1/customers", { source_id: uniqueText("c") }, 200)).body;
    const code = await referralCode(referrer);
    const message = "Customer is already assigned to given redeemable";
    const details = `Customer with id ${referrer.id} is already assigned to given redeemable`;
    return {
      answers: await toReferees(code, [{ id: referrer.id }]),
      status: 409,
      says: {
        ...{ key: "holder_assignement_duplication", message, details },
        ...{ resource_id: referrer.id, resource_type: "customer" },
      },
    };
  },
  async holdsForGood() {
    const code = await referralCode({ source_id: uniqueText("c") });
    const { data } = (await api.get(`/v1/referrals/members/${code}/holders`, 200)).body;
    return {
      answers: await api.delete(`/v1/referrals/members/${code}/holders/${data[0].id}`),
      status: 403,
      says: { key: "forbidden", message: "Can not remove assignment" },
    };
  },
  async alreadyPublished() {
    const program = await aProgram(service, { name: uniqueText("P") });
    const { id, code } = await aCard(program);
    await join(program, { customer: { source_id: uniqueText("c") }, voucher: code });
    return {
      answers: await join(program, { customer: { source_id: uniqueText("c") }, voucher: code }),
      says: {
        key: "voucher_already_published",
        message: "Voucher already published",
        details: `Voucher with id ${id} is already published`,
        resource_id: id,
        resource_type: "voucher",
      },
    };
  },
  async missingVouchers() {
    const details = "Either Campaign or Voucher is required";
    return {
      answers: await api.post("/v1/publications", { customer: { source_id: "ann" }, campaign: null }),
      says: { key: "missing_vouchers", message: "Missing vouchers", details },
    };
  },
  async tooManyVouchers() {
    const sent = { customer: { source_id: "ann" }, campaign: { name: "any", count: 2 }, source_id: "own" };
    return {
      answers: await api.post("/v1/publications", sent),
      says: {
        key: "too_many_vouchers_requested",
        message: "Too many vouchers requested",
        details: "Only up to 1 can be published",
      },
    };
  },
  async pageOverLimit() {
    return {
      answers: await api.get("/v1/publications?page=1001"),
      says: {
        key: "page_over_limit",
        message: "Listing resource above 1000 page is not supported",
        details: "Property .page cannot be higher than 1000",
      },
    };
  },
  async noneSuitable() {
    const program = await aProgram(service, { name: uniqueText("P") });
    const { code } = await aCard(program);
    await api.post(`/v1/vouchers/${code}/disable`, {}, 200);
    return {
      answers: await join(program, { customer: { source_id: uniqueText("c") }, voucher: code }),
      says: {
        key: "no_voucher_suitable_for_publication",
        message: "Couldn't find any voucher suitable for publication",
      },
    };
  },

  async missingParam() {
    const program = await aProgram(service, { name: uniqueText("P") });
    const rule = { loyalty: { type: "FIXED", points: 1 }, event: "customer.segment.entered", source: { banner: "b" } };
    return {
      answers: await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule]),
      says: {
        key: "missing_param",
        message: "Missing required parameter",
        details: "Parameter 'segment.id' is required",
      },
    };
  },

  async invalidBalance() {
    const name = uniqueText("G");
    const voucher = { type: "GIFT_VOUCHER", gift: { amount: 1 } };
    const { id } = (await api.post("/v1/campaigns", { name, campaign_type: "GIFT_VOUCHERS", voucher }, 200)).body;
    const message = "Property 'parameters.campaign.balance' must be greater than zero for campaign type: GIFT_VOUCHERS";
    return {
      answers: await api.post("/v1/rewards", { name, parameters: { campaign: { id, balance: 0 } } }),
      says: { key: "invalid_balance", message, details: message },
    };
  },
  async invalidAddBalanceParams() {
    const code = uniqueText("GIFT");
    await api.post(`/v1/vouchers/${code}`, { type: "GIFT_VOUCHER", gift: { amount: 1 } }, 200);
    return {
      answers: await api.post(`/v1/vouchers/${code}/balance`, { amount: 0 }),
      says: {
        key: "invalid_add_balance_params",
        message: "Invalid add balance params",
        details: "Amount cannot be zero",
      },
    };
  },
  async pointsExceeded() {
    const program = await aProgram(service);
    const [{ card }, { card: donor }] = [await aMember(service, program), await aMember(service, program)];
    const sent = [{ code: donor.code, points: 1, source_id: "t" }];
    return {
      answers: await api.post(`/v1/loyalties/${program.id}/members/${card.code}/transfers`, sent),
      says: { key: "loyalty_card_points_exceeded", message: "loyalty card points exceeded", details: donor.code },
    };
  },
  async invalidExpirationDate() {
    const program = await aProgram(service);
    const { card } = await aMember(service, program);
    const dated = { points: 1, expiration_type: "CUSTOM_DATE", expiration_date: "2020-01-01" };
    return {
      answers: await api.post(`/v1/loyalties/members/${card.code}/balance`, dated),
      says: {
        key: "invalid_expiration_date",
        message: "Invalid expiration date",
        details: "Expiration date cannot be set in the past",
      },
    };
  },
  async noProgram() {
    const reward = { name: uniqueText("R"), parameters: { coin: { exchange_ratio: 1 } } };
    const { id } = (await api.post("/v1/rewards", reward, 200)).body;
    return {
      answers: await api.post(`/v1/rewards/${id}/assignments`, {}),
      status: 404,
      says: {
        key: "not_found",
        message: "Resource not found",
        details: "Cannot find campaign with id null",
        resource_type: "campaign",
      },
    };
  },

  async missingParameters() {
    return {
      answers: [
        await postForm(api, "/v1/oauth/token", { scope: "api" }),
        await postForm(api, "/v1/oauth/introspect", {}),
      ],
      says: { key: "missing_parameters", message: "Missing parameters" },
    };
  },
  async invalidGrantType() {
    return {
      answers: await postForm(api, "/v1/oauth/token", { grant_type: "password", scope: "api" }),
      says: { key: "invalid_grant_type", message: "Invalid grant_type" },
    };
  },
  async invalidExportFields() {
    const fields = ["id", "colour"];
    const details =
      "Unsupported field used. Allowed fields: id, source_id, created_at, updated_at, status, amount, discount_amount, items_discount_amount, total_discount_amount, total_amount, customer_id, referrer_id, metadata";
    return {
      answers: [
        await api.post("/v1/exports", { exported_object: "order", parameters: { fields } }),
        await api.post("/v1/orders/export", { parameters: { fields } }),
      ],
      says: { key: "invalid_export_fields", message: "Invalid Export", details },
    };
  },
  async exportsLimitExceeded() {
    const { api } = await anotherProject();
    for (let i = 0; i < 20; i += 1) await api.post("/v1/orders/export", {}, 200);
    return {
      answers: await api.post("/v1/orders/export", {}),
      says: {
        key: "exports_limit_exceeded",
        message: "Exports limit exceeded",
        details: "20 exports are under way",
      },
    };
  },
  async asyncActionsLimitExceeded() {
    const { api } = await anotherProject();
    const sent = [{ source_id: "ann", metadata: { vip: true } }];
    const ask = () => api.post("/v1/customers/bulk/async", sent);
    setBounds({ ...default_bounds, async_actions_max: 2 });
    try {
      const { status, body } = await ask().then(ask);
      expect([status, typeof body.async_action_id]).toEqual([202, "string"]);
      const campaign = {
        name: "C",
        campaign_type: "DISCOUNT_COUPONS",
        vouchers_count: 5000,
        voucher: { type: "DISCOUNT_VOUCHER", ...off(100) },
      };
      const answers = [await ask(), await api.post("/v1/campaigns", campaign)];
      // What could not be started was not begun: there is no such campaign.
      await api.get("/v1/campaigns/C", 404);
      await runDue();
      expect((await ask()).status).toBe(202);
      return {
        answers,
        says: {
          key: "async_actions_limit_exceeded",
          message: "Asynchronous actions limit exceeded",
          details: "2 asynchronous actions of the project have not ended. Try again when one of them has.",
        },
      };
    } finally {
      setBounds(default_bounds);
    }
  },
  async importsLimitExceeded() {
    const { api } = await anotherProject();
    for (let i = 0; i < 100; i += 1) await api.post("/v1/vouchers/import", [{ code: `I-${i}` }], 202);
    return {
      answers: await api.post("/v1/vouchers/import", [{ code: "I-100" }]),
      says: {
        key: "imports_limit_exceeded",
        message: "Imports limit exceeded",
        details: "100 imports of the project are waiting. Try again when one of them has ended.",
      },
    };
  },
  async vouchersWithoutCode() {
    return {
      answers: await api.post("/v1/vouchers/import", [{}, { code: uniqueText("I") }]),
      says: {
        key: "invalid_voucher",
        message: "Invalid Voucher",
        details: "Found 1 voucher(s) without 'code' value",
      },
    };
  },
  async duplicateCodes() {
    const { id } = await voucher();
    return {
      answers: await api.post("/v1/vouchers/import", [{ code: id }]),
      says: { key: "duplicate_key", message: "Duplicate codes", details: "1 voucher codes(s) already exist." },
    };
  },
  async invalidScope() {
    const grant = { grant_type: "client_credentials", scope: "vouchers,campaigns" };
    return {
      answers: await postForm(api, "/v1/oauth/token", grant),
      says: { key: "invalid_scope", message: "Invalid scope: vouchers,campaigns" },
    };
  },
};

test.each(Object.entries(provoked))("%s is told in full, wherever it is", async (_name, provoke) => {
  const { answers, status = 400, says } = await provoke();
  for (const { status: answered, body } of [answers].flat()) {
    expect(body).toEqual({ code: status, ...says, request_id });
    expect(answered).toBe(status);
  }
});

test("the catalogue has no entry that nothing provokes", () => {
  expect(Object.keys(provoked).sort()).toEqual(Object.keys(refusals).sort());
});

describe("what names nothing is a 404 that names it (redemption.md §18.1)", () => {
  const missing = (resource_type: string, resource_id: string) => ({
    code: 404,
    key: "not_found",
    message: "Resource not found",
    details: `Cannot find ${resource_type} with id ${resource_id}`,
    resource_id,
    resource_type,
    request_id,
  });

  test("a customer or an order id, in whatever is asked", async () => {
    const redeemables = [await voucher()];
    const by_customer = { redeemables, customer: { id: "cust_none" } };
    const by_order = { redeemables, order: { id: "ord_none" } };
    for (const { body } of await everywhere(by_customer)) expect(body).toEqual(missing("customer", "cust_none"));
    for (const { body } of await everywhere(by_order)) expect(body).toEqual(missing("order", "ord_none"));
  });

  test("a stack, which stands for tiers that there are not", async () => {
    const redeemables = [{ object: "promotion_stack", id: "stack_none" }];
    for (const { body } of await everywhere({ redeemables, order })) {
      expect(body).toEqual(missing("promotion_stack", "stack_none"));
    }
  });

  test("a redemption that is rolled back, and the customer of a rollback", async () => {
    expect((await rollBack("r_none")).body).toEqual(missing("redemption", "r_none"));
    const { parent } = await redeemed(1, { customer: { source_id: "buyer" } });
    expect((await rollBack(parent, { customer: { id: "cust_none" } })).body).toEqual(missing("customer", "cust_none"));
  });

  test("a session that is given up, and its voucher", async () => {
    const { id } = await voucher();
    const answer = await api.delete(`/v1/vouchers/${id}/sessions/ssn_none`, 404);
    expect(answer.body).toEqual(missing("session", "ssn_none"));
    expect((await api.delete("/v1/vouchers/NOWHERE/sessions/k", 404)).body).toEqual(missing("voucher", "NOWHERE"));
  });

  test("a tier, a stack and a campaign by their paths", async () => {
    const { id } = await tier();
    const campaign = (await api.get(`/v1/promotions/tiers/${id}`, 200)).body.campaign.id;
    const ask = async (path: string) => (await api.get(path, 404)).body;
    expect(await ask("/v1/promotions/tiers/promo_none")).toEqual(missing("promotion_tier", "promo_none"));
    expect(await ask(`/v1/promotions/${campaign}/stacks/stack_none`)).toEqual(missing("promotion_stack", "stack_none"));
    expect(await ask("/v1/promotions/camp_none/tiers")).toEqual(missing("campaign", "camp_none"));
  });

  test("stacking rules", async () => {
    const path = `/management/v1/projects/${project.id}/stacking-rules`;
    for (const { body } of [
      await management.get(`${path}/stk_none`, 404),
      await management.delete(`${path}/stk_none`, 404),
    ]) {
      expect(body).toEqual(missing("stacking_rules", "stk_none"));
    }
  });
});

test("what others still name is not deleted, and says who does (redemption.md §18.4)", async () => {
  const { api, id } = await anotherProject();
  const category = (await api.post("/v1/categories", { name: "Shoes", hierarchy: 1 }, 200)).body.id;
  const path = `/management/v1/projects/${id}/stacking-rules`;
  const rules = (await management.post(path, { joint_categories: [category] }, 200)).body.id;
  expect((await api.delete(`/v1/categories/${category}`, 400)).body).toEqual({
    code: 400,
    key: "resource_in_use",
    message: "Resource in use",
    details: expect.stringContaining(rules),
    resource_id: category,
    resource_type: "category",
    related_object_ids: [rules],
    related_object_type: "stacking_rules",
    request_id,
  });
});
