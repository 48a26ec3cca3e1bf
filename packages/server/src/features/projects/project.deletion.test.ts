import { expect, test, vi } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { deleteLeftovers } from "./leftovers.store.js";

const { anotherProject, management, context, clock, runDue } = await startService();

/** Rows that the project has in any table, by table. */
async function left(project_id: string): Promise<Record<string, number>> {
  const tables = await context.db.many<{ name: string }>(sql`
    select pg_class.relname as name from pg_class
      join pg_attribute on pg_attribute.attrelid = pg_class.oid and pg_attribute.attname = 'project_id'
     where pg_class.relkind = 'r' and pg_class.relnamespace = current_schema()::regnamespace`);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { count } = await context.db.one<{ count: number }>({
      ...sql`select`,
      text: `select count(*) from ${name} where project_id = $1`,
      values: [project_id],
      name: undefined,
    });
    if (count > 0) counts[name] = count;
  }
  return counts;
}

async function aBusyProject() {
  const project = await anotherProject();
  const { api } = project;
  const discount = { type: "AMOUNT", amount_off: 100 };
  const campaign = { name: "C", campaign_type: "DISCOUNT_COUPONS", voucher: { type: "DISCOUNT_VOUCHER", discount } };
  await api.post("/v1/campaigns", campaign, 200);
  await api.post("/v1/campaigns/C/vouchers/CODE-1", {}, 200);
  await api.post("/v1/vouchers/CODE-2", { discount }, 200);
  const sent = { customer: { source_id: "c" }, order: { source_id: "o", amount: 1000 } };
  await api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: "CODE-1" }], ...sent }, 200);
  await api.post(
    "/v1/validations",
    { redeemables: [{ object: "voucher", id: "CODE-2" }], session: { type: "LOCK" } },
    200,
  );
  await runDue();
  // Validations are logged a moment after they are answered.
  const isLogged = async () => Object.keys(await left(project.id)).some((table) => table.startsWith("validations"));
  await vi.waitUntil(isLogged, { timeout: 10_000, interval: 50 });
  return project;
}

test("a deleted project is gone at once, with its keys, and leaves nothing behind in any table", async () => {
  const [gone, stays] = [await aBusyProject(), await aBusyProject()];
  const before = await left(stays.id);
  expect(Object.keys(await left(gone.id)).length).toBeGreaterThan(10);
  await management.delete(`/management/v1/projects/${gone.id}`, 204);
  await gone.api.get("/v1/vouchers", 401);
  await gone.api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id: "CODE-1" }] }, 401);
  await management.get(`/management/v1/projects/${gone.id}`, 404);
  await management.delete(`/management/v1/projects/${gone.id}`, 404);

  await runDue();
  expect(await left(gone.id)).toEqual({});
  expect(await left(stays.id)).toEqual(before);
  // What began before it was deleted may still write for a while; then the project itself goes.
  const kept = () => context.db.many(sql`select projects.id from projects where projects.id = ${gone.id}`);
  expect(await kept()).toHaveLength(1);
  clock.advance({ minutes: 2 });
  await runDue();
  expect(await kept()).toHaveLength(0);
});

test("a large project is deleted piece by piece, however little time there is, until nothing of it is left", async () => {
  const { id } = await anotherProject();
  await context.db.run(sql`
    insert into customers (project_id, id, metadata, system_metadata, created_at)
    select ${id}, 'cust_' || made.n, '{}', '{}', '2026-01-01' from generate_series(1, 4500) as made (n)`);
  await management.delete(`/management/v1/projects/${id}`, 204);
  const customers: number[] = [];
  while (!(await deleteLeftovers(context.db, id, ["projects"], 0))) customers.push((await left(id)).customers ?? 0);
  expect(customers.filter((count) => count > 0)).toEqual(expect.arrayContaining([3500, 2500, 1500, 500]));
  expect(await left(id)).toEqual({});
});
