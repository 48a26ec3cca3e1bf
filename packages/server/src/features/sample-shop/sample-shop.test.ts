import { afterAll, describe, expect, test } from "vitest";
import { openShop, removeShop } from "../../../../../scripts/shop.mjs";
import { aDatabase } from "../../../test/harness/database.js";
import { startService } from "../../../test/harness/service.js";
import { consumers, schedules } from "../../composition.js";
import { createDispatcher } from "../../events/index.js";
import { isoOf } from "../../platform/clock.js";
import { sql } from "../../platform/db/sql.js";
import { openApart } from "../../second-phase.js";
import { aBrowser, someoneIn } from "../people/people.fixtures.js";
import { makingSampleShops } from "./making.js";
import { openPast } from "./past.js";
import type { LeasedShop } from "./sample-shop.js";
import { liveADay } from "./shop/days.js";

const is_long = process.env.GUERDON_TEST_LONG === "1";
const day_ms = 86_400_000;
// Of its own, so that a second phase that serves all projects can be asked whom it serves.
const service = await startService({ database_url: await aDatabase(afterAll) });
const { url, context, clock, project, management, anotherProject } = service;
const { browser: admin, token } = await someoneIn(service, project.id, "ADMIN");
const { browser: viewer, token: of_viewer } = await someoneIn(service, project.id, "VIEWER");
const path = (id = project.id) => `/management/v1/projects/${id}/sample-shop`;
const through = {
  ...{ url, project_id: project.id },
  ...{ management_id: "test-management", management_token: "test-management-token" },
};

const work = makingSampleShops(openApart)(context, {});
const live = async (days: number) => {
  for (let day = 0; day < days; day += 1) await work.step(clock.now());
};
const ask = async () => (await admin.post(path(), undefined, 200)).body;
const read = async () => (await admin.get(path(), 200)).body;
/** Reads as the administrator, who is in the shop too. */
const inShop = async (id?: string) => aBrowser(service, id ?? (await read()).project_id, token);
const rowOf = (id: string) =>
  context.db.one<LeasedShop>(sql`select * from sample_projects where sample_projects.project_id = ${id}`);
const waiting = async (id: string) =>
  (
    await context.db.one<{ count: number }>(
      sql`select count(*) as count from outbox_parcels where outbox_parcels.project_id = ${id}`,
    )
  ).count;

describe("a sample shop in the making", () => {
  test("is asked for by an administrator, once however often, and lives a day after the other", async () => {
    expect(await read()).toEqual({ object: "sample_shop", status: "none", project_id: null, progress: 0 });
    await viewer.post(path(), undefined, 403);
    const asked = await Promise.all([ask(), ask(), ask()]);
    expect(new Set(asked.map(({ project_id }) => project_id)).size).toBe(1);
    expect(asked[0]).toMatchObject({ status: "making", progress: 0 });
    await live(4);
    expect((await viewer.get(path(), 200)).body).toEqual({ ...asked[0], progress: 4 });
    expect((await (await inShop()).get("/v1/orders", 200)).body.total).toBeGreaterThan(10);
  });

  test("comes to the same where a day is lived again, after a death in the middle of it", async () => {
    const { project_id } = await read();
    const shop = await inShop(project_id);
    const lists = ["orders", "redemptions", "customers", "publications"];
    const totals = () => Promise.all(lists.map(async (list) => (await shop.get(`/v1/${list}`, 200)).body.total));
    const past = await openPast(context, openApart, await rowOf(project_id));
    await liveADay(past, 4);
    await past.close();
    const before = await totals();
    await live(1);
    expect((await rowOf(project_id)).days).toBe(5);
    expect(await totals()).toEqual(before);
  });

  test("goes on with another process, a minute after the one that made it died", async () => {
    const { project_id } = await read();
    await context.db.run(sql`
      update sample_projects set leased_by = 'somebody who died', due_at = ${isoOf(clock.now() + 60_000)}
       where sample_projects.project_id = ${project_id}`);
    expect(await work.step(clock.now())).toBe("nothing");
    clock.advance({ minutes: 1 });
    await live(1);
    expect((await rowOf(project_id)).days).toBe(6);
  });

  test("is passed over by whoever does what comes after answers, until it is ready", async () => {
    const { project_id } = await read();
    await (await inShop()).post("/v1/customers", { source_id: "by-hand" }, 200);
    const ordinary = createDispatcher(context, consumers);
    await ordinary.dispatch();
    expect(await waiting(project_id)).toBe(1);
    // The days between are those of the long form.
    if (!is_long)
      await context.db.run(sql`update sample_projects set days = 86 where sample_projects.project_id = ${project_id}`);
    await live(is_long ? 85 : 5);
    expect(await read()).toMatchObject({ status: "ready", progress: 100 });
    expect((await rowOf(project_id)).key_sealed).toBeNull();
    await (await inShop()).post("/v1/customers", { source_id: "by-hand-as-well" }, 200);
    await ordinary.dispatch();
    expect(await waiting(project_id)).toBe(0);
  }, 600_000);
});

