import { describe, expect, test } from "vitest";
import { startService } from "../../../../../test/harness/service.js";
import { sql } from "../../../../platform/db/sql.js";
import { aReward, given } from "../../../rewards/reward.fixtures.js";
import { aMember, aProgramThatPays } from "../../loyalty.fixtures.js";
import { by_points, clubsOf, gold, monthly, silver, two_months } from "./membership.fixtures.js";

const service = await startService();
const { clock, runDue, context } = service;
const aClub = clubsOf(service);
const on = (text: string) => clock.set(`${text}T12:00:00Z`);

describe("a member of a program whose tiers follow the balance", () => {
  test("joins by the points that a card begins with", async () => {
    const club = await aClub(null, { points: 150 });
    expect(await club.stays()).toEqual(["Silver"]);
    expect(await club.told()).toEqual(["joined Silver"]);
    const [tier] = await club.tiersNow();
    expect(tier).not.toHaveProperty("expiration");
  });

  test("rises, falls and leaves with it, by whatever moves it", async () => {
    const club = await aClub(null);
    expect(await club.stays()).toEqual([]);
    for (const amount of [120, 100, -50, -150]) await club.add(amount);
    expect(await club.told()).toEqual(["joined Silver", "upgraded Gold", "downgraded Silver", "left Silver"]);
    expect(await club.stays()).toEqual([]);
  });

  test("rises by what an earning rule pays, and falls by what is spent", async () => {
    const { program, event, card, source_id } = await aProgramThatPays(service, {
      loyalty: { type: "FIXED", points: 150 },
    });
    await service.api.post(`/v1/loyalties/${program.id}/tiers`, [silver], 200);
    await service.api.post("/v1/events", { event: event.name, customer: { source_id } }, 200);
    await runDue();
    const tiersNow = async () =>
      (await service.api.get(`/v1/loyalties/members/${card.id}/tiers`, 200)).body.data.length;
    expect(await tiersNow()).toBe(1);
    const { body: reward } = await service.api.post(
      "/v1/rewards",
      { name: "10", parameters: { coin: { exchange_ratio: 1, points_ratio: 1 } } },
      200,
    );
    await service.api.post(`/v1/rewards/${reward.id}/assignments`, { campaign: program.id, validation_rules: [] }, 200);
    const sent = { reward: { id: reward.id, points: 60 }, order: { amount: 100_000 } };
    const { body: redeemed } = await service.api.post(`/v1/loyalties/members/${card.id}/redemption`, sent, 200);
    await runDue();
    expect(await tiersNow()).toBe(0);
    await service.api.post(`/v1/redemptions/${redeemed.id}/rollback`, {}, 200);
    await runDue();
    expect(await tiersNow()).toBe(1);
  });

  test("is looked at when tiers are made, and is moved once however often", async () => {
    const club = await aClub(null, { points: 250, tiers: [] });
    expect(await club.stays()).toEqual([]);
    await club.api.post(`${club.url}/tiers`, [silver, gold], 200);
    await runDue();
    await runDue();
    expect(await club.told()).toEqual(["joined Gold"]);
  });

  test("is moved by several events at once to where they lead", async () => {
    const club = await aClub(null);
    for (const amount of [120, 100, -90])
      await club.api.post(`/v1/vouchers/${club.card.code}/balance`, { amount }, 200);
    await runDue();
    expect(await club.told()).toEqual(["joined Silver"]);
  });
});

describe("a member of a program whose tiers last two months", () => {
  test("keeps a tier to its last day, then is where the balance says", async () => {
    on("2027-05-14");
    const club = await aClub(two_months, { points: 250 });
    expect(await club.stays()).toEqual(["Gold 2027-05-14..2027-07-14"]);
    const [tier] = await club.tiersNow();
    expect(tier?.expiration).toMatchObject({
      customer_id: club.card.holder_id,
      campaign_id: club.program.id,
      start_date: "2027-05-14",
      updated_at: null,
    });
    await club.add(-100);
    on("2027-07-14");
    await runDue();
    expect(await club.stays()).toEqual(["Gold 2027-05-14..2027-07-14"]);
    clock.set("2027-07-15T00:00:00Z");
    await runDue();
    expect(await club.stays()).toEqual(["Silver 2027-07-15..2027-09-15"]);
    expect(await club.told()).toEqual(["joined Gold", "downgraded Silver"]);
  });

  test("is prolonged from the night on that it ended in, however late that is done", async () => {
    on("2027-05-14");
    const club = await aClub(two_months, { points: 150 });
    on("2027-09-30");
    await runDue();
    expect(await club.stays()).toEqual(["Silver 2027-05-14..2027-11-16"]);
    expect(await club.told()).toEqual(["joined Silver", "prolonged Silver", "prolonged Silver"]);
  });

  test("goes by the days of the project", async () => {
    clock.set("2027-05-14T16:00:00Z");
    const club = await aClub(two_months, { points: 150, timezone: "Asia/Tokyo" });
    expect(await club.stays()).toEqual(["Silver 2027-05-15..2027-07-15"]);
    await club.add(-150);
    clock.set("2027-07-15T14:59:59Z");
    await runDue();
    expect(await club.told()).toEqual(["joined Silver"]);
    clock.set("2027-07-15T15:00:00Z");
    await runDue();
    expect(await club.told()).toEqual(["joined Silver", "left Silver"]);
  });
});

