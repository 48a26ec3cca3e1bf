import { expect, test } from "vitest";
import { startService } from "../harness/service.js";

const { api } = await startService();
const { id: customer_id } = (await api.post("/v1/customers", { source_id: "ann", name: "Ann" }, 200)).body;
const date_time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const shape = { id: expect.stringMatching(/^seg_/), created_at: date_time, updated_at: null, object: "segment" };

const listed = { name: "Listed", type: "static", customers: [customer_id] };
const filter = { junction: "and", name: { conditions: { $is: ["Ann"] } } };
const { body: fixed } = await api.post("/v1/segments", listed, 200);
const { body: moving } = await api.post("/v1/segments", { name: "Moving", type: "auto-update", filter }, 200);

test("POST /v1/segments answers the segment: static ones without a filter, the others with theirs", () => {
  expect(fixed).toEqual({ ...shape, name: "Listed", type: "static", filter: null });
  expect(moving).toEqual({ ...shape, name: "Moving", type: "auto-update", filter });
});

test("GET /v1/segments/{segmentId} answers the same, without members", async () => {
  expect((await api.get(`/v1/segments/${fixed.id}`, 200)).body).toEqual(fixed);
});

test("GET /v1/segments answers a list under data; a page is 1 to 100", async () => {
  const { body } = await api.get("/v1/segments?order=-created_at", 200);
  expect(body).toEqual({ object: "list", data_ref: "data", data: [moving, fixed], total: 2 });
  for (const limit of [1, 100]) await api.get(`/v1/segments?limit=${limit}`, 200);
  for (const limit of [0, 101]) await api.get(`/v1/segments?limit=${limit}`, 400);
});

test("GET /v1/customers/{customerId}/segments answers the names of the segments", async () => {
  const { body } = await api.get(`/v1/customers/${customer_id}/segments`, 200);
  const data = [fixed, moving].map(({ id, name }) => ({ id, name, object: "segment" }));
  expect(body).toEqual({ object: "list", data_ref: "data", data, total: 2 });
});

test("DELETE /v1/segments/{segmentId} answers 204, and 404 from then on", async () => {
  const { id } = (await api.post("/v1/segments", { name: "Short", type: "static" }, 200)).body;
  await api.delete(`/v1/segments/${id}`, 204);
  const { body } = await api.delete(`/v1/segments/${id}`, 404);
  expect(body).toMatchObject({ code: 404, key: "not_found", resource_type: "segment", resource_id: id });
});