describe("a sample shop", () => {
  test("has its ninety days in lists, totals and summaries, and nothing of it is of now", async () => {
    const shop = await inShop();
    const now = clock.now();
    const ages = async (list: string, order: string, key = list) => {
      const { body } = await shop.get(`/v1/${list}?limit=1&order=${order}`, 200);
      return (now - Date.parse(body[key][0].created_at ?? body[key][0].date)) / day_ms;
    };
    for (const list of ["orders", "redemptions"]) {
      expect(await ages(list, "created_at")).toBeGreaterThan(88);
      expect(await ages(list, "-created_at")).toBeLessThan(1.5);
    }
    const { body: overview } = await shop.get("/dashboard/v1/overview?window=90d", 200);
    expect(overview.tiles).toMatchObject({
      redemptions: expect.toSatisfy((count: number) => count > 30),
      customers: expect.toSatisfy((count: number) => count > 10),
    });
    expect(overview.refusals.length).toBeGreaterThan(1);
    expect(overview.trend.at(5).redemptions + overview.trend.at(4).redemptions).toBeGreaterThan(0);
    const { body: month } = await shop.get("/dashboard/v1/overview?window=7d", 200);
    expect(month.before.redemptions).toBeLessThan(overview.tiles.redemptions);
    const { latest } = await context.db.one<{ latest: number }>(sql`
      select extract(epoch from max(events.created_at)) * 1000 as latest from events
       where events.project_id = ${(await read()).project_id} and events.event_source ->> 'channel' <> 'USER_PORTAL'`);
    expect(Number(latest)).toBeLessThanOrEqual(now);
  });

  test("keeps its events where months get partitions of their own, and the outbox forgets none of them", async () => {
    const { project_id } = await read();
    const events = async () =>
      await context.db.one<{ count: number; stray: number }>(sql`
          select count(*) as count, count(*) filter (where events.tableoid = 'events_default'::regclass) as stray
            from events where events.project_id = ${project_id}`);
    const { count } = await events();
    for (const { of, runDue } of schedules) if (of === "installation") while (await runDue(context, clock.now(), null));
    expect(await events()).toEqual({ count, stray: 0 });
    await (await inShop()).get("/dashboard/v1/overview?window=90d", 200);
  });

  test("has campaigns of every kind, and members whose points came with their orders", async () => {
    const shop = await inShop();
    const { campaigns } = (await shop.get("/v1/campaigns?limit=100", 200)).body;
    expect(new Set(campaigns.map(({ campaign_type }: { campaign_type: string }) => campaign_type))).toEqual(
      new Set(["DISCOUNT_COUPONS", "GIFT_VOUCHERS", "PROMOTION", "LOYALTY_PROGRAM", "REFERRAL_PROGRAM"]),
    );
    const { vouchers } = (await shop.get("/v1/loyalties/Club/members?limit=100", 200)).body;
    expect(vouchers.length).toBeGreaterThan(5);
    expect(
      Math.max(...vouchers.map((card: { loyalty_card: { balance: number } }) => card.loyalty_card.balance)),
    ).toBeGreaterThan(0);
  });

  test.runIf(is_long)(
    "has somebody who redeems on each of its days, rewards, referrals, and refusals of many kinds",
    async () => {
      const shop = await inShop();
      const { trend, refusals } = (await shop.get("/dashboard/v1/overview?window=90d", 200)).body;
      expect(trend.filter(({ redemptions }: { redemptions: number }) => redemptions === 0).length).toBeLessThan(3);
      expect(refusals.length).toBeGreaterThan(4);
      const counted = await context.db.one<Record<string, number>>(sql`
      select count(*) filter (where events.type = 'customer.referred') as referred,
             count(*) filter (where events.type = 'customer.rewarded.loyalty_points') as rewarded
        from events where events.project_id = ${(await read()).project_id}`);
      expect(counted.referred).toBeGreaterThan(0);
    },
  );

  test("is there for whoever is in the project, in the same role, and says that it is one", async () => {
    const { project_id } = await read();
    const { projects } = (await admin.get("/dashboard/v1/me", 200)).body;
    const of = (id: string) => projects.find((one: { id: string }) => one.id === id);
    expect([of(project_id), of(project.id)]).toMatchObject([{ is_sample: true }, { is_sample: false }]);
    const looking = aBrowser(service, project_id, of_viewer);
    await looking.get("/v1/campaigns", 200);
    await looking.delete(path(project_id), 403);
  });

  test("is found by the script too, and goes away with all that is in it; no other project goes that way", async () => {
    const { project_id } = await read();
    expect(await openShop(through)).toBe(project_id);
    expect((await (await inShop()).get(path(project_id), 200)).body).toMatchObject({ status: "ready", project_id });
    const other = await anotherProject();
    await management.delete(path(other.id), 204);
    await other.api.get("/v1/campaigns", 200);
    expect(await removeShop(through)).toBe(project_id);
    await (await inShop(project_id)).get("/v1/campaigns", 403);
    await project.api.get("/v1/campaigns", 200);
    await expect(removeShop(through)).rejects.toThrow("there is no sample shop");
    expect((await ask()).project_id).not.toBe(project_id);
  });

  test("that is taken away while it is made is let go of", async () => {
    await live(1);
    await admin.delete(path(), 204);
    expect(await work.step(clock.now())).toBe("nothing");
    expect(await read()).toMatchObject({ status: "none" });
  });

  test("that cannot be made is given up after some tries, and goes on when it is asked for again", async () => {
    const { project_id } = await ask();
    await context.db.run(sql`delete from api_keys where api_keys.project_id = ${project_id}`);
    const quiet = { ...context, log: { ...context.log, error() {} } as unknown as typeof context.log };
    const failing = makingSampleShops(openApart)(quiet, {});
    for (let i = 0; i < 5; i += 1, clock.advance({ minutes: 1 })) await failing.step(clock.now());
    expect(await read()).toMatchObject({ status: "failed" });
    expect(await failing.step(clock.now())).toBe("nothing");
    expect(await ask()).toMatchObject({ status: "making", project_id });
    await admin.delete(path(), 204);
    await failing.stop?.();
  });
});
