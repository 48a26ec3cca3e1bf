import { describe, expect, test, vi } from "vitest";
import { importsOn } from "../../src/features/imports/import.fixtures.js";
import { aCustomEvent, aName } from "../../src/features/loyalties/loyalty.fixtures.js";
import { anEventOf, aReferralShop } from "../../src/features/referrals/referral.fixtures.js";
import { aCampaign, aReward } from "../../src/features/rewards/reward.fixtures.js";
import { startService } from "../harness/service.js";
import { listeningOn, told } from "./told.fixtures.js";

const service = await startService();
const { api, management, project, clock } = service;
const { post, put } = api;
const { send } = importsOn(service);
const { toldOf } = listeningOn(service);

const newcomer = () => ({ source_id: aName("customer") });
const aCustomer = async (fields: object = {}) => {
  const { source_id } = newcomer();
  await post("/v1/customers", { source_id, ...fields }, 200);
  return { source_id };
};

describe("a customer", () => {
  test("is told to be made, changed and deleted", async () => {
    const customer = newcomer();
    const path = `/v1/customers/${encodeURIComponent(customer.source_id)}`;
    expect(await toldOf(() => post("/v1/customers", customer, 200))).toEqual(["customer.created"]);
    expect(await toldOf(() => put(path, { name: "Ann" }, 200))).toEqual(["customer.updated"]);
    expect(await toldOf(() => post("/v1/customers", { ...customer, name: "Bea" }, 200))).toEqual(["customer.updated"]);
    expect(await toldOf(() => api.delete(path, 204))).toEqual(["customer.deleted"]);
  });

  test("who is deleted for good is told to be deleted", async () => {
    const { source_id } = await aCustomer();
    const path = `/v1/customers/${encodeURIComponent(source_id)}/permanent-deletion`;
    expect(await toldOf(() => post(path, undefined, 200))).toEqual(["customer.deleted"]);
  });

  test("among many at once is told to nobody, whoever is new too", async () => {
    const known = await aCustomer();
    const rows = [{ ...known, name: "Ann" }, newcomer()];
    expect(await toldOf(() => post("/v1/customers/bulk/async", rows, 202))).toEqual([]);
    const all = { source_ids: [known.source_id, newcomer().source_id], metadata: { a: 1 } };
    expect(await toldOf(() => post("/v1/customers/metadata/async", all, 202))).toEqual([]);
    const file = `Name,Source_id\nAnn,${known.source_id}\nBea,${newcomer().source_id}`;
    expect(await toldOf(() => send(api, "/v1/customers/importCSV", file, { status: 202 }))).toEqual([]);
  });

  test("on the way of something else is told where there is something new about them", async () => {
    const { name: event } = await aCustomEvent(service, project);
    const customer = newcomer();
    const happens = (fields: object) => () => post("/v1/events", { event, customer: { ...customer, ...fields } }, 200);
    expect(await toldOf(happens({}))).toEqual(told("customer.created", "customer.custom_event"));
    expect(await toldOf(happens({}))).toEqual(["customer.custom_event"]);
    expect(await toldOf(happens({ name: "Ann" }))).toEqual(told("customer.updated", "customer.custom_event"));
    const orders = (fields: object) => () => post("/v1/orders", { amount: 100, customer: fields }, 200);
    expect(await toldOf(orders(newcomer()))).toEqual(told("customer.created", "customer.order.created"));
    expect(await toldOf(orders({ ...customer, name: "Bea" }))).toEqual(
      told("customer.updated", "customer.order.created"),
    );
  });

  test("who is asked about alone is told of in their activity", async () => {
    const { code } = (await post("/v1/vouchers", { discount: { type: "AMOUNT", amount_off: 100 } }, 200)).body;
    const customer = await aCustomer();
    const asked = () => post("/v1/validations", { redeemables: [{ object: "voucher", id: code }], customer }, 200);
    expect(await toldOf(asked)).toEqual([]);
    const heard = async () =>
      (await api.get(`/v1/customers/${encodeURIComponent(customer.source_id)}/activity`, 200)).body.data;
    // It is a log of its own, written a second later.
    await vi.waitUntil(async () => (await heard()).length > 1, { timeout: 10_000, interval: 50 });
    expect((await heard()).map(({ type }: { type: string }) => type).sort()).toEqual(
      told(["customer", "created", "validation.succeeded"]),
    );
  });
});

