import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startService } from "../../../../../test/harness/service.js";
import { createSecondPhase } from "../../../../second-phase.js";
import { aMember } from "../../loyalty.fixtures.js";
import { clubsOf, two_months } from "./membership.fixtures.js";

const service = await startService();
const { clock, runDue } = service;
const aClub = clubsOf(service);
const on = (text: string) => clock.set(`${text}T12:00:00Z`);

describe("members of a program whose settings are changed", () => {
  test("stay as they are, unless they are to be looked at again", async () => {
    on("2027-05-14");
    const club = await aClub(null, { points: 150 });
    await club.api.put(club.url, { loyalty_tiers_expiration: two_months }, 200);
    await runDue();
    expect(await club.stays()).toEqual(["Silver"]);
    const options = { recalculate_tiers: true };
    const { body } = await club.api.put(club.url, { loyalty_tiers_expiration: two_months, options }, 200);
    expect(body).not.toHaveProperty("options");
    await runDue();
    expect(await club.stays()).toEqual(["Silver 2027-05-14..2027-07-14"]);
    expect(await club.told()).toEqual(["joined Silver", "expiration.changed Silver"]);
  });

  test("do not fall, and nobody is passed by", async () => {
    on("2027-05-14");
    const club = await aClub(two_months, { points: 150 });
    const others = [];
    for (let i = 0; i < 3; i += 1) others.push((await aMember(club.project, club.program)).card);
    await runDue();
    await club.add(-100);
    await club.api.put(club.url, { loyalty_tiers_expiration: null, options: { recalculate_tiers: true } }, 200);
    await runDue();
    expect(await club.stays()).toEqual(["Silver"]);
    for (const { id } of others) {
      const { body } = await club.api.get(`/v1/loyalties/members/${id}/tiers`, 200);
      expect(body).toMatchObject({ total: 1, data: [{ name: "Silver" }] });
      expect(body.data[0]).not.toHaveProperty("expiration");
    }
  });
});

test("whoever was prolonged keeps the days that that gave, when members are looked at again", async () => {
  on("2027-01-10");
  const club = await aClub(two_months, { points: 150 });
  await runDue();
  expect(await club.stays()).toEqual(["Silver 2027-01-10..2027-03-10"]);
  on("2027-03-11");
  await runDue();
  const prolonged = ["Silver 2027-01-10..2027-05-11"];
  expect(await club.stays()).toEqual(prolonged);
  await club.add(-100);
  await club.api.put(club.url, { options: { recalculate_tiers: true } }, 200);
  await runDue();
  expect(await club.stays()).toEqual(prolonged);
  // Through the operation of campaigns alike.
  await club.api.put(`/v1/campaigns/${club.program.id}`, { options: { recalculate_tiers: true } }, 200);
  await runDue();
  expect(await club.stays()).toEqual(prolonged);
});

test("members are looked at as soon as they are to be, by themselves", async () => {
  on("2027-05-14");
  const club = await aClub(null, { points: 150 });
  // No schedule: those of the installation are due every ten seconds.
  const loop = createSecondPhase(service.context, { project_ids: [club.project.id] });
  loop.start();
  onTestFinished(() => loop.stop());
  const options = { recalculate_tiers: true };
  await club.api.put(club.url, { loyalty_tiers_expiration: two_months, options }, 200);
  const dated = ["Silver 2027-05-14..2027-07-14"];
  await vi.waitFor(async () => expect(await club.stays()).toEqual(dated), 20_000);
});

test("only members of a program are looked at again", async () => {
  const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
  const sent = { name: "Coupons", campaign_type: "DISCOUNT_COUPONS", voucher };
  const { id } = (await service.api.post("/v1/campaigns", sent, 200)).body;
  const { body } = await service.api.put(`/v1/campaigns/${id}`, { options: { recalculate_tiers: true } }, 400);
  expect(body.details).toBe("Property .options.recalculate_tiers is for loyalty programs alone");
  await service.api.put(`/v1/campaigns/${id}`, { options: { recalculate_tiers: false } }, 200);
});
