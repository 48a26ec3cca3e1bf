import { afterAll, expect, test, vi } from "vitest";
import { aDatabase } from "../../../test/harness/database.js";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { aName } from "../loyalties/loyalty.fixtures.js";
import { insertRefusals } from "../validation-log/refusal-log.store.js";
import { insertValidations } from "../validation-log/validation-log.store.js";
import { aMarker, tablesWith } from "./permanent-deletion.fixtures.js";
import { settled_ms } from "./traces.js";

// All tables are read, and what other files left there is much.
const database_url = await aDatabase(afterAll);
const { api, context, project, runDue, clock, management } = await startService({ database_url });
const { db } = context;

const later = async () => {
  clock.advance({ ms: settled_ms });
  await runDue();
};

/** A log as it is written by a process in which it waited while the customer was deleted. */
async function writtenLate(customer_id: string, text: string) {
  const by = { customer_id, group_id: "v-1", event_source: { channel: "API" as const } };
  const row = { ...by, project_id: project.id, created_at: clock.now() };
  await insertValidations(db, [{ ...row, id: aName("valid"), valid: true, redeemables: [] }]);
  const asked = { object: "voucher", object_id: null, name: "NONE", asked_for: "validation" as const };
  const refusal = { key: "not_found", message: "none", explanation: null, order: { note: text } };
  await insertRefusals(db, [{ ...row, ...asked, ...refusal, id: aName("refusal") }]);
}

const logsOf = async (customer_id: string) => {
  const { validations, refusals } = await db.one<{ validations: number; refusals: number }>(sql`
    select (select count(*) from validations
             where validations.project_id = ${project.id} and validations.customer_id = ${customer_id}) as validations,
           (select count(*) from explained_refusals
             where explained_refusals.project_id = ${project.id} and explained_refusals.customer_id = ${customer_id}) as refusals`);
  return [validations, refusals];
};

const aCustomer = async (source_id: string) => (await api.post("/v1/customers", { source_id }, 200)).body.id as string;

test("what logs say of somebody behind their permanent deletion is gone minutes later, by whichever name", async () => {
  await management.put(`/management/v1/projects/${project.id}`, { request_log_enabled: true }, 200);
  const { marker, marked } = aMarker();
  const source_id = marked("source");
  const [id, other] = [await aCustomer(source_id), await aCustomer(aName("other"))];
  // Its own path names them, and is logged behind it.
  await api.post(`/v1/customers/${source_id}/permanent-deletion`, undefined, 200);
  await vi.waitFor(async () => expect(await tablesWith(db, marker)).toContain("api_requests"), {
    timeout: 10_000,
    interval: 50,
  });
  await writtenLate(id, marker);
  await writtenLate(other, "another");

  await runDue();
  expect(await tablesWith(db, marker)).toContain("api_requests");
  await later();
  expect(await tablesWith(db, marker)).toEqual([]);
  expect([await logsOf(id), await logsOf(other)]).toEqual([
    [0, 0],
    [1, 1],
  ]);
});

test("what logs say of somebody behind their deletion goes as well, and needs no name for that", async () => {
  const { marker, marked } = aMarker();
  const id = await aCustomer(marked("source"));
  await api.delete(`/v1/customers/${id}`, 204);
  expect(await tablesWith(db, marker)).not.toContain("walks");
  await writtenLate(id, "nobody");
  await later();
  expect(await logsOf(id)).toEqual([0, 0]);
});
