import { describe, expect, test } from "vitest";
import { uniqueText } from "../../../../test/harness/resources.js";
import { startService } from "../../../../test/harness/service.js";
import type { Queries } from "../../../platform/db/database.js";
import { plannedEachTime, sql } from "../../../platform/db/sql.js";
import { aMember, aProgram } from "../../loyalties/loyalty.fixtures.js";
import { someoneIn } from "../../people/people.fixtures.js";
import { listEventsAbout } from "./timeline.store.js";

const service = await startService();
const { project, clock, context, anotherProject } = service;
const { api } = project;
const { browser } = await someoneIn(service, project.id, "VIEWER");

interface Entry {
  id: string;
  type: string;
  request_id: string;
  event_source: { channel: string };
  data: Record<string, unknown>;
}
const slice = async (query: string) =>
  (await browser.get(`/dashboard/v1/timeline?${query}`, 200)).body as { data: Entry[]; next: string | null };
const typesOf = async (query: string) => (await slice(query)).data.map(({ type }) => type);

const discount = { type: "AMOUNT", amount_off: 100 };
const name = uniqueText("Spring");
const campaign = (
  await api.post(
    "/v1/campaigns",
    { name, campaign_type: "DISCOUNT_COUPONS", voucher: { type: "DISCOUNT_VOUCHER", discount } },
    200,
  )
).body;
const { id: voucher_id, code } = (await api.post(`/v1/campaigns/${campaign.id}/vouchers`, {}, 200)).body;
const order = { source_id: uniqueText("order"), amount: 1_000 };
const customer = { source_id: uniqueText("ada") };
clock.advance({ minutes: 1 });
await api.post("/v1/publications", { voucher: code, customer }, 200);
clock.advance({ minutes: 1 });
const redeemed = await api.post(`/v1/vouchers/${code}/redemption`, { customer, order }, 200);
clock.advance({ minutes: 1 });
await api.post(`/v1/redemptions/${redeemed.body.id}/rollback`, {}, 200);
clock.advance({ minutes: 1 });
await api.post(`/v1/vouchers/${code}/disable`, undefined, 200);
clock.advance({ minutes: 1 });

// All in one moment.
for (let i = 0; i < 4; i += 1) await api.post(`/v1/vouchers/${code}/redemption`, { customer, order }, 400);

