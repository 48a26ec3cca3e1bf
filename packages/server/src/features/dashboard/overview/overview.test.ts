import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { someoneIn } from "../../people/people.fixtures.js";

const service = await startService({ project: { timezone: "Europe/Warsaw" } });
const { project, clock, context, runDue, anotherProject } = service;
const { api } = project;
const discount = { type: "AMOUNT", amount_off: 100 };

const overview = async (query = "", project_id = project.id) => {
  await runDue();
  const { browser } = await someoneIn(service, project_id, "VIEWER");
  return (await browser.get(`/dashboard/v1/overview${query}`, 200)).body;
};
const campaigns: string[] = [];
for (const name of ["Spring", "Summer"])
  campaigns.push(
    (await api.post("/v1/campaigns", { name, voucher: { type: "DISCOUNT_VOUCHER", discount } }, 200)).body.id,
  );
const [spring = "", summer = ""] = campaigns;
for (const code of ["A", "B"]) await api.post(`/v1/campaigns/Spring/vouchers/${code}`, {}, 200);
await api.post("/v1/campaigns/Summer/vouchers/C", {}, 200);
await api.post("/v1/vouchers/OFF", { type: "DISCOUNT_VOUCHER", discount, active: false }, 200);
const redeem = async (code: string, amount: number, status = 200) =>
  (await api.post(`/v1/vouchers/${code}/redemption`, { order: { amount } }, status)).body;

// At 23:30 UTC it is the next day already where the project is.
clock.set("2026-03-09T23:30:00.000Z");
await redeem("A", 1_000);
const second = await redeem("B", 2_000);
await redeem("C", 3_000);
clock.set("2026-03-10T12:15:00.000Z");
await api.post(`/v1/redemptions/${second.id}/rollback`, {}, 200);
await api.post("/v1/vouchers/C/disable", undefined, 200);
await redeem("C", 500, 400);
await redeem("OFF", 500, 400);
await redeem("NONE", 500, 404);
await api.post("/v1/customers", { source_id: "ada" }, 200);
await api.post("/v1/publications", { voucher: "A", customer: { source_id: "bob" } }, 200);

const happened = {
  ...{ redemptions: 3, refusals: 3, rollbacks: 1, publications: 1, customers: 2 },
  ...{ orders_amount: 6_000, discount_amount: 300, rolledback_discount_amount: 100 },
};
const top = { refusals: 0, redemptions_before: 0 };
const nothing = Object.fromEntries(Object.keys(happened).map((name) => [name, 0]));

