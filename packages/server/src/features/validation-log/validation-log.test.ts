import { describe, expect, test, vi } from "vitest";
import { aContextApart } from "../../../test/harness/database.js";
import { uniqueText } from "../../../test/harness/resources.js";
import { startService, type TestProject } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { runDue } from "../../platform/jobs/loop.js";
import { scheduleWork } from "../../platform/jobs/schedules.js";
import { findProject, insertProject } from "../projects/project.store.js";
import { schedules } from "./validation-log.schedules.js";
import { insertValidations } from "./validation-log.store.js";

const service = await startService();
const { clock, context, project, anotherProject } = service;
const { api } = project;

const aVoucher = async ({ api }: TestProject = project) =>
  (await api.post("/v1/vouchers", { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } }, 200))
    .body.code as string;
const aCustomer = async ({ api }: TestProject = project) =>
  (await api.post("/v1/customers", { source_id: uniqueText("customer") }, 200)).body as { id: string };
const validate = async (codes: readonly string[], customer: object, fields: object = {}) =>
  (
    await api.post(
      "/v1/validations",
      { redeemables: codes.map((id) => ({ object: "voucher", id })), customer, order: { amount: 1_000 }, ...fields },
      200,
    )
  ).body;

interface Entry {
  id: string;
  type: string;
  created_at: string;
  data: { data: { validation: { id: string }; customer: { id: string } }; event_source: object };
}
const activityOf = async ({ id }: { id: string }, query = ""): Promise<Entry[]> =>
  (await api.get(`/v1/customers/${id}/activity?limit=100${query}`, 200)).body.data;
const isValidation = ({ type }: Entry) => type.startsWith("customer.validation.");

/** What is logged of a customer, once there is so much of it: it is written a second later. */
async function logged(customer: { id: string }, count: number): Promise<Entry[]> {
  let entries: Entry[] = [];
  await vi.waitFor(
    async () => {
      entries = (await activityOf(customer)).filter(isValidation);
      expect(entries).toHaveLength(count);
    },
    { timeout: 10_000, interval: 50 },
  );
  return entries;
}

describe("a validation for a customer who is known", () => {
  test("is in the activity within seconds, with who asked and what each redeemable came to", async () => {
    const [customer, code] = [await aCustomer(), await aVoucher()];
    const [granted, refused] = [await validate([code], customer), await validate([code, "NONE"], customer)];
    const entries = await logged(customer, 2);
    const of = (id: string) => entries.find(({ data }) => data.data.validation.id === id);
    expect(of(granted.id)).toEqual({
      id: expect.stringMatching(/^evcus_/),
      type: "customer.validation.succeeded",
      created_at: new Date(clock.now()).toISOString(),
      group_id: expect.stringMatching(/^v-/),
      data: {
        data: {
          customer: expect.objectContaining({ id: customer.id, object: "customer" }),
          validation: {
            id: granted.id,
            valid: true,
            redeemables: [{ object: "voucher", id: code, status: "APPLICABLE" }],
          },
        },
        event_source: expect.objectContaining({ channel: "API" }),
      },
    });
    const validation = of(refused.id)?.data.data.validation as unknown as { redeemables: object[] };
    expect(of(refused.id)?.type).toBe("customer.validation.failed");
    expect(validation.redeemables).toContainEqual({
      object: "voucher",
      id: "NONE",
      status: "INAPPLICABLE",
      result: { error: { key: "not_found", message: expect.any(String) } },
    });
  });

  test("is there whichever operation asked, with a lock or without; a retry under the same key is the same one", async () => {
    const [customer, code] = [await aCustomer(), await aVoucher()];
    const asked = { customer, order: { amount: 1_000 } };
    await api.post(`/v1/vouchers/${code}/validate`, asked, 200);
    const session = { type: "LOCK", ttl: 1, ttl_unit: "SECONDS" };
    const body = { ...asked, session, redeemables: [{ object: "voucher", id: code }] };
    const headers = { "idempotency-key": uniqueText("key") };
    for (let i = 0; i < 2; i += 1)
      await api.send("POST", "/v1/validations", { raw: JSON.stringify(body), headers, status: 200 });
    const { source_id } = (await api.get(`/v1/customers/${customer.id}`, 200)).body;
    const of_page = { ...asked, customer: { source_id }, redeemables: [{ object: "voucher", id: code }] };
    await project.page.post("/client/v1/validations", of_page, 200);
    const entries = await logged(customer, 3);
    const channels = entries.map(({ data }) => (data.event_source as { channel: string }).channel);
    expect(channels.sort()).toEqual(["API", "API", "CLIENT_API"]);
  });

  test("stands among what else happened, in its order, page by page, and is counted with it", async () => {
    const [customer, code] = [await aCustomer(), await aVoucher()];
    for (let i = 0; i < 3; i += 1) {
      clock.advance({ minutes: 1 });
      await validate([code], customer);
      clock.advance({ minutes: 1 });
      await api.put(`/v1/customers/${customer.id}`, { name: `name ${i}` }, 200);
    }
    await logged(customer, 3);
    for (const order of ["created_at", "-created_at"]) {
      const all = await activityOf(customer, `&order=${order}`);
      expect(all).toHaveLength(7);
      const times = all.map(({ created_at }) => created_at);
      expect(times).toEqual(order === "created_at" ? times.toSorted() : times.toSorted().reverse());
      const paged: string[] = [];
      for (let after = ""; paged.length < 7; after = `&starting_after_id=${paged.at(-1)}`) {
        const { body } = await api.get(`/v1/customers/${customer.id}/activity?limit=2&order=${order}${after}`, 200);
        paged.push(...body.data.map(({ id }: Entry) => id));
        expect(body.has_more).toBe(paged.length < 7);
      }
      expect(paged).toEqual(all.map(({ id }) => id));
    }
    expect((await api.get(`/v1/customers/${customer.id}/activities?limit=1`, 200)).body.total).toBe(7);
    expect(await activityOf(customer, "&type=customer.validation.failed")).toEqual([]);
    expect(await activityOf(customer, "&type=customer.validation.succeeded")).toHaveLength(3);
    expect(await activityOf(customer, "&type=customer.updated")).toHaveLength(3);
    expect((await activityOf(customer, "&category=EFFECT")).filter(isValidation)).toEqual([]);
    expect(await activityOf(customer, "&campaign_id=camp_1")).toEqual([]);
  });

  test("is known for thirty days", async () => {
    const [customer, code] = [await aCustomer(), await aVoucher()];
    await validate([code], customer);
    await logged(customer, 1);
    clock.advance({ days: 29 });
    await logged(customer, 1);
    clock.advance({ days: 1 });
    await logged(customer, 0);
    expect((await api.get(`/v1/customers/${customer.id}/activities`, 200)).body.total).toBe(1);
  });

  test("goes with the customer who is deleted for good", async () => {
    const [customer, code] = [await aCustomer(), await aVoucher()];
    await validate([code], customer);
    await logged(customer, 1);
    await api.delete(`/v1/customers/${customer.id}`, 204);
    const { rows } = await context.db.one<{ rows: number }>(sql`
      select count(*) as rows from validations
       where validations.project_id = ${project.id} and validations.customer_id = ${customer.id}`);
    expect(rows).toBe(0);
  });
});