describe("the timeline", () => {
  test("of a voucher has what was done to it, published and redeemed, newest first", async () => {
    const failed = Array.from({ length: 4 }, () => "redemption.failed");
    const redeemed = ["redemption.rollback.succeeded", "redemption.succeeded"];
    const all = [...failed, "voucher.disabled", ...redeemed, "publication.succeeded", "voucher.created"];
    expect(await typesOf(`voucher=${code}`)).toEqual(all);
    expect(await typesOf(`voucher=${voucher_id}`)).toEqual(all);
  });

  test("of an order has its redemptions and what became of it", async () => {
    const types = await typesOf(`order=${order.source_id}`);
    expect(types[0]).toBe("redemption.rollback.succeeded");
    expect(types).toEqual(expect.arrayContaining(["redemption.succeeded", "customer.order.created"]));
    expect(await typesOf(`order=${redeemed.body.order.id}`)).toEqual(types);
  });

  test("of a customer has what they did", async () => {
    const types = await typesOf(`customer=${customer.source_id}`);
    expect(types).toEqual(
      expect.arrayContaining(["customer.created", "publication.succeeded", "redemption.succeeded", "voucher.disabled"]),
    );
  });

  test("of a campaign has its own changes and what its codes did", async () => {
    const types = await typesOf(`campaign=${campaign.id}`);
    expect(types).toEqual(
      expect.arrayContaining(["campaign.created", "publication.succeeded", "redemption.succeeded"]),
    );
    expect(await typesOf(`campaign=${encodeURIComponent(name)}`)).toEqual(types);
  });

  test("of a card has what it brought its holder", async () => {
    const program = await aProgram(service, {}, 100);
    const { card } = await aMember(service, program);
    const { body } = await api.post(`/v1/loyalties/members/${card.code}/balance`, { points: 5 }, 200);
    expect(body.points).toBe(5);
    expect(await typesOf(`voucher=${card.code}`)).toContain("voucher.loyalty_card.points_adjusted");
  });

  test("says who did it in which request, and what as webhooks are told", async () => {
    const { data } = await slice(`voucher=${code}`);
    expect(data.find(({ type }) => type === "redemption.succeeded")).toMatchObject({
      request_id: redeemed.headers.get("x-request-id"),
      event_source: { channel: "API", api_key: { app_id: project.app_id } },
      data: { redemption: { id: redeemed.body.id }, customer: { source_id: customer.source_id } },
    });
  });

  test.each(["voucher=", "order=", "customer=", "campaign="])(
    "of %s… is read slice by slice, each event once",
    async (of) => {
      const names: Record<string, string> = {
        voucher: code,
        order: order.source_id,
        customer: customer.source_id,
        campaign: campaign.id,
      };
      const query = `${of}${names[of.slice(0, -1)]}`;
      const all = (await slice(`${query}&limit=100`)).data.map(({ id }) => id);
      expect(all.length).toBeGreaterThan(3);
      const seen: string[] = [];
      for (let after: string | null = ""; after !== null; ) {
        const { data, next }: Awaited<ReturnType<typeof slice>> = await slice(
          `${query}&limit=1${after && `&after=${after}`}`,
        );
        seen.push(...data.map(({ id }) => id));
        after = next;
      }
      expect(seen).toEqual(all);
    },
  );

  test("is of exactly one thing that is there, in this project", async () => {
    for (const query of [
      "",
      "voucher=a&order=b",
      `voucher=${code}&after=1`,
      `voucher=${code}&after=99999999999999999.ev_1`,
    ])
      await browser.get(`/dashboard/v1/timeline?${query}`, 400);
    await browser.get("/dashboard/v1/timeline?voucher=NONE", 404);
    const { browser: stranger } = await someoneIn(service, (await anotherProject()).id, "ADMIN");
    for (const query of [
      `voucher=${code}`,
      `order=${order.source_id}`,
      `customer=${customer.source_id}`,
      `campaign=${campaign.id}`,
    ])
      await stranger.get(`/dashboard/v1/timeline?${query}`, 404);
  });
});

test("of a campaign with thousands of redemptions the latest are read, and no others", async () => {
  const { id: project_id } = await anotherProject();
  const { db } = context;
  const numbered = sql`generate_series(1, 4_000) as n`;
  await db.run(sql`
    insert into redemptions select (jsonb_populate_record(redemptions, jsonb_build_object('project_id', ${project_id}::text,
        'id', 'r_' || n, 'created_at', redemptions.created_at + n * interval '1 second'))).*
      from redemptions, ${numbered} where redemptions.project_id = ${project.id} and redemptions.id = ${redeemed.body.id}`);
  await db.run(sql`
    insert into events (project_id, id, type, entity_id, customer_id, group_id, event_source, data, created_at)
    select redemptions.project_id, 'ev' || redemptions.id, 'redemption.succeeded', redemptions.id, null, 'v-1', '{}', '{}', redemptions.created_at
      from redemptions where redemptions.project_id = ${project_id}`);
  await db.run(sql`analyze redemptions, events -- every project: as autovacuum would`);
  let plan = "";
  const explained: Pick<Queries, "many"> = {
    async many(statement) {
      plan = JSON.stringify(
        await db.many({ ...plannedEachTime(statement), text: `explain (analyze, format json) ${statement.text}` }),
      );
      return [];
    },
  };
  const subjects = [
    { object: "campaign" as const, id: campaign.id as string },
    { object: "voucher" as const, id: voucher_id as string },
  ];
  for (const { object, id } of subjects) {
    for (const seen of [null, { created_at: clock.now() + 2_000_000, id: "evr_5" }]) {
      await listEventsAbout(explained, { project_id, object, id, customer_ids: [] }, { seen, rows_max: 21 });
      const read = [...plan.matchAll(/"Actual Rows":([\d.]+)/g)].map(([, rows]) => Number(rows));
      expect(Math.max(...read)).toBeLessThan(100);
    }
  }
}, 60_000);
