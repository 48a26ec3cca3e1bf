import { describe, expect, test } from "vitest";
import { editSettings } from "../../../test/harness/edits.js";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { hashOfSecret, newCredentialId } from "../../platform/secrets.js";
import { aToken, bearing, missing_permission, postForm, unauthorized } from "./oauth.fixtures.js";

const { api, clock, context, management, project, anotherProject, url, runDue } = await startService();
const { db } = context;
const keys = { "x-app-id": project.app_id, "x-app-token": project.app_token };
const token = await aToken(api);
const narrow = await aToken(api, "vouchers");

const changeKeys = (project_id: string, statement: ReturnType<typeof sql>) =>
  editSettings(context, project_id, statement);

const storedTokens = async (project_id: string) =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count from oauth_tokens where oauth_tokens.project_id = ${project_id}`,
    )
  ).count;

describe("a bearer token", () => {
  test("stands for the key that minted it: same project, and that key in the events", async () => {
    const other = await anotherProject();
    const caller = bearing(url, await aToken(other.api, "customers"));
    const { body } = await caller.post("/v1/customers", { source_id: "ann" }, 200);
    expect((await other.api.get("/v1/customers/ann", 200)).body.id).toBe(body.id);
    await api.get("/v1/customers/ann", 404);
    const [event] = await db.many<{ event_source: unknown }>(
      sql`select events.event_source from events where events.project_id = ${other.id} and events.entity_id = ${body.id}`,
    );
    expect(event?.event_source).toEqual({
      channel: "API",
      api_key: { name: "Server-side key", app_id: other.app_id },
    });
  });

  test.each(["Bearer", "bearer", "BEARER", "Bearer  "])("is shown after the word %j", async (word) => {
    await bearing(url, "").send("GET", "/v1/customers", {
      headers: { authorization: `${word} ${token}` },
      status: 200,
    });
  });

  test.each([
    ["without the word", token],
    ["after another word", `Basic ${token}`],
    ["twice", `Bearer ${token} ${token}`],
    ["with a comma", `Bearer ${token},`],
    ["in another letter case", `Bearer ${token.toLowerCase()}`],
    ["that nobody was given", `Bearer ${"x".repeat(50)}`],
    ["of nothing", "Bearer "],
    ["of 9,000 characters", `Bearer ${"x".repeat(9_000)}`],
    ["of its hash", `Bearer ${hashOfSecret(token).toString("hex")}`],
  ])("%s is no credential", async (_, authorization) => {
    const { body } = await bearing(url, "").send("GET", "/v1/customers", { headers: { authorization }, status: 401 });
    expect(body).toEqual(unauthorized);
  });

  test("does not open another segment, and is refused before the body is read", async () => {
    const caller = bearing(url, narrow);
    const { body } = await caller.send("POST", "/v1/customers", {
      raw: "{",
      headers: { accept: "text/html" },
      status: 403,
    });
    expect(body).toMatchObject(missing_permission);
    await caller.get("/v1/nothing", 404);
    await caller.send("PATCH", "/v1/customers", { status: 405 });
  });

  test("never opens management", async () => {
    await bearing(url, token).get("/management/v1/projects", 401);
    await bearing(url, token).get(`/management/v1/projects/${project.id}`, 401);
  });

  test("does not open the client's side of the API to the server's scopes", async () => {
    await bearing(url, await aToken(api, "client_api")).get("/v1/customers", 403);
  });

  test("serves 200 parallel requests of several projects, each its own", async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => anotherProject()));
    const callers = await Promise.all(others.map(async (other) => bearing(url, await aToken(other.api))));
    await Promise.all(callers.map((caller, i) => caller.post("/v1/customers", { source_id: `one-${i}` }, 200)));
    await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const { body } = await callers[i % 4]!.get("/v1/customers", 200);
        expect(body.customers.map((one: { source_id: string }) => one.source_id)).toEqual([`one-${i % 4}`]);
      }),
    );
  });
});

describe("a key pair and a token in one request", () => {
  const wrong = { "x-app-token": "wrong" };
  test.each<[string, Record<string, string | null>, string, number]>([
    ["a right pair, a narrow token", keys, narrow, 200],
    ["a right pair, a wrong token", keys, "wrong", 200],
    ["a wrong pair, a right token", { ...keys, ...wrong }, token, 401],
    ["an overlong pair, a right token", { ...keys, "x-app-token": "t".repeat(600) }, token, 401],
    ["an id alone, a right token", { ...keys, "x-app-token": null }, token, 200],
    ["a secret alone, a right token", { ...keys, "x-app-id": null }, token, 200],
    ["an empty secret, a right token", { ...keys, "x-app-token": "" }, token, 200],
    ["an id alone, a narrow token", { ...keys, "x-app-token": null }, narrow, 403],
    ["an id alone, a wrong token", { ...keys, "x-app-token": null }, "wrong", 401],
  ])("%s: %#", async (_, headers, shown, status) => {
    await bearing(url, shown).send("GET", "/v1/customers", { headers, status });
  });
});

describe("the key that minted a token", () => {
  test("blocked, stops its tokens at once; unblocked, they work on", async () => {
    const other = await anotherProject();
    const old = await aToken(other.api);
    const caller = bearing(url, old);
    await caller.get("/v1/customers", 200);
    await changeKeys(other.id, sql`update api_keys set blocked = true where api_keys.project_id = ${other.id}`);
    const { body } = await caller.get("/v1/customers", 403);
    expect(body).toMatchObject({ code: 403, key: "forbidden", message: "Forbidden", details: "API key is blocked" });
    await postForm(other.api, "/v1/oauth/token", "grant_type=client_credentials&scope=api", 403);
    await changeKeys(other.id, sql`update api_keys set blocked = false where api_keys.project_id = ${other.id}`);
    await caller.get("/v1/customers", 200);
  });

  test("blocked, makes its tokens inactive in the eyes of the project's other keys, which may still revoke them", async () => {
    const other = await anotherProject();
    const second = { "x-app-id": newCredentialId(), "x-app-token": "second" };
    await changeKeys(
      other.id,
      sql`insert into api_keys (project_id, id, kind, name, role, token_hash, created_at)
          values (${other.id}, ${second["x-app-id"]}, 'server', 'Second', 'ADMIN', ${hashOfSecret("second")}, '2026-01-01')`,
    );
    const access_token = await aToken(other.api);
    const introspected = () => postForm(api, "/v1/oauth/introspect", { access_token }, 200, second);
    expect((await introspected()).body).toMatchObject({ active: true, client_id: other.app_id });
    await changeKeys(
      other.id,
      sql`update api_keys set blocked = true where api_keys.project_id = ${other.id} and api_keys.id = ${other.app_id}`,
    );
    expect((await introspected()).body.active).toBe(false);
    await postForm(api, "/v1/oauth/token/revoke", { access_token }, 204, second);
  });

  test("deleted, takes its tokens along", async () => {
    const other = await anotherProject();
    const caller = bearing(url, await aToken(other.api));
    await changeKeys(
      other.id,
      sql`delete from api_keys where api_keys.project_id = ${other.id} and api_keys.id = ${other.app_id}`,
    );
    expect((await caller.get("/v1/customers", 401)).body).toEqual(unauthorized);
    expect(await storedTokens(other.id)).toBe(0);
  });

  test("given a new secret, lets its tokens live", async () => {
    const other = await anotherProject();
    const caller = bearing(url, await aToken(other.api));
    const token_hash = hashOfSecret("new secret");
    await changeKeys(
      other.id,
      sql`update api_keys set token_hash = ${token_hash} where api_keys.project_id = ${other.id}`,
    );
    await other.api.get("/v1/customers", 401);
    await caller.get("/v1/customers", 200);
  });

  test("gone with its project, leaves a token that is nobody's", async () => {
    const other = await anotherProject();
    const caller = bearing(url, await aToken(other.api));
    await management.delete(`/management/v1/projects/${other.id}`, 204);
    expect((await caller.get("/v1/customers", 401)).body).toEqual(unauthorized);
  });
});

describe("expired tokens", () => {
  test("are taken away on schedule, those that work are not", async () => {
    const other = await anotherProject();
    await Promise.all(Array.from({ length: 5 }, () => aToken(other.api)));
    clock.advance({ minutes: 14 });
    const young = await aToken(other.api);
    await runDue();
    expect(await storedTokens(other.id)).toBe(6);
    clock.advance({ minutes: 1 });
    await aToken(other.api);
    await runDue();
    expect(await storedTokens(other.id)).toBe(2);
    await bearing(url, young).get("/v1/customers", 200);
  });

  test("are no obstacle to 32 tokens made at once", async () => {
    const other = await anotherProject();
    await Promise.all(Array.from({ length: 32 }, () => aToken(other.api)));
    clock.advance({ minutes: 15 });
    const made = await Promise.all(Array.from({ length: 32 }, () => aToken(other.api)));
    expect(new Set(made).size).toBe(32);
    await Promise.all([runDue(), runDue()]);
    expect(await storedTokens(other.id)).toBe(32);
  });
});