test("a validation for nobody, or somebody nobody has stored, is logged without a customer, and makes none", async () => {
  const mine = await anotherProject();
  const code = await aVoucher(mine);
  const redeemables = [{ object: "voucher", id: code }];
  for (const customer of [undefined, { source_id: "stranger" }])
    await mine.api.post("/v1/validations", { redeemables, customer }, 200);
  const rows = () =>
    context.db.many<{ customer_id: string | null }>(sql`
      select validations.customer_id from validations where validations.project_id = ${mine.id}`);
  await vi.waitFor(async () => expect(await rows()).toEqual([{ customer_id: null }, { customer_id: null }]), 10_000);
  await mine.api.get("/v1/customers/stranger", 404);
});

test("a project that was deleted before the log was written has none", async () => {
  const { clock, db } = await aContextApart();
  const row = { project_id: "gone", customer_id: null, group_id: "v-1", event_source: { channel: "API" as const } };
  await insertValidations(db, [{ ...row, id: "valid_1", valid: true, redeemables: [], created_at: clock.now() }]);
  expect(await db.many(sql`select validations.id from validations where validations.project_id = 'gone'`)).toEqual([]);
});

test("days that the log keeps no more are dropped whole", async () => {
  const { clock, context: apart, db } = await aContextApart();
  const work = scheduleWork(apart, schedules);
  const known = await findProject(context.db, project.id);
  if (!known) throw new Error("the service has a project");
  await db.transaction((tx) => insertProject(tx, { ...known, id: "proj" }));
  const row = { project_id: "proj", customer_id: null, group_id: "v-1", event_source: { channel: "API" as const } };
  const left = async () =>
    (
      await db.many<{ id: string }>(sql`select validations.id from validations where validations.project_id = 'proj'`)
    ).map(({ id }) => id);
  for (const id of ["valid_old", "valid_new"]) {
    await runDue(context, [work], clock.now());
    await insertValidations(db, [{ ...row, id, valid: true, redeemables: [], created_at: clock.now() }]);
    clock.advance({ days: 20 });
  }
  expect((await left()).sort()).toEqual(["valid_new", "valid_old"]);
  await runDue(context, [work], clock.now());
  expect(await left()).toEqual(["valid_new"]);
});
