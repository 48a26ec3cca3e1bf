import { describe, expect, test } from "vitest";
import { createClient } from "../harness/client.js";
import { startService } from "../harness/service.js";

const { api, url, runDue } = await startService();
const path = "/v1/products/metadata/async";

/** Updates, does what is due, and reads the asynchronous action. */
async function update(source_ids: string[], metadata: Record<string, unknown>) {
  const { body } = await api.post(path, { source_ids, metadata }, 202);
  await runDue();
  return (await api.get(`/v1/async-actions/${body.async_action_id}`, 200)).body;
}

const rowsOf = async ({ result }: { result: { reports: string[] } }) =>
  (await createClient(url).get(result.reports[0]!.slice(url.length), 200)).body.split("\n");

describe("POST /v1/products/metadata/async", () => {
  test("response 202: an object with async_action_id", async () => {
    const { body } = await api.post(path, { source_ids: ["any"], metadata: { a: 1 } }, 202);
    expect(body).toEqual({ async_action_id: expect.any(String) });
  });

  test("the metadata is applied to every listed product", async () => {
    for (const source_id of ["north", "south"]) await api.post("/v1/products", { source_id }, 200);
    await update(["north", "south"], { season: "spring" });
    for (const source_id of ["north", "south"]) {
      expect((await api.get(`/v1/products/${source_id}`, 200)).body.metadata).toEqual({ season: "spring" });
    }
  });

  test("the action tells status, failed resources and a report file", async () => {
    expect(await update(["told"], { a: 1 })).toMatchObject({
      status: "DONE",
      result: { done_count: 1, failed_count: 0, errors: [], reports: [expect.stringContaining(url)] },
    });
  });

  test("a product that is missing is created: its row has found false and updated true", async () => {
    expect(await rowsOf(await update(["missing"], { a: 1 }))).toContain("missing,false,true,");
    expect((await api.get("/v1/products/missing", 200)).body).toMatchObject({
      source_id: "missing",
      metadata: { a: 1 },
    });
  });

  test("a product that exists is updated: its row shows the update", async () => {
    await api.post("/v1/products", { source_id: "existing", metadata: { a: 1 } }, 200);
    expect(await rowsOf(await update(["existing"], { b: 2 }))).toContain("existing,true,true,");
    expect((await api.get("/v1/products/existing", 200)).body.metadata).toEqual({ a: 1, b: 2 });
  });

  test.each(["source_ids", "metadata"])("%s is required", async (field) => {
    const { body } = await api.post(path, { source_ids: ["a"], metadata: {}, [field]: undefined }, 400);
    expect(body.details).toContain(`'${field}'`);
  });
});