describe("an order", () => {
  const anOrder = async (fields: object = {}) =>
    `/v1/orders/${(await post("/v1/orders", { amount: 100, customer: await aCustomer(), ...fields }, 200)).body.id}`;

  test.each([
    ["CREATED", []],
    ["PAID", ["customer.order.paid"]],
    ["CANCELED", ["customer.order.canceled"]],
    ["FULFILLED", ["customer.order.fulfilled"]],
  ])("that begins as %s is told as made and as that", async (status, more) => {
    const sent = { amount: 100, customer: await aCustomer(), status };
    expect(await toldOf(() => post("/v1/orders", sent, 200))).toEqual(told("customer.order.created", ...more));
  });

  test.each([
    ["PAID", "customer.order.paid"],
    ["CANCELED", "customer.order.canceled"],
    ["FULFILLED", "customer.order.fulfilled"],
  ])("that becomes %s is told as that", async (status, name) => {
    const path = await anOrder();
    expect(await toldOf(() => put(path, { status }, 200))).toEqual([name]);
  });

  test("that is changed otherwise is told as changed", async () => {
    const path = await anOrder({ status: "PAID" });
    expect(await toldOf(() => put(path, { metadata: { a: 1 } }, 200))).toEqual(["customer.order.updated"]);
  });

  test("among many at once is told to nobody", async () => {
    const customer = await aCustomer();
    expect(await toldOf(() => post("/v1/orders/import", [{ status: "PAID", amount: 100, customer }], 200))).toEqual([]);
  });
});

describe("a segment", () => {
  const filter = { junction: "and", "metadata.vip": { conditions: { $is: [true] } } };
  const change = (source_id: string, vip: boolean) => () =>
    put(`/v1/customers/${encodeURIComponent(source_id)}`, { metadata: { vip } }, 200);

  test("that tells of its members says who has come and gone", async () => {
    const customer = await aCustomer();
    const { id } = (await post("/v1/segments", { name: aName("VIP"), type: "auto-update", filter }, 200)).body;
    expect(await toldOf(change(customer.source_id, true))).toEqual(
      told("customer.updated", "customer.segment.entered"),
    );
    expect(await toldOf(change(customer.source_id, false))).toEqual(told("customer.updated", "customer.segment.left"));
    await api.delete(`/v1/segments/${id}`, 204);
  });

  test("of any other type says nothing", async () => {
    const customer = await aCustomer();
    await post("/v1/segments", { name: aName("VIP"), type: "passive", filter }, 200);
    expect(await toldOf(change(customer.source_id, true))).toEqual(["customer.updated"]);
  });

  test("tells of those whom time alone has moved", async () => {
    await aCustomer({ birthdate: "1990-03-05" });
    const birthday = { junction: "and", birthdate: { conditions: { $today_md: [true] } } };
    await post("/v1/segments", { name: aName("Birthday"), type: "auto-update", filter: birthday }, 200);
    expect(await toldOf(async () => clock.set("2026-03-05T10:00:00Z"))).toEqual(["customer.segment.entered"]);
    expect(await toldOf(async () => clock.set("2026-03-06T10:00:00Z"))).toEqual(["customer.segment.left"]);
  });
});

describe("a referral", () => {
  test("that a redemption makes is told, with what it brings the referrer", async () => {
    const shop = await aReferralShop(service, {}, project);
    const tiers = `/management/v1/projects/${project.id}/campaigns/${shop.campaign.id}/referral-tiers`;
    const tier = { criterion: "EACH_REFEREE", reward_id: (await aReward(service)).id };
    let path = "";
    const make = async () => {
      path = `${tiers}/${(await management.post(tiers, tier, 200)).body.id}`;
    };
    expect(await toldOf(make)).toEqual(["campaign.referral_tier.created"]);
    expect(await toldOf(() => management.put(path, { banner: "Thanks" }, 200))).toEqual([
      "campaign.referral_tier.updated",
    ]);
    const [{ code }, referee] = [await shop.code(), await shop.customer()];
    const came = told(["customer", "holder.assignment.created", "referred", "rewarded"]);
    expect(await toldOf(() => shop.redeem(code, referee))).toEqual(
      told("redemption.succeeded", ["customer", "redemption.succeeded", "order.created", "order.paid"], ...came),
    );
    const gone = ["campaign.referral_tier.deleted"];
    expect(await toldOf(() => management.delete(path, 204))).toEqual(gone);
    await make();
    expect(await toldOf(() => api.delete(`/v1/rewards/${tier.reward_id}`, 204))).toEqual(gone);
  });

  test("that a custom event makes is told likewise; a code that it brings is told as given", async () => {
    const event = await anEventOf(management, project);
    const referral_program = { conversion_event_type: "custom_event", custom_event: event };
    const shop = await aReferralShop(service, { referral_program }, project);
    const tiers = `/management/v1/projects/${project.id}/campaigns/${shop.campaign.id}/referral-tiers`;
    const parameters = { campaign: { id: (await aCampaign(service, 1)).id } };
    await management.post(
      tiers,
      { criterion: "EACH_REFEREE", reward_id: (await aReward(service, { parameters })).id },
      200,
    );
    const [{ code }, { id }] = [await shop.code(), await shop.customer()];
    const sent = { event: event.name, customer: { id }, referral: { code } };
    expect(await toldOf(() => post("/v1/events", sent, 200))).toEqual(
      told(
        ["customer", "custom_event", "holder.assignment.created", "referred", "rewarded", "publication.succeeded"],
        ...["publication.succeeded", "voucher.published"],
      ),
    );
  });
});
