import { expect, test } from "vitest";
import { sql } from "../../src/platform/db/sql.js";
import { startService } from "../harness/service.js";
import { filter } from "./asked.fixtures.js";

const { anotherProject, context } = await startService();
const { db } = context;

const counted_max = 20_000;
const judged_max = 10_000;

const makeCustomers = (project_id: string, from: number, to: number) =>
  db.run(sql`
    insert into customers (project_id, id, email, metadata, system_metadata, created_at)
    select ${project_id}, 'cust_' || lpad(i::text, 6, '0'), 'c' || i || '@example.com', '{}', '{}',
           timestamptz '2026-01-01' + i * interval '1 second'
      from generate_series(${from}::int, ${to}::int) as i`);

const makeVouchers = (project_id: string, amount: number, metadata: string) =>
  db.run(sql`
    insert into vouchers (project_id, id, code, code_key, type, discount, quantity, active, metadata, created_at)
    select ${project_id}, 'v_' || lpad(i::text, 6, '0'), 'CODE-' || i, 'CODE-' || i, 'DISCOUNT_VOUCHER',
           '{"type":"AMOUNT","amount_off":100}', 1, true, ${metadata}::jsonb,
           timestamptz '2026-01-01' + i * interval '1 second'
      from generate_series(1, ${amount}::int) as i`);

test("a total is exact up to 20,000 and says beyond it that it is an estimate", async () => {
  const { api, id } = await anotherProject();
  await makeCustomers(id, 1, counted_max);
  const exact = (await api.get("/v1/customers?limit=1", 200)).body;
  expect(exact).toMatchObject({ total: counted_max, has_more: true });
  expect(exact).not.toHaveProperty("total_estimated");

  await makeCustomers(id, counted_max + 1, counted_max + 1);
  const estimated = (await api.get("/v1/customers?limit=1", 200)).body;
  expect(estimated.total_estimated).toBe(true);
  expect(estimated.total).toBeGreaterThan(counted_max);

  const narrowed = (await api.get("/v1/customers?limit=1&created_at[after]=2026-01-01T01:00:00Z", 200)).body;
  expect(narrowed.total).toBe(counted_max + 1 - 3600);
  expect(narrowed).not.toHaveProperty("total_estimated");
});

test("a total is exact beyond 20,000 where the number is kept, and not where a filter is asked for too", async () => {
  const { api, id } = await anotherProject();
  await makeVouchers(id, counted_max + 1, "{}");
  await db.run(sql`
    insert into standalone_voucher_counts (project_id, slot, vouchers_count) values (${id}, 0, ${counted_max + 1})`);
  const kept = (await api.get("/v1/vouchers?limit=1", 200)).body;
  expect(kept.total).toBe(counted_max + 1);
  expect(kept).not.toHaveProperty("total_estimated");
  const filtered = (await api.get(`/v1/vouchers?limit=1&${filter("type", "$is", "DISCOUNT_VOUCHER")}`, 200)).body;
  expect(filtered.total_estimated).toBe(true);
  expect(filtered.total).toBeGreaterThan(counted_max);
});

test("matches that all stand behind others in the order of the list are found first and sorted then", async () => {
  const { api, id } = await anotherProject();
  await makeVouchers(id, counted_max + 1, "{}");
  await db.run(sql`update vouchers set holder_id = 'cust_old' where project_id = ${id} and id <= 'v_000300'`);
  await db.run(sql`analyze vouchers`);
  const read = async (order: string, after = "") =>
    (await api.get(`/v1/vouchers?limit=2&order=${order}${after}&${filter("holder_id", "$is", "cust_old")}`, 200)).body;
  const newest = await read("-created_at");
  expect([newest.total, ...newest.vouchers.map(({ code }: { code: string }) => code)]).toEqual([
    300,
    "CODE-300",
    "CODE-299",
  ]);
  const next = await read("-created_at", `&starting_after_id=${newest.vouchers[1].id}`);
  expect(next.vouchers.map(({ code }: { code: string }) => code)).toEqual(["CODE-298", "CODE-297"]);
  expect(next).toMatchObject({ total: 300, has_more: true });
  const last = await read("created_at", "&starting_after_id=v_000299");
  expect(last.vouchers.map(({ code }: { code: string }) => code)).toEqual(["CODE-300"]);
  expect(last.has_more).toBe(false);
});

test("a segment that is told by its filter is asked about 10,000 customers, and refused for one more until narrowed", async () => {
  const { api, id } = await anotherProject();
  await makeCustomers(id, 1, judged_max);
  const conditions = { email: { conditions: { $ends_with: ["@example.com"] } } };
  const segment = { name: "all", type: "passive", filter: { junction: "and", ...conditions } };
  const segment_id = (await api.post("/v1/segments", segment, 200)).body.id;
  expect((await api.get(`/v1/customers?limit=1&segment_id=${segment_id}`, 200)).body.total).toBe(judged_max);

  await makeCustomers(id, judged_max + 1, judged_max + 1);
  const { body } = await api.get(`/v1/customers?limit=1&segment_id=${segment_id}`, 400);
  expect(body).toMatchObject({ key: "invalid_query_params", details: expect.stringContaining("Property .segment_id") });
  expect(body.details).toContain("at most 10000 customers");
  const narrowed = `segment_id=${segment_id}&email=c77@example.com`;
  expect((await api.get(`/v1/customers?${narrowed}`, 200)).body.total).toBe(1);
}, 30_000);

test("a filter that takes longer than 5 s is refused, and answered where another condition narrows it", async () => {
  const { api, id } = await anotherProject();
  // Nearly every place in the text begins what is looked for, and none ends it.
  await makeVouchers(id, 4000, JSON.stringify({ long: "a".repeat(2000) }));
  const patterns = Array.from(
    { length: 20 },
    (_none, i) => `${filter("metadata.long", `$contains][${i}`, `${"a".repeat(999)}${i}`)}`,
  );
  const begun = performance.now();
  const { body } = await api.get(`/v1/vouchers?${patterns.join("&")}`, 400);
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(body).toMatchObject({
    key: "invalid_query_params",
    details: expect.stringMatching(/^The list takes longer than 5 s/),
  });
  expect((await api.get(`/v1/vouchers?code=CODE-7&${patterns.join("&")}`, 200)).body.total).toBe(0);
}, 30_000);
