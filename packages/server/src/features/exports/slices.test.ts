import { expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { jobs } from "../../composition.js";
import { sql } from "../../platform/db/sql.js";
import { type AsyncJob, createRunner } from "../async-actions/index.js";
import { exportsOn } from "./export.fixtures.js";

const service = await startService();
const { context, clock, anotherProject } = service;
const [job] = jobs.filter(({ type }) => type === "EXPORTS.WRITE") as [AsyncJob];
const quiet = { ...context.log, error() {}, warn() {}, info() {} } as unknown as typeof context.log;

/** A project with codes, every third without a name for its holder, and exports written so many rows at a time. */
async function aProject(rows: number) {
  const project = await anotherProject();
  for (let i = 0; i < rows; i += 1) {
    const name = i % 3 === 0 ? {} : { name: `N${i % 2}` };
    // Some at one instant, so that the order hangs on the id.
    if (i % 2 === 0) clock.advance({ minutes: 1 });
    await project.api.post("/v1/customers", { source_id: `c-${i}`, ...name }, 200);
  }
  const on = exportsOn(service, project);
  async function rowsBy(parameters: Record<string, unknown>, own: AsyncJob) {
    const { body } = await on.ask("customer", { fields: ["id", "name"], ...parameters });
    for (let turns = 0; turns < 40; turns += 1) {
      await createRunner({ ...context, log: quiet }, [own], { project_ids: [project.id] }).runDue(clock.now());
      clock.advance({ minutes: 1 });
    }
    const done = (await project.api.get(`/v1/exports/${body.id}`, 200)).body;
    expect(done.status).toBe("DONE");
    return (await on.load(done)).body as string;
  }
  return { ...project, ...on, rowsBy };
}

const inRooms = (max: number): AsyncJob => ({ ...job, rows: { start: max, max } });

test.each(["created_at", "-created_at", "name", "-name", "id", "-updated_at", "email"])(
  "in the order of %s the rows are the same however few are read at once, none twice",
  async (order) => {
    const { rowsBy } = await aProject(9);
    const whole = await rowsBy({ order }, inRooms(100));
    const lines = whole.split("\n").slice(1, -1);
    expect(new Set(lines).size).toBe(9);
    for (const rows of [1, 2, 3]) expect(await rowsBy({ order }, inRooms(rows))).toBe(whole);
  },
);

test("what is missing comes last in an order, and first the other way round", async () => {
  const { rowsBy } = await aProject(7);
  const names = async (order: string) =>
    (await rowsBy({ order, fields: ["name"] }, inRooms(2))).split("\n").slice(1, -1);
  expect(await names("name")).toEqual(["N0", "N0", "N1", "N1", "", "", ""]);
  expect(await names("-name")).toEqual(["", "", "", "N1", "N1", "N0", "N0"]);
});

test("a file is the same as undisturbed though the writing process loses its connection again and again", async () => {
  const { rowsBy } = await aProject(9);
  const whole = await rowsBy({}, inRooms(2));
  let slices = 0;
  const disturbed: AsyncJob = {
    ...inRooms(2),
    async slice(change, action, tools) {
      const slice = await job.slice(change, action, tools);
      slices += 1;
      // All is written, and none of it committed.
      if (slices % 3 !== 0) await change.tx.run(sql`select pg_terminate_backend(pg_backend_pid())`);
      return slice;
    },
  };
  expect(await rowsBy({}, disturbed)).toBe(whole);
  expect(slices).toBeGreaterThan(9);
});

test("customers of whom something is counted are found in slices that hold few of them or none", async () => {
  const { api, rowsBy } = await aProject(9);
  for (const source_id of ["c-2", "c-7", "c-8"])
    await api.post("/v1/orders", { customer: { source_id }, amount: 500, status: "PAID" }, 200);
  const filters = { "summary.orders.total_count": { conditions: { $more_than: [0] } } };
  const asked = { filters, order: "created_at", fields: ["source_id", "orders_total_amount"] };
  for (const rows of [1, 2, 3, 100])
    expect(await rowsBy(asked, inRooms(rows))).toBe("Source ID,Orders Total Amount\nc-2,5.00\nc-7,5.00\nc-8,5.00\n");
});

test("rows that are made while a file is written, newest first, are not in it, and move no other", async () => {
  const { api, rowsBy } = await aProject(6);
  let made = 0;
  const busy: AsyncJob = {
    ...inRooms(2),
    async slice(change, action, tools) {
      made += 1;
      await api.post("/v1/customers", { source_id: `late-${made}` }, 200);
      return job.slice(change, action, tools);
    },
  };
  const lines = (await rowsBy({ fields: ["source_id"] }, busy)).split("\n").slice(1, -1);
  expect(lines.slice(-6)).toEqual(["c-4", "c-5", "c-2", "c-3", "c-0", "c-1"].sort().reverse());
  expect(lines.slice(0, -6).length).toBeLessThan(2);
});

test("a file that would be too large is given up: the export says so, and nothing of it stays", async () => {
  const project = await aProject(4);
  const { ask, anybody } = project;
  const { body } = await ask("customer", { fields: ["source_id"] });
  await context.db.run(sql`
    update exports set plan = (exports.plan::jsonb || '{"bytes_max": 20}')::json
     where exports.project_id = ${project.id} and exports.id = ${body.id}`);
  await createRunner({ ...context, log: quiet }, [inRooms(2)], { project_ids: [project.id] }).runDue(clock.now());
  expect((await project.api.get(`/v1/exports/${body.id}`, 200)).body).toMatchObject({
    status: "ERROR",
    result: null,
    error: { message: "The file would be larger than 20 bytes." },
  });
  const parts = await context.db.many(
    sql`select from export_parts where export_parts.project_id = ${project.id} and export_parts.export_id = ${body.id}`,
  );
  expect(parts).toEqual([]);
  const token = context.seal.token("exports", `${project.id} ${body.id}`);
  await anybody.get(`/v1/exports/${body.id}?token=${token}`, 401);
});

test("an export in more pieces than one is loaded whole", async () => {
  const project = await anotherProject();
  const { ask, written, load } = exportsOn(service, project);
  const metadata = { text: "x".repeat(60_000) };
  for (let i = 0; i < 40; i += 1) await project.api.post("/v1/orders", { metadata }, 200);
  const done = await written(await ask("order", { fields: ["metadata.text"] }));
  const text: string = (await load(done)).body;
  expect(text).toBe(`text\n${`${metadata.text}\n`.repeat(40)}`);
  const [{ parts }] = (await context.db.many<{ parts: number }>(
    sql`select exports.parts from exports where exports.project_id = ${project.id} and exports.id = ${done.id}`,
  )) as [{ parts: number }];
  expect(parts).toBeGreaterThan(2);
});

test("what many rows match is written whole and in order, as what few do", async () => {
  const project = await anotherProject();
  await context.db.run(sql`
    insert into vouchers (project_id, id, code, code_key, type, discount, metadata, created_at)
    select ${project.id}, 'v_' || n, 'C' || n, 'C' || n, 'DISCOUNT_VOUCHER', '{"type":"AMOUNT","amount_off":1}',
           '{"shop":"north"}', ${new Date(clock.now()).toISOString()}
      from generate_series(1, 20500) as n`);
  const { column } = exportsOn(service, project);
  const filters = { "metadata.shop": { conditions: { $is: ["north"] } } };
  const codes = await column("voucher", "code", { filters, order: "code" });
  expect(codes).toHaveLength(20_500);
  expect(codes).toEqual(codes.toSorted());
  expect(new Set(codes).size).toBe(20_500);
});
