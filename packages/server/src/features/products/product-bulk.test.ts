import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { type Answer, createClient } from "../../../test/harness/client.js";
import { chunk, head, last_chunk, sendRaw } from "../../../test/harness/raw-http.js";
import { startService } from "../../../test/harness/service.js";
import { openCsv } from "../../platform/csv/read.js";
import { bulkOn } from "../async-actions/async-action.fixtures.js";

const service = await startService();
const { api, url, project, clock, runDue, anotherProject } = service;
const anybody = createClient(url);

const { finished, reportOf } = bulkOn(service);

const metadataOf = async (source_id: string) => (await api.get(`/v1/products/${source_id}`, 200)).body.metadata;

describe("updating the metadata of many products", () => {
  test("merges into what is there, makes what is missing, and reports both", async () => {
    await api.post("/v1/products", { source_id: "K1", metadata: { a: 1, b: { x: 1 } } }, 200);
    const started = await api.post(
      "/v1/products/metadata/async",
      { source_ids: ["K1", 'new "one", quoted'], metadata: { b: { y: 1 }, tier: "b", none: null } },
      202,
    );
    expect(started.body).toEqual({ async_action_id: expect.stringMatching(/^aa_/) });
    const waiting = (await api.get(`/v1/async-actions/${started.body.async_action_id}`, 200)).body;
    expect(waiting).toMatchObject({ type: "PRODUCTS.METADATA_UPDATE", status: "ENQUEUED" });
    const action = await finished(project, started);
    expect(action).toMatchObject({
      status: "DONE",
      operation_status: "SUCCESS",
      progress: 100,
      result: {
        done_count: 2,
        failed_count: 0,
        errors: [],
        reports: [expect.stringMatching(`^${url}/`)],
        reports_available_till: "2026-04-01T10:00:00.000Z",
      },
    });
    expect(await metadataOf("K1")).toEqual({ a: 1, b: { y: 1 }, tier: "b", none: null });
    expect(await metadataOf(encodeURIComponent('new "one", quoted'))).toEqual({ b: { y: 1 }, tier: "b", none: null });
    expect(await reportOf(action)).toEqual([
      "source_id,found,updated,errors",
      "K1,true,true,",
      '"new ""one"", quoted",false,true,',
      "",
    ]);
  });

  test("twice ends in the order of the requests", async () => {
    const starts: Answer[] = [];
    for (const n of [1, 2, 3]) {
      starts.push(
        await api.post("/v1/products/metadata/async", { source_ids: ["ordered"], metadata: { last: n, [n]: n } }, 202),
      );
    }
    for (const start of starts) expect((await finished(project, start)).status).toBe("DONE");
    expect(await metadataOf("ordered")).toEqual({ last: 3, 1: 1, 2: 2, 3: 3 });
  });

  test("takes a product that is named twice two times", async () => {
    const sent = { source_ids: ["double", "double"], metadata: { a: 1 } };
    const action = await finished(project, await api.post("/v1/products/metadata/async", sent, 202));
    expect(action.result).toMatchObject({ done_count: 2, failed_count: 0 });
    expect((await reportOf(action)).slice(1, 3)).toEqual(["double,false,true,", "double,true,true,"]);
    expect((await api.get("/v1/products?limit=100", 200)).body.products.filter(sourced("double"))).toHaveLength(1);
  });

  test("fails for a source id in the bin, and only for that", async () => {
    await api.post("/v1/products", { source_id: "in-bin" }, 200);
    await api.delete("/v1/products/in-bin", 204);
    const sent = { source_ids: ["in-bin", "beside"], metadata: { a: 1 } };
    const action = await finished(project, await api.post("/v1/products/metadata/async", sent, 202));
    const details = "Duplicated product exists with source_id in-bin";
    expect(action).toMatchObject({ status: "DONE", operation_status: "SUCCESS" });
    expect(action.result).toMatchObject({ done_count: 1, failed_count: 1 });
    expect(action.result.errors).toEqual([{ key: "duplicate_found", message: "Duplicated resource found", details }]);
    expect(await reportOf(action)).toContain(`in-bin,false,false,${details}`);
    const alone = await api.post("/v1/products/metadata/async", { ...sent, source_ids: ["in-bin"] }, 202);
    expect(await finished(project, alone)).toMatchObject({ status: "DONE", operation_status: "FAILED" });
  });

  test("of nothing is done at once, with an empty report", async () => {
    const start = await api.post("/v1/products/metadata/async", { source_ids: [], metadata: { a: 1 } }, 202);
    const action = await finished(project, start);
    expect(action).toMatchObject({ status: "DONE", operation_status: "SUCCESS" });
    expect(action.result).toMatchObject({ done_count: 0, failed_count: 0, errors: [] });
    expect(await reportOf(action)).toEqual(["source_id,found,updated,errors", ""]);
  });

  test("finds Shipping, which every project owns", async () => {
    const other = await anotherProject();
    const sent = { source_ids: ["5h1pp1ng"], metadata: { free: true } };
    const action = await finished(other, await other.api.post("/v1/products/metadata/async", sent, 202));
    expect((await reportOf(action))[1]).toBe("5h1pp1ng,true,true,");
    expect((await other.api.get("/v1/products/prod_5h1pp1ng", 200)).body).toMatchObject({
      name: "Shipping",
      metadata: { free: true },
    });
  });

  test("takes thousands in slices and keeps their order in the report", async () => {
    const other = await anotherProject();
    const source_ids = Array.from({ length: 4_321 }, (_, i) => `many-${i}`);
    const start = await other.api.post("/v1/products/metadata/async", { source_ids, metadata: { a: 1 } }, 202);
    const action = await finished(other, start);
    expect(action.result).toMatchObject({ done_count: 4_321, failed_count: 0 });
    expect((await reportOf(action)).slice(1, -1)).toEqual(source_ids.map((id) => `${id},false,true,`));
    expect((await other.api.get("/v1/products?limit=1", 200)).body.total).toBe(4_321);
  });

  test("while one of them is changed by hand loses neither change", async () => {
    await api.post("/v1/products", { source_id: "both" }, 200);
    await api.post("/v1/products/metadata/async", { source_ids: ["both"], metadata: { bulk: 1 } }, 202);
    const by_hand = [1, 2, 3, 4].map((n) => api.put("/v1/products/both", { metadata: { [`hand${n}`]: n } }, 200));
    await Promise.all([runDue(), ...by_hand]);
    expect(await metadataOf("both")).toEqual({ bulk: 1, hand1: 1, hand2: 2, hand3: 3, hand4: 4 });
  });

  test("reaches no product of another project", async () => {
    const other = await anotherProject();
    await other.api.post("/v1/products", { source_id: "apart", metadata: { own: 1 } }, 200);
    const start = await api.post("/v1/products/metadata/async", { source_ids: ["apart"], metadata: { a: 1 } }, 202);
    await finished(project, start);
    expect((await other.api.get("/v1/products/apart", 200)).body.metadata).toEqual({ own: 1 });
  });
});