describe("a member of a program whose tiers go by the points of a period", () => {
  test("keeps what is spent, and begins anew with the next month", async () => {
    on("2027-05-14");
    const club = await aClub(monthly, { points: 500 });
    expect(await club.stays()).toEqual([]);
    await club.add(120);
    await club.add(-600);
    expect(await club.stays()).toEqual(["Silver 2027-05-14..2027-05-31"]);
    await club.add(90);
    expect(await club.stays()).toEqual(["Gold 2027-05-14..2027-05-31"]);
    on("2027-06-01");
    await runDue();
    expect(await club.stays()).toEqual(["Gold 2027-05-14..2027-06-30"]);
    await club.add(150);
    on("2027-07-01");
    await runDue();
    expect(await club.stays()).toEqual(["Silver 2027-07-01..2027-07-31"]);
    on("2027-08-01");
    await runDue();
    expect(await club.stays()).toEqual([]);
    expect(await club.told()).toEqual([
      ...["joined Silver", "upgraded Gold", "prolonged Gold", "downgraded Silver", "left Silver"],
    ]);
  });

  test("counts what was collected before there were tiers", async () => {
    on("2027-05-14");
    const club = await aClub(monthly, { tiers: [] });
    await club.add(120);
    await club.api.post(`${club.url}/tiers`, [silver], 200);
    await runDue();
    expect(await club.stays()).toEqual(["Silver 2027-05-14..2027-05-31"]);
  });

  test("counts what another card hands over, and not what comes back", async () => {
    on("2027-05-14");
    const club = await aClub(monthly);
    const { api, project, program, card, source_id } = club;
    await club.add(60);
    const reward = await aReward(project);
    await given(project, program, reward, 50);
    const redeemables = [{ object: "voucher", id: card.code, reward: { id: reward.id } }];
    const { body } = await api.post("/v1/redemptions", { redeemables, customer: { source_id } }, 200);
    await api.post(`/v1/redemptions/${body.redemptions[0].id}/rollback`, {}, 200);
    await runDue();
    expect(await club.stays()).toEqual([]);
    const other = await aMember(project, program);
    await api.post(`/v1/vouchers/${other.card.code}/balance`, { amount: 40 }, 200);
    const handed = [{ code: other.card.code, points: 40, source_id: "t" }];
    await api.post(`${club.url}/members/${card.code}/transfers`, handed, 200);
    await runDue();
    expect(await club.stays()).toEqual(["Silver 2027-05-14..2027-05-31"]);
  });

  test("is told with the next quarter, where that is when they begin", async () => {
    on("2027-05-14");
    const club = await aClub(by_points("QUARTER", "NEXT_PERIOD", { type: "END_OF_PERIOD" }));
    await club.add(120);
    expect(await club.stays()).toEqual(["Silver 2027-07-01..2027-09-30"]);
    expect(await club.told()).toEqual([]);
    await club.add(100);
    expect(await club.stays()).toEqual(["Gold 2027-07-01..2027-09-30"]);
    on("2027-07-01");
    await runDue();
    expect(await club.stays()).toEqual(["Gold 2027-07-01..2027-09-30"]);
    expect(await club.told()).toEqual(["joined Gold"]);
  });

  test("counts by months of the project's", async () => {
    clock.set("2027-05-31T23:30:00Z");
    const club = await aClub(monthly, { timezone: "Africa/Johannesburg" });
    await club.add(120);
    expect(await club.stays()).toEqual(["Silver 2027-06-01..2027-06-30"]);
    const months = await context.db.many<{ month: string; points: number }>(sql`
      select points_collected.month, points_collected.points from points_collected
       where points_collected.project_id = ${club.project.id}`);
    expect(months).toEqual([{ month: "2027-06-01", points: 120 }]);
  });
});

test("the tiers of a card that nobody knows", async () => {
  const { body } = await service.api.get("/v1/loyalties/members/none/tiers", 404);
  expect(body).toMatchObject({ key: "not_found", resource_type: "voucher" });
});
