import { describe, expect, test } from "vitest";
import { uniqueText } from "../../../../test/harness/resources.js";
import { startService } from "../../../../test/harness/service.js";
import { aReferralShop, rh } from "../referral.fixtures.js";

const service = await startService();
const { clock, runDue } = service;

describe("whoever came by a referral code", () => {
  test("is its referee, by the code and by its id, with and without the campaign", async () => {
    const { api, campaign, code, customer, holders } = await aReferralShop(service);
    const own = await code();
    const [first, second] = [await customer(), await customer()];
    const { body } = await api.post(`/v1/referrals/members/${own.code}/holders`, { holders: [first] }, 200);
    expect(body.holders).toEqual([
      {
        id: rh,
        created_at: "2026-03-02T10:00:00.000Z",
        redeemable_id: own.id,
        redeemable_object: "voucher",
        customer_id: first.id,
        holder_role: "REFEREE",
        campaign_id: campaign.id,
        campaign_type: "REFERRAL_PROGRAM",
        voucher_type: "DISCOUNT_VOUCHER",
        object: "redeemable_holder",
      },
    ]);
    for (const [name, source_id] of [
      [campaign.id, second.source_id],
      [campaign.name, uniqueText("new")],
    ]) {
      const path = `/v1/referrals/${encodeURIComponent(name)}/members/${own.id}/holders`;
      await api.post(path, { holders: [{ source_id }], metadata: { from: "mail" } }, 200);
    }
    const shown = await holders(own.code);
    const roles = ["REFERRER", "REFEREE", "REFEREE", "REFEREE"];
    expect(shown.map(({ holder_role }) => holder_role).sort()).toEqual(roles.sort());
    expect(shown.filter(({ metadata }) => metadata)).toHaveLength(2);
    expect(shown.map(({ customer_id }) => customer_id)).toEqual(
      expect.arrayContaining([own.referrer_id, first.id, second.id]),
    );
    const { data } = (await api.get(`/v1/customers/${second.id}/redeemables`, 200)).body;
    expect(data).toMatchObject([{ holder_role: "REFEREE", redeemable_id: own.id }]);
  });

  test("keeps a profile that was sent along, and is nobody's conversion", async () => {
    const { api, code, customer, read } = await aReferralShop(service);
    const own = await code();
    const known = await customer();
    await api.post(`/v1/referrals/members/${own.code}/holders`, { holders: [{ ...known, name: "Zoë" }] }, 200);
    await runDue();
    expect(await read(known)).toMatchObject({ name: "Zoë", referrals: { total: 0, campaigns: [] } });
  });

  test("is told of, and of its end", async () => {
    const { api, code, customer, activityOf } = await aReferralShop(service);
    const own = await code();
    const referee = await customer();
    const path = `/v1/referrals/members/${own.code}/holders`;
    const [{ id }] = (await api.post(path, { holders: [referee] }, 200)).body.holders;
    clock.advance({ minutes: 1 });
    await api.delete(`${path}/${id}`, 204);
    await runDue();
    const told = (await activityOf(referee)).filter(({ type }) => type.startsWith("customer.holder.assignment"));
    expect(told.map(({ type }) => type)).toEqual([
      "customer.holder.assignment.deleted",
      "customer.holder.assignment.created",
    ]);
    for (const { data } of told)
      expect(data.data.holder).toMatchObject({ id, holder_role: "REFEREE", customer_id: referee.id });
  });

  test("is forgotten with the customer, and with the code", async () => {
    const { api, code, customer, referees } = await aReferralShop(service);
    const own = await code();
    const people = [await customer(), await customer()];
    await api.post(`/v1/referrals/members/${own.code}/holders`, { holders: people }, 200);
    await api.delete(`/v1/customers/${people[0]?.id}`, 204);
    expect(await referees(own.code)).toEqual([people[1]?.id]);
    await api.delete(`/v1/vouchers/${own.code}?force=true`, 204);
    expect((await api.get(`/v1/customers/${people[1]?.id}/redeemables`, 200)).body.data).toEqual([]);
  });

  test("walks by cursor", async () => {
    const { api, code, customer } = await aReferralShop(service);
    const own = await code();
    const path = `/v1/referrals/members/${own.code}/holders`;
    await api.post(path, { holders: [await customer(), await customer()] }, 200);
    const { body } = await api.get(`${path}?limit=2`, 200);
    expect(body).toMatchObject({ object: "list", data_ref: "data", total: 3, has_more: true });
    const rest = (await api.get(`${path}?limit=2&starting_after_id=${body.more_starting_after}`, 200)).body;
    expect(rest.data).toHaveLength(1);
    expect(rest).toMatchObject({ has_more: false });
    expect(rest).not.toHaveProperty("more_starting_after");
  });
});