const sourced = (source_id: string) => (product: { source_id: string }) => product.source_id === source_id;

describe("updating many products", () => {
  test("gives each its own change", async () => {
    await api.post("/v1/products", { source_id: "b1", name: "One", price: 1, metadata: { a: 1 } }, 200);
    const sent = [
      { source_id: "b1", price: null, metadata: { b: 2 } },
      { source_id: "b2", name: "Two", attributes: ["x"], image_url: "https://shop.test/2.png" },
      { source_id: "b2", price: 22 },
    ];
    const action = await finished(project, await api.post("/v1/products/bulk/async", sent, 202));
    expect(action).toMatchObject({ type: "PRODUCTS.BULK_UPDATE", result: { done_count: 3, failed_count: 0 } });
    expect((await api.get("/v1/products/b1", 200)).body).toMatchObject({
      name: "One",
      price: null,
      metadata: { a: 1, b: 2 },
    });
    expect((await api.get("/v1/products/b2", 200)).body).toMatchObject({ name: "Two", price: 22, attributes: ["x"] });
    expect((await reportOf(action)).slice(1, 4)).toEqual(["b1,true,true,", "b2,false,true,", "b2,true,true,"]);
  });

  test("names in each error the product it is about", async () => {
    await api.post("/v1/products", { source_id: "bulk-bin" }, 200);
    await api.delete("/v1/products/bulk-bin", 204);
    const action = await finished(project, await api.post("/v1/products/bulk/async", [{ source_id: "bulk-bin" }], 202));
    expect(action.result.errors).toMatchObject([{ key: "duplicate_found", source_id: "bulk-bin" }]);
  });
});

