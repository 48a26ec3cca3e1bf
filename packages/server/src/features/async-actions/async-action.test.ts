import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { actionsOf, countingJob } from "./async-action.fixtures.js";
import { readItems, readResultRows } from "./async-action.store.js";
import { createRunner } from "./runner.js";

const service = await startService();
const { api, clock, context } = service;
const { start, rows } = actionsOf(service, service.project);

describe("an asynchronous action", () => {
  test("that waits is shown with what is known: no result yet", async () => {
    const id = await start("CUSTOMERS.IMPORT_CSV");
    const { body } = await api.get(`/v1/async-actions/${id}`, 200);
    expect(body).toEqual({
      id: expect.stringMatching(/^aa_/),
      type: "CUSTOMERS.IMPORT_CSV",
      status: "ENQUEUED",
      operation_status: "UNKNOWN",
      request_id: expect.stringMatching(/^v-/),
      progress: 0,
      processing_time: 0,
      result: null,
      created_at: "2026-03-02T10:00:00.000Z",
      updated_at: "2026-03-02T10:00:00.000Z",
      object: "async_action",
    });
  });

  test("that nobody started is answered by name, and so is another project's", async () => {
    const unknown = await api.get("/v1/async-actions/aa_nothing", 404);
    expect(unknown.body).toMatchObject({
      key: "not_found",
      details: "Cannot find async_action with id aa_nothing",
      resource_type: "async_action",
      resource_id: "aa_nothing",
    });
    const other = await service.anotherProject();
    const id = await start("ORDERS.IMPORT");
    await other.api.get(`/v1/async-actions/${id}`, 404);
    expect((await other.api.get("/v1/async-actions", 200)).body.async_actions).toEqual([]);
  });

  test("keeps the items of its request in their order until it ends", async () => {
    const project = await service.anotherProject();
    const actions = actionsOf(service, project);
    const items = Array.from({ length: 5 }, (_, i) => JSON.stringify({ code: `c${i}` }));
    const id = await actions.start("VOUCHERS.BULK_UPDATE", { items, parameters: { count: 5 } });
    const named = { project_id: project.id, id };
    expect(await readItems(context.db, named, 2, 2)).toEqual([
      { number: 3, item: { code: "c2" } },
      { number: 4, item: { code: "c3" } },
    ]);
    expect(await readItems(context.db, { project_id: service.project.id, id }, 0, 9)).toEqual([]);
    await createRunner(context, [countingJob("VOUCHERS.BULK_UPDATE")], { project_ids: [project.id] }).runDue(
      clock.now(),
    );
    expect(await readItems(context.db, named, 0, 9)).toEqual([]);
    expect(await readResultRows(context.db, named, 4, 9)).toEqual([{ number: 5, outcome: { found: true } }]);
    expect(await rows(id)).toEqual([]);
  });
});

describe("the list of asynchronous actions", () => {
  test("is newest first, without results, and cut where it is asked to end", async () => {
    const project = await service.anotherProject();
    const actions = actionsOf(service, project);
    clock.set("2026-03-10T08:00:00.000Z");
    const ids: string[] = [];
    for (let i = 0; i < 12; i += 1, clock.advance({ minutes: 1 })) {
      ids.unshift(await actions.start("ORDERS.IMPORT", { parameters: { count: 1 } }));
    }
    await createRunner(context, [countingJob("ORDERS.IMPORT")], { project_ids: [project.id] }).runDue(clock.now());
    const listed = async (query: string) => (await project.api.get(`/v1/async-actions${query}`, 200)).body;
    const idsOf = (body: { async_actions: { id: string }[] }) => body.async_actions.map(({ id }) => id);

    const all = await listed("?limit=100");
    expect(all).toMatchObject({ object: "list", data_ref: "async_actions", has_more: false });
    expect(idsOf(all)).toEqual(ids);
    for (const one of all.async_actions) {
      expect(one).not.toHaveProperty("result");
      expect(one).not.toHaveProperty("processing_time");
    }
    expect(idsOf(await listed(""))).toEqual(ids.slice(0, 10));
    expect(await listed("")).toMatchObject({ has_more: true });
    expect(idsOf(await listed("?limit=1&end_date=2026-03-10T08:11:00Z"))).toEqual([ids[1]]);
    expect(idsOf(await listed("?end_date=2026-03-10"))).toEqual([]);
  });

  test.each([
    ["limit=0", "Property .limit must be >= 1"],
    ["limit=101", "Property .limit must be <= 100"],
    ["limit=many", "Property .limit must be integer"],
    ["limit=9007199254740993", "Property .limit must be <= 100"],
    ["end_date=soon", "Property .end_date cannot be recognized as a ISO-8601 compliant date"],
    [`end_date=${"9".repeat(9000)}`, "Property .end_date cannot be recognized as a ISO-8601 compliant date"],
  ])("refuses %s", async (query, details) => {
    const { body } = await api.get(`/v1/async-actions?${query}`, 400);
    expect(body).toMatchObject({ code: 400, key: "invalid_query_params", details });
  });

  test("refuses an id beyond 255 characters and takes an odd one for unknown", async () => {
    await api.get(`/v1/async-actions/${"x".repeat(1500)}`, 400);
    await api.get("/v1/async-actions/%F0%9F%8E%81'%22--", 404);
  });
});
