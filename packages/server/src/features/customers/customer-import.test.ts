import { expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { importsOn } from "../imports/import.fixtures.js";

const service = await startService();
const { api, project, context, management } = service;
const { send, ended, pieces } = importsOn(service);

const path = "/v1/customers/importCSV";
const imported = async (text: string) => ended(project, await send(api, path, text, { status: 202 }));
const customer = async (id: string) => (await api.get(`/v1/customers/${id}`, 200)).body;

test("a file of customers makes them, with their addresses, and other columns as metadata", async () => {
  const action = await imported(
    "Name,Email,Phone,Birthdate,Source_id,Address_line_1,Address_Postal_Code,Address_City,Description,Tier\n" +
      "Ann,ann@shop.example,1,1990-02-03,c-ann,Main St 1,1000,Town,regular,gold\n" +
      "Ben,,,,c-ben,,,,,\n",
  );
  expect(action).toMatchObject({ type: "CUSTOMERS.IMPORT_CSV", operation_status: "SUCCESS" });
  expect(action.result).toEqual({
    message: "2 customer(s) imported successfully, 0 failed.",
    failed: [],
    done_count: 2,
    failed_count: 0,
  });
  expect(await customer("c-ann")).toMatchObject({
    name: "Ann",
    email: "ann@shop.example",
    phone: "1",
    birthdate: "1990-02-03",
    description: "regular",
    address: { line_1: "Main St 1", postal_code: "1000", city: "Town", country: null },
    metadata: { Tier: "gold" },
  });
  expect(await customer("c-ben")).toMatchObject({ name: "Ben", email: null, address: null, metadata: {} });
});

test("a customer who is there is overwritten wholly, found by source id or by id, and nobody is told", async () => {
  const sent = { source_id: "c-old", name: "Old", phone: "1", metadata: { a: 1 } };
  const { body: old } = await api.post("/v1/customers", sent, 200);
  await imported("Source_id,Email\nc-old,new@shop.example");
  expect(await customer(old.id)).toMatchObject({ email: "new@shop.example", name: null, phone: null, metadata: {} });
  await imported(`Id,Name\n${old.id},Newer\ncust_unknown,Nobody`);
  expect(await customer("c-old")).toMatchObject({ id: old.id, name: "Newer", email: null });
  const told = await context.db.many<{ type: string }>(sql`
    select events.type from events where events.project_id = ${project.id} and events.entity_id = ${old.id}
     order by events.type`);
  expect(told.map(({ type }) => type)).toEqual(["customer.created", "customers.changed", "customers.changed"]);
});

test("rows that cannot be taken are told by source id and number, and one named twice is the last", async () => {
  const definition = { type: "number", array: false, optional: false };
  const other = await service.anotherProject();
  await management.post(
    `/management/v1/projects/${other.id}/metadata-schemas`,
    { related_object: "customer", properties: { size: definition } },
    200,
  );
  const text =
    "Source_id,Name,Birthdate,size\nr-1,One,,1\nr-2,Two,,L\nr-3,Three,tomorrow,1\nr-1,Once more,,2\n,,,\nr-6";
  const { result } = await ended(other, await send(other.api, path, text, { status: 202 }));
  expect(result).toMatchObject({ done_count: 2, failed_count: 4 });
  expect(result.failed).toEqual([
    { source_id: "r-2", row: 2, reason: "size: must be a number, property is required (actual value is 'L')" },
    { source_id: "r-3", row: 3, reason: "Property .birthdate cannot be recognized as a ISO-8601 compliant date" },
    { source_id: "", row: 5, reason: "The row says nothing" },
    { source_id: "r-6", row: 6, reason: "Row 6 has 1 cells where the header has 4" },
  ]);
  expect((await other.api.get("/v1/customers/r-1", 200)).body).toMatchObject({
    name: "Once more",
    metadata: { size: 2 },
  });
});

test("a customer who leaves for good is in no result any more", async () => {
  const { id } = await imported("Source_id,Birthdate\nc-leaving,tomorrow");
  await api.post("/v1/customers", { source_id: "c-leaving" }, 200);
  await api.post("/v1/customers/c-leaving/permanent-deletion", {}, 200);
  await service.runDue();
  const { result } = (await api.get(`/v1/async-actions/${id}`, 200)).body;
  expect(result.failed).toEqual([{ row: 1, reason: expect.any(String) }]);
});

test("hundreds are taken in several slices, and nothing of the file is left", async () => {
  const rows = Array.from({ length: 450 }, (_, i) => `h-${i},No ${i}`);
  const { result } = await imported(["Source_id,Name", ...rows].join("\n"));
  expect(result.done_count).toBe(450);
  expect(await customer("h-449")).toMatchObject({ name: "No 449" });
  expect(await pieces(project)).toBe(0);
});