describe("the overview", () => {
  test("adds up what happened, says what was refused and why, and which campaigns did most", async () => {
    const shown = await overview("?window=7d");
    expect(shown).toMatchObject({ from: "2026-03-03T13:00:00.000Z", to: "2026-03-10T13:00:00.000Z" });
    expect([shown.tiles, shown.before]).toEqual([happened, nothing]);
    expect(shown.refusals).toEqual([
      { key: "voucher_disabled", count: 2 },
      { key: "not_found", count: 1 },
    ]);
    expect(shown.top_campaigns).toEqual([
      { ...top, id: spring, name: "Spring", redemptions: 2, discount_amount: 200 },
      { ...top, id: summer, name: "Summer", redemptions: 1, refusals: 1, discount_amount: 100 },
    ]);
  });

  test("has a place for every day of the project's calendar, and for every hour of a day", async () => {
    const { trend } = await overview("?window=7d");
    expect(trend.map(({ at }: { at: string }) => at)).toEqual(
      ["03", "04", "05", "06", "07", "08", "09", "10"].map((day) => `2026-03-${day}`),
    );
    expect(trend.at(-1)).toEqual({ at: "2026-03-10", ...happened });
    expect(trend.at(-2)).toEqual({ at: "2026-03-09", ...nothing });
    const { trend: hours, tiles } = await overview("?window=24h");
    expect(hours).toHaveLength(24);
    expect(hours.at(-1)).toMatchObject({ at: "2026-03-10T12:00:00.000Z", redemptions: 0, refusals: 3 });
    expect(tiles.redemptions).toBe(3);
  });

  test("counts what several redeem together on one order once", async () => {
    const { api, id } = await anotherProject();
    for (const code of ["X", "Y"]) await api.post(`/v1/vouchers/${code}`, { discount }, 200);
    const redeemables = ["X", "Y"].map((code) => ({ object: "voucher", id: code }));
    await api.post("/v1/redemptions", { redeemables, order: { amount: 5_000 } }, 200);
    expect((await overview("", id)).tiles).toMatchObject({
      redemptions: 2,
      orders_amount: 5_000,
      discount_amount: 200,
    });
  });

  test("says as much as a number can of orders that are worth more together", async () => {
    const { api, id } = await anotherProject();
    const { body } = await api.post("/v1/campaigns", { name: "Large", voucher: { discount } }, 200);
    const orders_amount = Number.MAX_SAFE_INTEGER;
    for (const code of ["X", "Y"]) {
      await api.post(`/v1/campaigns/Large/vouchers/${code}`, {}, 200);
      await api.post(`/v1/vouchers/${code}/redemption`, { order: { amount: orders_amount } }, 200);
    }
    const shown = await overview("", id);
    expect(shown).toMatchObject({ tiles: { redemptions: 2, orders_amount }, top_campaigns: [{ id: body.id }] });
    expect(shown.trend.at(-1)).toMatchObject({ orders_amount });
    const { browser } = await someoneIn(service, id, "VIEWER");
    const { days } = (await browser.get(`/dashboard/v1/campaigns/${body.id}/numbers`, 200)).body;
    expect(days).toMatchObject([{ orders_amount }]);
  });

  test("counts each fact once, however often it is looked at", async () => {
    await overview();
    await runDue();
    expect((await overview()).tiles).toEqual(happened);
  });

  test("says what has failed lately and what ends soon", async () => {
    const { api, id } = await anotherProject();
    expect(await overview("", id)).toMatchObject({ alerts: [], active_campaigns: 0 });
    const ending = {
      name: "Ending",
      expiration_date: "2026-03-12T00:00:00Z",
      voucher: { type: "DISCOUNT_VOUCHER", discount },
    };
    const { body } = await api.post("/v1/campaigns", ending, 200);
    await api.post("/v1/campaigns", { ...ending, name: "Over", expiration_date: "2026-03-01T00:00:00Z" }, 200);
    const later = { start_date: "2026-04-01T00:00:00Z", expiration_date: "2026-05-01T00:00:00Z" };
    await api.post("/v1/campaigns", { ...ending, name: "Later", ...later }, 200);
    const shown = await overview("", id);
    expect([shown.alerts, shown.active_campaigns]).toEqual([[{ kind: "campaigns_ending", count: 1 }], 1]);
    await api.post(`/v1/campaigns/${body.id}/disable`, undefined, 200);
    expect((await overview("", id)).active_campaigns).toBe(0);
  });

  test("is of one project, and refuses a window that it does not have", async () => {
    const elsewhere = await anotherProject();
    expect((await overview("", elsewhere.id)).tiles).toEqual(nothing);
    const { browser } = await someoneIn(service, project.id, "VIEWER");
    await browser.get("/dashboard/v1/overview?window=1y", 400);
  });

  test("compares with as long a time before, and forgets nothing", async () => {
    clock.advance({ days: 7 });
    const { tiles, before } = await overview("?window=7d");
    expect([tiles, before]).toEqual([nothing, happened]);
    expect((await overview("?window=30d")).tiles).toEqual(happened);
    clock.set("2026-03-17T13:00:00.000Z");
    await redeem("A", 1_000);
    expect((await overview("?window=24h")).top_campaigns).toMatchObject([{ redemptions: 1, redemptions_before: 0 }]);
    expect((await overview("?window=7d")).top_campaigns[0]).toMatchObject({ id: spring, redemptions_before: 0 });
    clock.set("2026-03-19T12:00:00.000Z");
    expect((await overview("?window=7d")).top_campaigns[0]).toMatchObject({ redemptions: 1, redemptions_before: 2 });
  });
});

test("a campaign has its numbers by the day", async () => {
  await runDue();
  const { browser } = await someoneIn(service, project.id, "VIEWER");
  const { days } = (await browser.get("/dashboard/v1/campaigns/Spring/numbers", 200)).body;
  expect(days).toContainEqual({
    ...{ day: "2026-03-10", redemptions: 2, refusals: 0, rollbacks: 1, validations: 0, publications: 1 },
    ...{ orders_amount: 3_000, discount_amount: 200 },
  });
  await browser.get("/dashboard/v1/campaigns/NONE/numbers", 404);
  const { browser: stranger } = await someoneIn(service, (await anotherProject()).id, "ADMIN");
  await stranger.get(`/dashboard/v1/campaigns/${spring}/numbers`, 404);
  const rows = await context.db.many(sql`
    select hour_totals.hour from hour_totals where hour_totals.project_id = ${project.id}`);
  expect(rows.length).toBeLessThan(12);
});
