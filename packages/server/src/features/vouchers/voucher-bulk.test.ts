import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { bulkOn } from "../async-actions/async-action.fixtures.js";

const service = await startService();
const { api, context, project, runDue, anotherProject } = service;
const { finished, reportOf } = bulkOn(service);

const discount = { type: "AMOUNT", amount_off: 100 };
const aVoucher = (code: string, metadata: object = {}, of = api) =>
  of.post(`/v1/vouchers/${encodeURIComponent(code)}`, { discount, metadata }, 200);
const metadataOf = async (code: string) => (await api.get(`/v1/vouchers/${code}`, 200)).body.metadata;

describe("updating the metadata of many vouchers", () => {
  test("merges into what is there, and reports what is not", async () => {
    await aVoucher("K1", { a: 1 });
    await aVoucher("K2");
    const sent = { codes: ["K1", "K2", "NOPE"], metadata: { tier: "b" } };
    const action = await finished(project, await api.post("/v1/vouchers/metadata/async", sent, 202));
    expect(action).toMatchObject({
      type: "VOUCHERS.METADATA_UPDATE",
      status: "DONE",
      operation_status: "SUCCESS",
      result: { done_count: 2, failed_count: 1 },
    });
    const error = { key: "not_found", message: "Resource not found", details: "Cannot find voucher with id NOPE" };
    expect(action.result.errors).toEqual([error]);
    expect(await metadataOf("K1")).toEqual({ a: 1, tier: "b" });
    expect(await reportOf(action)).toEqual([
      "code,found,updated,errors",
      "K1,true,true,",
      "K2,true,true,",
      "NOPE,false,false,Cannot find voucher with id NOPE",
      "",
    ]);
    await api.get("/v1/vouchers/NOPE", 404);
  });

  test("takes a voucher that is named twice two times, and tells nobody", async () => {
    const { id } = (await aVoucher("TWICE")).body;
    const sent = [
      { code: "TWICE", metadata: { a: 1, b: 1 } },
      { code: "TWICE", metadata: { b: 2 } },
    ];
    const action = await finished(project, await api.post("/v1/vouchers/bulk/async", sent, 202));
    expect(action).toMatchObject({ type: "VOUCHERS.BULK_UPDATE", result: { done_count: 2, failed_count: 0 } });
    expect(await metadataOf("TWICE")).toEqual({ a: 1, b: 2 });
    const told = await context.db.many<{ type: string }>(sql`
      select events.type from events where events.project_id = ${project.id} and events.entity_id = ${id}`);
    expect(told).toEqual([{ type: "voucher.created" }]);
  });

  test("gives each its own, and leaves alone what would grow too large, by its code", async () => {
    await aVoucher("LARGE", { long: "x".repeat(60_000) });
    await aVoucher("SMALL");
    const sent = [
      { code: "LARGE", metadata: { more: "y".repeat(6_000) } },
      { code: "SMALL", metadata: { more: "y" } },
    ];
    const action = await finished(project, await api.post("/v1/vouchers/bulk/async", sent, 202));
    expect(action.result).toMatchObject({ done_count: 1, failed_count: 1 });
    expect(action.result.errors).toMatchObject([{ key: "invalid_payload", code: "LARGE" }]);
    expect((await metadataOf("LARGE")).more).toBeUndefined();
    expect((await reportOf(action))[1]).toContain("LARGE,true,false,Property .metadata");
  });

  test("finds codes as the project compares them, and none in the bin or of another project", async () => {
    const other = await anotherProject({ case_sensitive_codes: false });
    await aVoucher("Folded", {}, other.api);
    await aVoucher("BINNED", {}, other.api);
    await other.api.delete("/v1/vouchers/BINNED", 204);
    await aVoucher("THEIRS");
    const sent = { codes: ["fOLDED", "BINNED", "THEIRS"], metadata: { a: 1 } };
    const action = await finished(other, await other.api.post("/v1/vouchers/metadata/async", sent, 202));
    expect((await reportOf(action)).slice(1, 4).map((row) => row.split(",", 3).join())).toEqual([
      "fOLDED,true,true",
      "BINNED,false,false",
      "THEIRS,false,false",
    ]);
    expect(await metadataOf("THEIRS")).toEqual({});
  });

  test("takes thousands in order, and loses no change that is made by hand meanwhile", async () => {
    const other = await anotherProject();
    await aVoucher("BY-HAND", {}, other.api);
    const codes = Array.from({ length: 1_001 }, (_, i) => (i === 500 ? "BY-HAND" : `MANY-${i}`));
    const start = await other.api.post("/v1/vouchers/metadata/async", { codes, metadata: { bulk: 1 } }, 202);
    const by_hand = [1, 2, 3].map((n) => other.api.put("/v1/vouchers/BY-HAND", { metadata: { [`hand${n}`]: n } }, 200));
    await Promise.all([runDue(), ...by_hand]);
    const action = await finished(other, start);
    expect(action.result).toMatchObject({ done_count: 1, failed_count: 1_000 });
    expect((await reportOf(action)).slice(1, -1).map((row) => row.split(",")[0])).toEqual(codes);
    expect((await other.api.get("/v1/vouchers/BY-HAND", 200)).body.metadata).toEqual({
      bulk: 1,
      hand1: 1,
      hand2: 2,
      hand3: 3,
    });
  });

  test.each<[string, unknown, string]>([
    ["metadata", { codes: ["a"] }, "Payload must have required property 'metadata'"],
    ["metadata", { metadata: {} }, "Payload must have required property 'codes'"],
    ["metadata", { codes: "a", metadata: {} }, "Property .codes must be array"],
    ["metadata", { codes: [""], metadata: {} }, "Property .codes[0] must NOT have fewer than 1 characters"],
    ["metadata", { codes: ["a"], metadata: [] }, "Property .metadata must be object"],
    ["bulk", {}, "Payload must be array"],
    ["bulk", [{ code: "a" }], "Property [0] should have required property 'metadata'"],
    ["bulk", [{ code: "a", metadata: null }], "Property [0].metadata must be object"],
  ])("%s %j is refused as a whole", async (noun, sent, details) => {
    const { body } = await api.post(`/v1/vouchers/${noun}/async`, sent, 400);
    expect(body.key).toBe("invalid_payload");
    expect(body.details).toContain(details);
  });
});