describe("the report of a bulk request", () => {
  test("is for whoever has its url, and for nobody else", async () => {
    const sent = { source_ids: ["reported"], metadata: {} };
    const action = await finished(project, await api.post("/v1/products/metadata/async", sent, 202));
    const other = await finished(project, await api.post("/v1/products/metadata/async", sent, 202));
    const path = action.result.reports[0].slice(url.length);
    const answer = await anybody.send("GET", path, { headers: { accept: "text/csv" }, status: 200 });
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const token = new URL(action.result.reports[0]).searchParams.get("token");
    const unauthorized = { code: 401, key: "unauthorized", message: "Unauthorized" };
    for (const wrong of [
      `/v1/async-actions/${action.id}/report`,
      `/v1/async-actions/${action.id}/report?token=`,
      `/v1/async-actions/${action.id}/report?token=x${token}`,
      `/v1/async-actions/${other.id}/report?token=${token}`,
    ]) {
      expect((await anybody.get(wrong, 401)).body).toEqual(unauthorized);
    }
  });

  test("holds no text that a spreadsheet would run, unless a machine asks for the texts as they were sent", async () => {
    const texts = ['=HYPERLINK("http://evil.example","Ann")', "+1", "-1+1", "@SUM(A1)", "\tx", "\rx", "a=1"];
    const products = texts.map((source_id) => ({ source_id, name: "Mug" }));
    const action = await finished(project, await api.post("/v1/products/bulk/async", products, 202));
    const path = action.result.reports[0].slice(url.length);
    const idsIn = async (query: string) => {
      const { body } = await anybody.get(`${path}${query}`, 200);
      const ids: unknown[] = [];
      const { columns, rows } = await openCsv(Readable.from([Buffer.from(body)]));
      const place = columns.indexOf("source_id");
      for await (const row of rows) ids.push("cells" in row && row.cells[place]);
      return ids;
    };
    expect(await idsIn("")).toEqual(texts.map((text) => (text === "a=1" ? text : `'${text}`)));
    expect(await idsIn("&formulas=keep")).toEqual(texts);
    await anybody.get(`${path}&formulas=drop`, 400);
  });

  test("is kept for 30 days", async () => {
    const sent = { source_ids: ["kept"], metadata: {} };
    const action = await finished(project, await api.post("/v1/products/metadata/async", sent, 202));
    const path = action.result.reports[0].slice(url.length);
    clock.advance({ days: 30 });
    await anybody.get(path, 200);
    clock.advance({ ms: 1 });
    await anybody.get(path, 404);
  });
});

describe("a body of 10 MB", () => {
  const bytes_max = 10_485_760;
  const body = (bytes: number) => {
    const frame = Buffer.from('{"source_ids":[],"metadata":{},"unread":""}');
    const fill = Buffer.alloc(bytes - frame.length, "x");
    return Buffer.concat([frame.subarray(0, -2), fill, frame.subarray(-2)]);
  };
  const headers = { "x-app-id": project.app_id, "x-app-token": project.app_token, "content-type": "application/json" };
  const too_large = {
    statusCode: 413,
    error: "Request Entity Too Large",
    message: "Payload content length greater than maximum allowed: 10485760",
  };
  const path = "/v1/products/metadata/async";

  test.each([
    [bytes_max, 202],
    [bytes_max + 1, 413],
  ])("of %i bytes, its length told, is answered %i", async (bytes, status) => {
    const answer = await api.send("POST", path, { raw: body(bytes), status });
    if (status === 413) expect(answer.body).toEqual(too_large);
  });

  test.each([
    [bytes_max, 202],
    [bytes_max + 1, 413],
  ])("of %i bytes in pieces is answered %i", async (bytes, status) => {
    const pieces = Readable.from(body(bytes), { objectMode: false, highWaterMark: 65_536 });
    const chunked: (string | Uint8Array)[] = [head("POST", path, { ...headers, "transfer-encoding": "chunked" })];
    for await (const piece of pieces) chunked.push(...chunk(piece));
    const answer = await sendRaw(url, [...chunked, last_chunk]);
    expect(answer.status).toBe(status);
    if (status === 413) expect(JSON.parse(answer.text)).toEqual(too_large);
  });

  test("may name 700,000 products", { timeout: 120_000 }, async () => {
    const other = await anotherProject();
    const source_ids = Array.from({ length: 700_000 }, (_, i) => i.toString(36));
    const raw = JSON.stringify({ source_ids, metadata: { a: 1 } });
    expect(raw.length).toBeLessThan(bytes_max);
    await other.api.send("POST", path, { raw, status: 202 });
  });
});