describe("holders of a referral code are refused", () => {
  test("all of them, where one is refused", async () => {
    const { api, code, customer, referees } = await aReferralShop(service);
    const own = await code();
    const [first, second] = [await customer(), await customer()];
    const path = `/v1/referrals/members/${own.code}/holders`;
    const refused = async (holders: object[], status: number) =>
      (await api.post(path, { holders: [second, ...holders] }, status)).body;
    await api.post(path, { holders: [first] }, 200);
    for (const holder of [first, { source_id: first.source_id }, { id: own.referrer_id }])
      expect((await refused([holder], 409)).key).toBe("holder_assignement_duplication");
    for (const holder of [second, { source_id: second.source_id }])
      expect(await refused([holder], 409)).toMatchObject({ key: "duplicate_found", resource_id: second.id });
    const source_id = uniqueText("new");
    expect(await refused([{ source_id }, { source_id }], 409)).toMatchObject({ key: "duplicate_found" });
    expect(await refused([{ id: "cust_nobody" }], 404)).toMatchObject({ resource_type: "customer" });
    expect(await refused([{ name: "Nobody" }], 400)).toMatchObject({ key: "invalid_payload" });
    expect(await referees(own.code)).toEqual([first.id]);
    await api.get(`/v1/customers/${source_id}`, 404);
  });

  test.each([
    ["none", { holders: [] }],
    ["too many", { holders: Array.from({ length: 101 }, (_, i) => ({ source_id: `many ${i}` })) }],
    ["nothing", {}],
  ])("as %s", async (_, sent) => {
    const { api, code } = await aReferralShop(service);
    const { body } = await api.post(`/v1/referrals/members/${(await code()).code}/holders`, sent, 400);
    expect(body).toMatchObject({ key: "invalid_payload", details: expect.stringContaining("holders") });
  });

  test("of a code that nobody has, or that is not one of the campaign's referral codes", async () => {
    const { api, campaign, code, customer } = await aReferralShop(service);
    const holders = [await customer()];
    const added = (await api.post(`/v1/campaigns/${campaign.id}/vouchers`, {}, 200)).body;
    const unpublished = await api.post(`/v1/referrals/members/${added.code}/holders`, { holders }, 400);
    expect(unpublished.body).toMatchObject({ key: "not_published", message: "Voucher is not published" });
    const voucher = { discount: { type: "AMOUNT", amount_off: 1 } };
    const coupons = (await api.post("/v1/campaigns", { name: uniqueText("C"), voucher }, 200)).body;
    const coupon = (await api.post(`/v1/campaigns/${coupons.id}/vouchers`, {}, 200)).body;
    const other = await aReferralShop(service, {}, { id: "", api });
    const own = await code();
    for (const [place, resource_type] of [
      [`members/${coupon.code}`, "voucher"],
      ["members/nothing", "voucher"],
      [`${other.campaign.id}/members/${own.code}`, "voucher"],
      [`${coupons.id}/members/${coupon.code}`, "campaign"],
      [`nothing/members/${own.code}`, "campaign"],
    ]) {
      const path = `/v1/referrals/${place}/holders`;
      expect((await api.post(path, { holders }, 404)).body.resource_type).toBe(resource_type);
      expect((await api.get(path, 404)).body.resource_type).toBe(resource_type);
      expect((await api.delete(`${path}/rh_none`, 404)).body.resource_type).toBe(resource_type);
    }
  });

  test("an end, where it is the referrer's or nobody's of this code", async () => {
    const { api, code, customer, holders, referees } = await aReferralShop(service);
    const [own, other] = [await code(), await code()];
    const referee = await customer();
    const path = `/v1/referrals/members/${own.code}/holders`;
    const [{ id }] = (await api.post(path, { holders: [referee] }, 200)).body.holders;
    const [referrer] = await holders(other.code);
    const gone = (holder: unknown, at = other.code, status = 404) =>
      api.delete(`/v1/referrals/members/${at}/holders/${holder}`, status);
    expect((await gone(referrer?.id, other.code, 403)).body).toMatchObject({
      key: "forbidden",
      message: "Can not remove assignment",
    });
    expect((await gone(id)).body).toMatchObject({ resource_type: "redeemable_holder", resource_id: id });
    expect(await referees(own.code)).toEqual([referee.id]);
    await gone(id, own.code, 204);
    await gone(id, own.code);
    expect(await referees(own.code)).toEqual([]);
  });
});

test("of many requests for one customer at once one makes the referee", async () => {
  const { api, code, customer, referees } = await aReferralShop(service);
  const own = await code();
  const referee = await customer();
  const path = `/v1/referrals/members/${own.code}/holders`;
  const answers = await Promise.all(Array.from({ length: 6 }, () => api.post(path, { holders: [referee] })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  expect(await referees(own.code)).toEqual([referee.id]);
});
