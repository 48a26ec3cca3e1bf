import { describe, expect, test } from "vitest";
import type { Answer } from "../../../test/harness/client.js";
import { startService } from "../../../test/harness/service.js";
import { bulkOn } from "../async-actions/async-action.fixtures.js";

const service = await startService();
const { api, project, runDue, anotherProject } = service;
const { finished, reportOf } = bulkOn(service);

const customer = async (source_id: string) => (await api.get(`/v1/customers/${source_id}`, 200)).body;

describe("updating many customers", () => {
  test("gives each its own change, makes those that are missing, and tells nobody", async () => {
    const address = { city: "Bern", country: "CH" };
    await api.post("/v1/customers", { source_id: "c1", name: "One", email: "a@b.c", metadata: { a: 1 }, address }, 200);
    const sent = [
      { source_id: "c1", email: null, metadata: { b: 2 } },
      { source_id: "c2", name: "Two", phone: "1", birthdate: "2000-02-29", description: "d", id: "cust_ignored" },
      { source_id: "c2", address },
    ];
    const action = await finished(project, await api.post("/v1/customers/bulk/async", sent, 202));
    expect(action).toMatchObject({
      type: "CUSTOMERS.BULK_UPDATE",
      result: { done_count: 3, failed_count: 0, errors: [] },
    });
    expect(await customer("c1")).toMatchObject({ name: "One", email: null, metadata: { a: 1, b: 2 }, address });
    expect(await customer("c2")).toMatchObject({ name: "Two", phone: "1", birthdate: "2000-02-29", address });
    expect(await reportOf(action)).toEqual([
      "source_id,found,updated,errors",
      "c1,true,true,",
      "c2,false,true,",
      "c2,true,true,",
      "",
    ]);
    const { id } = await customer("c2");
    expect((await api.get(`/v1/customers/${id}/activities`, 200)).body.data).toEqual([]);
  });

  test("leaves alone what would grow too large, by its name", async () => {
    await api.post("/v1/customers", { source_id: "large", metadata: { long: "x".repeat(60_000) } }, 200);
    const sent = [{ source_id: "large", name: "New", metadata: { more: "y".repeat(6_000) } }, { source_id: "beside" }];
    const action = await finished(project, await api.post("/v1/customers/bulk/async", sent, 202));
    expect(action.result).toMatchObject({ done_count: 1, failed_count: 1 });
    expect(action.result.errors).toMatchObject([{ key: "invalid_payload", source_id: "large" }]);
    expect((await customer("large")).name).toBeNull();
  });
});

test("a row that is off the metadata schema fails, and only that one", async () => {
  const other = await anotherProject();
  const properties = { plan: { type: "string", optional: false, array: false } };
  const schema = { related_object: "customer", properties };
  await service.management.post(`/management/v1/projects/${other.id}/metadata-schemas`, schema, 200);
  const sent = [
    { source_id: "off", metadata: { plan: 7 } },
    { source_id: "without" },
    { source_id: "on", metadata: { plan: "x" } },
  ];
  const action = await finished(other, await other.api.post("/v1/customers/bulk/async", sent, 202));
  expect(action.result).toMatchObject({ done_count: 1, failed_count: 2 });
  expect(action.result.errors).toMatchObject([
    { key: "metadata_validation_failed", source_id: "off", details: expect.stringContaining("plan: must be a string") },
    { key: "metadata_validation_failed", source_id: "without" },
  ]);
  await other.api.get("/v1/customers/off", 404);
});

describe("updating the metadata of many customers", () => {
  test("merges into those that are there and makes the others", async () => {
    await api.post("/v1/customers", { source_id: "m1", name: "Kept", metadata: { a: 1, b: { x: 1 } } }, 200);
    const sent = { source_ids: ["m1", "m2"], metadata: { b: { y: 1 } } };
    const action = await finished(project, await api.post("/v1/customers/metadata/async", sent, 202));
    expect(action).toMatchObject({ type: "CUSTOMERS.METADATA_UPDATE", result: { done_count: 2, failed_count: 0 } });
    expect(await customer("m1")).toMatchObject({ name: "Kept", metadata: { a: 1, b: { y: 1 } } });
    expect((await customer("m2")).metadata).toEqual({ b: { y: 1 } });
    expect((await reportOf(action)).slice(1, 3)).toEqual(["m1,true,true,", "m2,false,true,"]);
  });

  test("ends in the order of the requests, of either kind", async () => {
    const starts: Answer[] = [];
    for (const n of [1, 2, 3, 4]) {
      const metadata = { last: n, [n]: n };
      const in_bulk = await (n % 2
        ? api.post("/v1/customers/metadata/async", { source_ids: ["ordered"], metadata }, 202)
        : api.post("/v1/customers/bulk/async", [{ source_id: "ordered", metadata }], 202));
      starts.push(in_bulk);
    }
    for (const start of starts) expect((await finished(project, start)).status).toBe("DONE");
    expect((await customer("ordered")).metadata).toEqual({ last: 4, 1: 1, 2: 2, 3: 3, 4: 4 });
  });

  test("takes thousands in slices, beside changes by hand and newcomers of the same name", async () => {
    const other = await anotherProject();
    const source_ids = Array.from({ length: 1_001 }, (_, i) => `many-${i}`);
    const start = await other.api.post("/v1/customers/metadata/async", { source_ids, metadata: { bulk: 1 } }, 202);
    const by_hand = [100, 500, 900].map((n) =>
      other.api.post("/v1/customers", { source_id: `many-${n}`, metadata: { hand: n } }, 200),
    );
    await Promise.all([runDue(), ...by_hand]);
    const action = await finished(other, start);
    expect(action.result).toMatchObject({ done_count: 1_001, failed_count: 0 });
    expect((await other.api.get("/v1/customers?limit=1", 200)).body.total).toBe(1_001);
    const both = (await other.api.get("/v1/customers/many-500", 200)).body.metadata;
    expect(both).toEqual({ bulk: 1, hand: 500 });
  });

  test("reaches no customer of another project", async () => {
    const other = await anotherProject();
    await other.api.post("/v1/customers", { source_id: "apart", metadata: { own: 1 } }, 200);
    const sent = { source_ids: ["apart"], metadata: { a: 1 } };
    await finished(project, await api.post("/v1/customers/metadata/async", sent, 202));
    expect((await other.api.get("/v1/customers/apart", 200)).body.metadata).toEqual({ own: 1 });
  });

  test.each<[string, unknown]>([
    ["metadata", { source_ids: ["a"] }],
    ["metadata", { source_ids: [7], metadata: {} }],
    ["metadata", { source_ids: ["x".repeat(256)], metadata: {} }],
    ["bulk", [{ name: "nobody" }]],
    ["bulk", [{ source_id: "a", birthdate: "soon" }]],
    ["bulk", [{ source_id: "a", metadata: 1 }]],
    ["bulk", "a"],
  ])("%s %j is refused as a whole", async (noun, sent) => {
    expect((await api.post(`/v1/customers/${noun}/async`, sent, 400)).body.key).toBe("invalid_payload");
  });
});
