import { describe, expect, test } from "vitest";
import { aCustomEvent } from "../../src/features/loyalties/loyalty.fixtures.js";
import { bytes_max } from "../harness/exact-bodies.js";
import { startService } from "../harness/service.js";

const service = await startService();
const { api, management, project, runDue } = service;
const bulk = "/v1/products/metadata/async";
const customer = { source_id: "ann" };

describe("the request payload of POST /v1/products/metadata/async", () => {
  const start = '{"source_ids":[],"metadata":{}';
  test.each([
    [bytes_max, 202],
    [bytes_max + 1, 413],
  ])("is 10485760 bytes at most: %i bytes are answered %i", async (bytes, status) => {
    await api.send("POST", bulk, { raw: `${start.padEnd(bytes - 1)}}`, status });
  });
});

describe("the field event of POST /v1/events", () => {
  test("has 1 to 300 characters", async () => {
    for (const name of ["e", "e".repeat(300)]) {
      await aCustomEvent(service, project, {}, name);
      await api.post("/v1/events", { event: name, customer }, 200);
    }
    await api.post("/v1/events", { event: "", customer }, 400);
    await api.post("/v1/events", { event: "e".repeat(301), customer }, 400);
  });
});

test("small bulk jobs are processed strictly after earlier queued bulk requests", async () => {
  for (const n of [1, 2, 3]) await api.post(bulk, { source_ids: ["queued"], metadata: { last: n } }, 202);
  await runDue();
  expect((await api.get("/v1/products/queued", 200)).body.metadata).toEqual({ last: 3 });
});

describe.each(["vouchers", "campaigns"])("the page size of the listing of %s", (what) => {
  test("is 1 to 100", async () => {
    for (const limit of [1, 100]) await api.get(`/v1/${what}?limit=${limit}`, 200);
    for (const limit of [0, 101]) await api.get(`/v1/${what}?limit=${limit}`, 400);
  });
});

test("usage notifications have a threshold per counter; a project without limits of its own shows none", async () => {
  const usage = { value: 50, emails: ["ops@example.com"], in_app: false, enabled: true };
  const path = `/management/v1/projects/${project.id}`;
  const counters = ["messages", "api_calls", "cycle_calls", "webhook_calls", "bulk_api_calls"];
  const changed = Object.fromEntries(counters.map((counter) => [counter, usage]));
  await management.put(path, { api_usage_notifications: changed }, 200);
  const { body } = await management.get(path, 200);
  expect(body.api_usage_notifications).toMatchObject({ ...changed, redemptions: { value: expect.any(Number) } });
  expect(body).not.toHaveProperty("limits");
});
