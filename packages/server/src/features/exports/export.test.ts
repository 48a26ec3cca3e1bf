import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { someoneIn } from "../people/people.fixtures.js";
import { exportsOn } from "./export.fixtures.js";

const service = await startService();
const { api, clock, project, url, anotherProject, management } = service;
const { anybody, ask, column, linesOf, load, written } = exportsOn(service, project);

const off = (amount_off: number) => ({ type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off } });
for (const code of ["A", "B", "C"]) {
  clock.advance({ minutes: 1 });
  await api.post(`/v1/vouchers/${code}`, off(1050), 200);
}

describe("an export", () => {
  test("is scheduled at once, written after the answer, and loaded by whoever has its url", async () => {
    const started = await ask("voucher", { fields: ["id", "code", "voucher_type", "value"], order: "created_at" });
    expect(started.body).toMatchObject({
      id: expect.stringMatching(/^exp_/),
      object: "export",
      status: "SCHEDULED",
      channel: "API",
      exported_object: "voucher",
      parameters: { fields: ["id", "code", "voucher_type", "value"], order: "created_at" },
      result: null,
      user_id: null,
    });
    const { body: waiting } = await api.get(`/v1/exports/${started.body.id}`, 200);
    expect(waiting).toEqual(started.body);
    const done = await written(started);
    expect(done).toMatchObject({ status: "DONE", result: { url: expect.stringContaining(`/${done.id}?token=`) } });
    const loaded = await load(done);
    expect(loaded.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(loaded.headers.get("content-disposition")).toBe(`attachment; filename="${done.id}.csv"`);
    const [titles, ...rows] = loaded.body.split("\n").slice(0, -1);
    expect(titles).toBe("ID,Code,Voucher Type,Value");
    expect(rows.map((row: string) => row.replace(/^v_\w+/, "id"))).toEqual([
      "id,A,DISCOUNT_VOUCHER,10.50",
      "id,B,DISCOUNT_VOUCHER,10.50",
      "id,C,DISCOUNT_VOUCHER,10.50",
    ]);
  });

  test("that somebody asks for who is signed in says who", async () => {
    const { browser, user } = await someoneIn(service, project.id, "VIEWER");
    const { body } = await browser.post("/v1/exports", { exported_object: "voucher" }, 200);
    expect(body).toMatchObject({ channel: "USER_PORTAL", user_id: user.id });
    expect((await api.get(`/v1/exports/${body.id}`, 200)).body.user_id).toBe(user.id);
    await api.delete(`/v1/exports/${body.id}`, 204);
  });

  test("asked for nothing has the object's own fields, newest first", async () => {
    const { body } = await api.post("/v1/exports", { exported_object: "voucher" }, 200);
    expect(body.parameters).toEqual({ order: "-created_at" });
    expect(await linesOf({ body } as never)).toEqual([
      "Code,Voucher Type,Value,Discount Type",
      "C,DISCOUNT_VOUCHER,10.50,AMOUNT",
      "B,DISCOUNT_VOUCHER,10.50,AMOUNT",
      "A,DISCOUNT_VOUCHER,10.50,AMOUNT",
    ]);
  });

  test("of nothing has its titles alone", async () => {
    const nothing = { filters: { code: { conditions: { $is: "none" } } } };
    expect(await linesOf(await ask("voucher", { fields: ["code"], ...nothing }))).toEqual(["Code"]);
  });

  test("that a client names with an Idempotency-Key is made once", async () => {
    const send = () =>
      api.send("POST", "/v1/exports", {
        raw: JSON.stringify({ exported_object: "order" }),
        headers: { "content-type": "application/json", "idempotency-key": "nightly" },
      });
    const [first, second] = [await send(), await send()];
    expect(second.body.id).toBe(first.body.id);
  });

  test("is no asynchronous action that anybody sees", async () => {
    await written(await ask("voucher"));
    expect((await api.get("/v1/async-actions", 200)).body.async_actions).toEqual([]);
  });

  test("is gone with its file when it is deleted, also before it is written", async () => {
    const done = await written(await ask("voucher"));
    await api.delete(`/v1/exports/${done.id}`, 204);
    await anybody.get(done.result.url.slice(url.length), 401);
    const { body } = await api.get(`/v1/exports/${done.id}`, 404);
    expect(body).toMatchObject({ resource_type: "export", details: `Cannot find export with id ${done.id}` });
    await api.delete(`/v1/exports/${done.id}`, 404);
    const waiting = await ask("voucher");
    await api.delete(`/v1/exports/${waiting.body.id}`, 204);
    await service.runDue();
    await api.get(`/v1/exports/${waiting.body.id}`, 404);
  });

  test("expires with its file after thirty days", async () => {
    const other = await anotherProject();
    const { written, ask } = exportsOn(service, other);
    const done = await written(await ask("voucher"));
    const file = done.result.url.slice(url.length);
    clock.advance({ days: 29 });
    await service.runDue();
    await anybody.get(file, 200);
    clock.advance({ days: 1, minutes: 1 });
    await anybody.get(file, 401);
    await other.api.get(`/v1/exports/${done.id}`, 404);
    expect((await other.api.get("/v1/exports", 200)).body).toMatchObject({ exports: [], total: 0 });
    await service.runDue();
    const { sql } = await import("../../platform/db/sql.js");
    const left = await service.context.db.many(
      sql`select from export_parts where export_parts.project_id = ${other.id}`,
    );
    expect(left).toEqual([]);
  });
});

describe("the file of an export", () => {
  const refused = { code: 401, message: "Unauthorized", key: "unauthorized" };

  test("is for the token of that export alone", async () => {
    const [one, other] = [await written(await ask("voucher")), await written(await ask("voucher"))];
    const token = new URL(other.result.url).searchParams.get("token");
    for (const query of ["", "?token=", "?token=x", `?token=${token}`, `?token=${token}x`]) {
      const { body } = await anybody.get(`/v1/exports/${one.id}${query}`, 401);
      expect(body).toMatchObject(refused);
    }
    expect((await api.get(`/v1/exports/${one.id}?token=${token}`, 401)).body).toMatchObject(refused);
  });

  test("needs no key beside its token; a wrong one is refused", async () => {
    const { result } = await written(await ask("voucher"));
    const file = result.url.slice(url.length);
    await anybody.get(file, 200);
    await api.get(file, 200);
    const wrong = { headers: { "x-app-id": project.app_id, "x-app-token": "wrong" } };
    expect((await anybody.send("GET", file, wrong)).body).toMatchObject(refused);
  });

  test("is not there before it is written", async () => {
    const { body } = await ask("voucher");
    const token = service.context.seal.token("exports", `${project.id} ${body.id}`);
    await anybody.get(`/v1/exports/${body.id}?token=${token}`, 401);
    await service.runDue();
    await anybody.get(`/v1/exports/${body.id}?token=${token}`, 200);
  });
});

describe("what an export cannot have is refused by its name:", () => {
  test("an object", async () => {
    const { body } = await ask("segment", {}, 400);
    expect(body).toMatchObject({
      key: "invalid_payload",
      details: expect.stringMatching(
        /^Property \.exported_object should be equal to one of the allowed values \[.*voucher.*\]$/,
      ),
    });
  });

  test("a field, with those that there are", async () => {
    const { body } = await ask("order", { fields: ["id", "colour"] }, 400);
    expect(body).toMatchObject({
      code: 400,
      key: "invalid_export_fields",
      message: "Invalid Export",
      details:
        "Unsupported field used. Allowed fields: id, source_id, created_at, updated_at, status, amount, discount_amount, items_discount_amount, total_discount_amount, total_amount, customer_id, referrer_id, metadata",
    });
    await ask("voucher", { fields: ["toString"] }, 400);
    await ask("voucher", { fields: ["metadata."] }, 400);
  });

  test.each([
    [
      { order: "type" },
      "Property .parameters.order should be equal to one of the allowed values [created_at, -created_at, updated_at, -updated_at, code, -code]",
    ],
    [{ filters: { colour: { conditions: { $is: "red" } } } }, "Property .parameters.filters.colour is not supported"],
    [
      { filters: { redemption_status: { conditions: { $is: "x" } } } },
      "Property .parameters.filters.redemption_status is not supported",
    ],
    [
      { filters: { code: { conditions: { $like: "x" } } } },
      /^Property \.parameters\.filters should match either \$in, /,
    ],
    [{ filters: { junction: "xor" } }, "Property .filter has wrong `junction` property. It must be one of: and, or"],
    [
      { filters: { created_at: { conditions: { $after: "soon" } } } },
      "Property .parameters.filters.created_at.conditions.$after cannot be recognized as a ISO-8601 compliant date",
    ],
    [{ filters: { code: "x" } }, "Property .parameters.filters.code must be object"],
    [
      { filters: { code: { conditions: { $is: null } } } },
      "Property .parameters.filters.code.conditions.$is must be string or array of strings",
    ],
    [{ fields: Array(201).fill("id") }, "Property .parameters.fields must NOT have more than 200 items"],
  ])("%j", async (parameters, details) => {
    const { body } = await ask("voucher", parameters, 400);
    expect(body.key).toBe("invalid_payload");
    if (typeof details === "string") expect(body.details).toBe(details);
    else expect(body.details).toMatch(details);
  });

  test("a twenty-first at once, until one is written or deleted", async () => {
    const other = await anotherProject();
    const { ask } = exportsOn(service, other);
    for (let i = 0; i < 20; i += 1) await ask("voucher");
    expect((await ask("voucher", {}, 400)).body).toMatchObject({
      key: "exports_limit_exceeded",
      details: "20 exports are under way",
    });
    await service.runDue();
    await ask("voucher");
  });
});

describe("texts that a spreadsheet would take for formulas", () => {
  test("stand as they are, unless the project wants an apostrophe before them; numbers are left alone", async () => {
    const other = await anotherProject();
    const { ask, linesOf } = exportsOn(service, other);
    await other.api.post("/v1/orders", { source_id: "=HYPERLINK(1)", amount: 5 }, 200);
    const wanted = { fields: ["source_id", "amount"] };
    expect(await linesOf(await ask("order", wanted))).toEqual(["Source ID,Amount", "=HYPERLINK(1),0.05"]);
    const set = { neutralise_export_formulas: true };
    const { body } = await management.put(`/management/v1/projects/${other.id}`, set, 200);
    expect(body).toMatchObject(set);
    expect(await linesOf(await ask("order", wanted))).toEqual(["Source ID,Amount", "'=HYPERLINK(1),0.05"]);
  });
});

describe("metadata", () => {
  test("has a column a key, those of the schema or one of them, each headed with the bare key", async () => {
    const other = await anotherProject();
    const { ask, linesOf } = exportsOn(service, other);
    await other.api.post("/v1/orders", { metadata: { shop: "North", tags: ["a", "b"], more: { x: 1 } } }, 200);
    // Nobody has said which keys there are: one column has them all.
    expect((await linesOf(await ask("order", { fields: ["status", "metadata"] })))[1]).toBe(
      `CREATED,"{""more"":{""x"":1},""shop"":""North"",""tags"":[""a"",""b""]}"`,
    );
    const definition = { type: "string", optional: true, array: false };
    const schema = { related_object: "order", properties: { shop: definition, none: definition } };
    await management.post(`/management/v1/projects/${other.id}/metadata-schemas`, schema, 200);
    expect(await linesOf(await ask("order", { fields: ["metadata", "status"] }))).toEqual([
      "shop,none,Status",
      "North,,CREATED",
    ]);
    expect(await linesOf(await ask("order", { fields: ["metadata.tags", "metadata.more"] }))).toEqual([
      "tags,more",
      `"a,b","{""x"":1}"`,
    ]);
  });
});

describe("rows of an export", () => {
  test("are those that its filters let through, joined as they say", async () => {
    const byCode = (conditions: Record<string, unknown>) =>
      column("voucher", "code", { filters: { code: { conditions } } });
    expect(await byCode({ $in: ["A", "C"] })).toEqual(["C", "A"]);
    expect(await byCode({ $is_not: "A" })).toEqual(["C", "B"]);
    const either = (junction: string) => ({
      junction,
      code: { conditions: { $is: "A" } },
      type: { conditions: { $is: "DISCOUNT_VOUCHER" } },
    });
    expect(await column("voucher", "code", { filters: either("OR") })).toEqual(["C", "B", "A"]);
    expect(await column("voucher", "code", { filters: either("And") })).toEqual(["A"]);
    const { body } = await api.get("/v1/vouchers/B", 200);
    const since = (operator: string) =>
      column("voucher", "code", { filters: { created_at: { conditions: { [operator]: [body.created_at] } } } });
    expect(await since("$after")).toEqual(["C"]);
    expect(await since("$before")).toEqual(["A"]);
  });

  test("are not those of another project", async () => {
    const other = await anotherProject();
    const mine = exportsOn(service, other);
    expect(await mine.column("voucher", "code")).toEqual([]);
    const theirs = await written(await ask("voucher"));
    await other.api.get(`/v1/exports/${theirs.id}`, 404);
    await other.api.delete(`/v1/exports/${theirs.id}`, 404);
    const token = service.context.seal.token("exports", `${other.id} ${theirs.id}`);
    await anybody.get(`/v1/exports/${theirs.id}?token=${token}`, 401);
  });
});
