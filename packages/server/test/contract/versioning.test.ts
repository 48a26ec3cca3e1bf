import { describe, expect, test } from "vitest";
import { request_id } from "../harness/exact-bodies.js";
import { startService } from "../harness/service.js";

const { api, management, project } = await startService();
const projects = "/management/v1/projects";

describe("a project", () => {
  test("has API version v2018-08-01 and webhook version v2024-01-01", async () => {
    const { body } = await management.get(`${projects}/${project.id}`, 200);
    expect(body).toMatchObject({ api_version: "v2018-08-01", webhook_version: "v2024-01-01" });
  });

  test.each(["v2017-04-05", "v2017-04-20", "v2030-01-01", ""])("has no other API version: not %j", async (version) => {
    await management.post(projects, { name: "Older", api_version: version }, 400);
  });

  test("does not take the earlier webhook version", async () => {
    await management.post(projects, { name: "Older", webhook_version: "v20231205" }, 400);
  });

  test("keeps its API version through every change", async () => {
    await management.put(`${projects}/${project.id}`, { description: "Changed", api_version: "v2030-01-01" }, 200);
    const { body } = await management.get(`${projects}/${project.id}`, 200);
    expect(body).toMatchObject({ description: "Changed", api_version: "v2018-08-01" });
  });

  test("of another cluster's region is refused", async () => {
    const { body } = await management.post(projects, { name: "Elsewhere", cluster_id: "us1" }, 403);
    expect(body).toEqual({
      code: 403,
      key: "forbidden",
      message: "Forbidden",
      details: "Project is bound to different region",
      request_id,
    });
  });
});

describe("a request", () => {
  test.each(["v2018-08-01", "v2017-04-05", "v2030-01-01", "nonsense", ""])(
    "that names version %j is answered as by v2018-08-01",
    async (version) => {
      const headers = { "x-voucherify-api-version": version };
      const { body } = await api.send("GET", "/v1/vouchers", { headers, status: 200 });
      expect(body).toMatchObject({ object: "list", data_ref: "vouchers", vouchers: [], total: 0 });
    },
  );

  test("may have fields, parameters and headers that nobody knows: they are ignored", async () => {
    const raw = JSON.stringify({ source_id: "ann", name: "Ann", unheard_of: { deep: [1] } });
    const headers = { "x-unheard-of": "1" };
    const { body } = await api.send("POST", "/v1/customers?unheard_of=1", { raw, headers, status: 200 });
    expect(body).toMatchObject({ source_id: "ann", name: "Ann" });
    expect(body).not.toHaveProperty("unheard_of");
  });
});

describe("v2017-04-05", () => {
  test("listings return an object with a total count; limit and page are validated", async () => {
    expect((await api.get("/v1/campaigns", 200)).body).toMatchObject({ total: 0, campaigns: [] });
    for (const query of ["limit=0", "limit=101", "page=0", "page=x"]) await api.get(`/v1/vouchers?${query}`, 400);
  });

  test("a campaign can be read by name", async () => {
    const voucher = { discount: { type: "AMOUNT", amount_off: 1 } };
    const { body } = await api.post("/v1/campaigns", { name: "Spring sale", voucher }, 200);
    expect((await api.get("/v1/campaigns/Spring%20sale", 200)).body.id).toBe(body.id);
  });
});
