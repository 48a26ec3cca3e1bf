import { expect, test, vi } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { someoneIn } from "../../people/people.fixtures.js";
import type { LoggedValidation } from "../../validation-log/index.js";
import { insertValidations } from "../../validation-log/validation-log.store.js";

const service = await startService();
const { project, anotherProject, clock, context } = service;
const { api } = project;
const at = "/dashboard/v1/validations";

interface Row {
  valid: boolean;
  customer_id: string | null;
  redeemables: { id: string; status: string }[];
}
const said = ({ data }: { data: Row[] }) =>
  data.map(({ valid, redeemables }) => `${redeemables.map(({ id }) => id).join("+")} ${valid}`);

const { browser } = await someoneIn(service, project.id, "VIEWER");
const listed = async (query = "") => (await browser.get(`${at}?${query}`, 200)).body;

async function validate(codes: readonly string[], customer?: object) {
  const redeemables = codes.map((id) => ({ object: "voucher", id }));
  clock.advance({ minutes: 1 });
  await api.post("/v1/validations", { redeemables, order: { amount: 1_000 }, ...(customer && { customer }) }, 200);
}

test("validations are listed newest first, page by page, and found by customer, code and whether they were valid", async () => {
  for (const code of ["ONE", "TWO"])
    await api.post(`/v1/vouchers/${code}`, { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
  const jana = { source_id: "crm-1", name: "Jana Becker" };
  const { id } = (await api.post("/v1/customers", jana, 200)).body;
  await validate(["ONE"], { source_id: "crm-1" });
  await validate(["ONE", "NONE"]);
  await validate(["TWO"], { source_id: "crm-1" });
  await validate(["NONE"], { source_id: "crm-1" });
  await vi.waitFor(async () => expect((await listed()).data).toHaveLength(4), { timeout: 10_000 });

  const all = await listed();
  expect(said(all)).toEqual(["NONE false", "TWO true", "ONE+NONE false", "ONE true"]);
  expect(all).toMatchObject({ customers: [{ id, name: "Jana Becker" }], next: null });
  expect(all.data[0]).toMatchObject({
    ...{ customer_id: id, group_id: expect.stringMatching(/^v-/), event_source: { channel: "API" } },
    redeemables: [{ id: "NONE", status: "INAPPLICABLE", result: { error: { key: "not_found" } } }],
  });
  const first = await listed("limit=3");
  expect(said(first)).toHaveLength(3);
  expect(said(await listed(`limit=3&after=${first.next}`))).toEqual(["ONE true"]);

  expect(said(await listed("code=ONE"))).toEqual(["ONE+NONE false", "ONE true"]);
  expect(said(await listed(`customer=${id}&valid=true`))).toEqual(["TWO true", "ONE true"]);
  expect(said(await listed("customer=crm-1&code=NONE"))).toEqual(["NONE false"]);
  for (const nothing of ["customer=nobody", "code=one", "valid=true&code=NONE"])
    expect(await listed(nothing)).toEqual({ data: [], customers: [], next: null });

  const other = await someoneIn(service, (await anotherProject()).id, "ADMIN");
  expect((await other.browser.get(at, 200)).body.data).toEqual([]);
  clock.advance({ days: 31 });
  const later = await someoneIn(service, project.id, "VIEWER");
  expect((await later.browser.get(at, 200)).body.data).toEqual([]);
});

test("what is no cursor and no truth is refused", async () => {
  const { browser } = await someoneIn(service, project.id, "VIEWER");
  for (const query of ["after=yesterday", "valid=perhaps", "limit=101"])
    expect((await browser.get(`${at}?${query}`, 400)).body.key).toBe("invalid_query_params");
});

test("a code that few have asked about is found by its index, however many others were", async () => {
  const asked = {
    ...{ project_id: project.id, customer_id: null, group_id: "v-1", event_source: {}, valid: true },
    created_at: clock.now(),
  };
  const verdict = (id: string) => [{ object: "voucher", id, status: "APPLICABLE" as const }];
  const rows = Array.from({ length: 5_000 }, (_, i) => ({
    ...{ ...asked, id: `valid_many${i}`, redeemables: verdict(`MANY-${i % 1_000}`) },
  }));
  await insertValidations(context.db, rows as unknown as LoggedValidation[]);
  await context.db.run(sql`analyze validations -- every project: what the planner knows of the table`);
  const plan = await context.db.many<{ "QUERY PLAN": string }>(sql`
    explain select validations.id from validations
     where validations.project_id = ${project.id} and validations.names @> ${["MANY-7"]}::text[] and validations.names <> '{}'`);
  expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain("names_idx");
});
