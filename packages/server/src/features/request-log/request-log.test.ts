import { describe, expect, test, vi } from "vitest";
import { uniqueText } from "../../../test/harness/resources.js";
import { startService } from "../../../test/harness/service.js";
import { postForm } from "../oauth/oauth.fixtures.js";
import { someoneIn } from "../people/people.fixtures.js";

const service = await startService();
const { project, clock, management, anotherProject } = service;
const { api } = project;
const wanted = { request_log_enabled: true };
await management.put(`/management/v1/projects/${project.id}`, wanted, 200);
/** Sessions end while the clock is turned. */
let { browser } = await someoneIn(service, project.id, "VIEWER");
const signInAnew = async () => {
  ({ browser } = await someoneIn(service, project.id, "VIEWER"));
};
const at = "/dashboard/v1/requests";

interface Shown {
  id: string;
  path: string;
  request_body: string | null;
  response_body: string | null;
  events: { type: string }[];
}
const idOf = ({ headers }: { headers: Headers }) => headers.get("x-request-id") ?? "";
/** It is written a second later. */
async function logged(answer: { headers: Headers }, by = browser): Promise<Shown> {
  await vi.waitFor(async () => expect((await by.get(`${at}/${idOf(answer)}`)).status).toBe(200), {
    timeout: 10_000,
    interval: 50,
  });
  return (await by.get(`${at}/${idOf(answer)}`, 200)).body;
}
const listed = async (query = "") =>
  (await browser.get(`${at}?limit=100&${query}`, 200)).body.data.map(({ id }: { id: string }) => id) as string[];

describe("a request", () => {
  test("is logged with what was sent, what was answered, who asked and what it caused", async () => {
    const sent = { source_id: uniqueText("ada"), name: "Ada" };
    const answer = await api.post("/v1/customers?x=1", sent, 200);
    expect(await logged(answer)).toEqual({
      id: idOf(answer),
      method: "POST",
      path: "/v1/customers?x=1",
      operation: "create-customer",
      status: 200,
      duration_ms: expect.any(Number),
      event_source: { channel: "API", api_key: { app_id: project.app_id, name: expect.any(String) } },
      label: null,
      created_at: new Date(clock.now()).toISOString(),
      request_body: JSON.stringify(sent),
      response_body: JSON.stringify(answer.body),
      events: [{ id: expect.any(String), type: "customer.created", entity_id: answer.body.id }],
    });
    const { data } = (await browser.get(`/dashboard/v1/search?q=${idOf(answer)}`, 200)).body;
    expect(data).toEqual([{ object: "request", id: idOf(answer), name: "POST /v1/customers?x=1", found_by: "id" }]);
  });

  test("is logged with what the caller calls itself, as far as a channel may be long", async () => {
    const labels = ["Node.js-v20.1.0-SDK-v2.9.0", "x".repeat(300)];
    const answers = await Promise.all(
      labels.map((label) =>
        api.send("GET", "/v1/campaigns", { headers: { "X-Voucherify-Channel": label }, status: 200 }),
      ),
    );
    for (const [i, answer] of answers.entries()) {
      const label = labels[i]?.slice(0, 255);
      expect(await logged(answer)).toMatchObject({ label, event_source: { channel: "API" } });
      const { data } = (await browser.get(`${at}?limit=100`, 200)).body;
      expect(data).toContainEqual(expect.objectContaining({ id: idOf(answer), label }));
    }
  });

  test("that was refused is logged as it was refused", async () => {
    const answer = await api.post("/v1/customers", { name: 5 }, 400);
    expect(await logged(answer)).toMatchObject({ status: 400, request_body: '{"name":5}', events: [] });
    expect(JSON.parse((await logged(answer)).response_body ?? "")).toMatchObject({ code: 400 });
  });

  test("of a page is logged too", async () => {
    const answer = await project.page.get("/client/v1/promotions/tiers", 200);
    expect(await logged(answer)).toMatchObject({ path: "/client/v1/promotions/tiers" });
  });

  test("shows nothing that opens anything", async () => {
    const { headers, body } = await postForm(
      api,
      "/v1/oauth/token",
      { grant_type: "client_credentials", scope: "api" },
      200,
    );
    expect(body.access_token).toEqual(expect.any(String));
    expect(await logged({ headers })).toMatchObject({ request_body: null, response_body: null });
    const secret = "do-not-show-me";
    const told = {
      source_id: uniqueText("ada"),
      metadata: { password: secret, api_token: `${secret}"`, custom_headers: { "x-shop": `}${secret}"` } },
    };
    const entry = await logged(await api.post(`/v1/customers?token=${secret}&x=1`, told, 200));
    expect(JSON.stringify(entry)).not.toContain(secret);
    expect(entry.path).toBe("/v1/customers?token=***&x=1");
  });

  test("is shown as it begins where it is long", async () => {
    const answer = await api.post(
      "/v1/customers",
      { description: "x".repeat(16_000), metadata: { a: "y".repeat(9_000) } },
      200,
    );
    const { request_body, response_body } = await logged(answer);
    expect([request_body?.length, response_body?.length]).toEqual([16_384, 16_384]);
  });

  test("that somebody who is signed in reads is no caller's, and what they change is", async () => {
    const { browser: admin } = await someoneIn(service, project.id, "ADMIN");
    const read = await admin.get("/v1/customers", 200);
    await logged(await admin.post("/v1/customers", { source_id: uniqueText("ada") }, 200));
    expect(await listed()).not.toContain(idOf(read));
  });
});

describe("the list of requests", () => {
  test("is newest first, filtered, and read slice by slice", async () => {
    clock.advance({ days: 1 });
    await signInAnew();
    const since = new Date(clock.now()).toISOString();
    const answers = [];
    for (const [path, status] of [
      ["/v1/vouchers", 200],
      ["/v1/vouchers/NONE", 404],
      ["/v1/campaigns", 200],
    ] as const) {
      clock.advance({ minutes: 1 });
      answers.push(await api.get(path, status));
    }
    for (const answer of answers) await logged(answer);
    const [list = "", missing = "", campaigns = ""] = answers.map(idOf);
    expect(await listed(`since=${since}`)).toEqual([campaigns, missing, list]);
    expect(await listed(`since=${since}&status=failure`)).toEqual([missing]);
    expect(await listed(`since=${since}&status=success`)).toEqual([campaigns, list]);
    expect(await listed(`since=${since}&path=/v1/vouchers`)).toEqual([missing, list]);
    expect(await listed(`since=${since}&method=POST`)).toEqual([]);
    expect(await listed(`since=${since}&key=nobodys`)).toEqual([]);
    expect(await listed(`since=${since}&key=${project.app_id}`)).toHaveLength(3);
    expect(await listed(`until=${since}`)).not.toContain(list);
    const seen: string[] = [];
    for (let after: string | null = ""; after !== null; ) {
      const { body }: { body: { data: { id: string }[]; next: string | null } } = await browser.get(
        `${at}?limit=1&since=${since}${after && `&after=${after}`}`,
        200,
      );
      seen.push(...body.data.map(({ id }) => id));
      after = body.next;
    }
    expect(seen).toEqual([campaigns, missing, list]);
    for (const query of ["after=x", "status=odd", "limit=0", "since=soon"]) await browser.get(`${at}?${query}`, 400);
  });

  test("is of thirty days, of one project, and not for a till", async () => {
    const answer = await api.get("/v1/vouchers", 200);
    await logged(answer);
    const { browser: stranger } = await someoneIn(service, (await anotherProject()).id, "ADMIN");
    await stranger.get(`${at}/${idOf(answer)}`, 404);
    const { browser: till } = await someoneIn(service, project.id, "MERCHANT");
    await till.get(at, 403);
    clock.advance({ days: 30 });
    await signInAnew();
    await browser.get(`${at}/${idOf(answer)}`, 404);
    expect(await listed()).not.toContain(idOf(answer));
  });
});

test("what names a customer who is deleted for good is forgotten", async () => {
  const made = await api.post("/v1/customers", { source_id: uniqueText("ada") }, 200);
  const other = await api.post("/v1/customers", { source_id: uniqueText("bob") }, 200);
  const read = await api.get(`/v1/customers/${made.body.id}`, 200);
  // Answered without our id.
  const { source_id } = made.body;
  const bulk = await api.post("/v1/customers/bulk/async", [{ source_id, name: "Ada" }], 202);
  const asked = await api.get(`/v1/customers/${source_id}/activity`, 200);
  for (const one of [made, other, read, bulk, asked]) await logged(one);
  await api.post(`/v1/customers/${made.body.id}/permanent-deletion`, undefined, 200);
  for (const one of [made, read, bulk, asked]) await browser.get(`${at}/${idOf(one)}`, 404);
  await browser.get(`${at}/${idOf(other)}`, 200);
});

test("a project that wants no log has none, from the next request on", async () => {
  const quiet = await anotherProject();
  const { browser: own } = await someoneIn(service, quiet.id, "ADMIN");
  await quiet.api.get("/v1/customers", 200);
  await management.put(`/management/v1/projects/${quiet.id}`, wanted, 200);
  await logged(await quiet.api.get("/v1/vouchers", 200), own);
  await management.put(`/management/v1/projects/${quiet.id}`, { request_log_enabled: false }, 200);
  const unseen = await quiet.api.get("/v1/vouchers", 200);
  await management.put(`/management/v1/projects/${quiet.id}`, wanted, 200);
  await logged(await quiet.api.get("/v1/vouchers", 200), own);
  await own.get(`${at}/${idOf(unseen)}`, 404);
  const kept = (await own.get(at, 200)).body.data as { path: string }[];
  expect(new Set(kept.map(({ path }) => path))).toEqual(new Set(["/v1/vouchers"]));
});

test("whether there is one is switched by the project's administrators alone, and said beside what there is", async () => {
  const quiet = await anotherProject();
  const log = "/dashboard/v1/request-log";
  const { browser: admin } = await someoneIn(service, quiet.id, "ADMIN");
  const is_on = async () => (await admin.get(at, 200)).body.request_log_enabled;
  expect(await is_on()).toBe(false);
  for (const role of ["USER", "VIEWER", "MERCHANT"] as const)
    await (await someoneIn(service, quiet.id, role)).browser.put(log, wanted, 403);
  expect((await admin.put(log, wanted, 200)).body).toEqual(wanted);
  expect(await is_on()).toBe(true);
  await logged(await quiet.api.get("/v1/vouchers", 200), admin);
  await admin.put(log, { request_log_enabled: false }, 200);
  expect(await is_on()).toBe(false);
  await admin.put(log, {}, 400);
});

test("more than a process may hold is left out, and answered all the same", async () => {
  const busy = await anotherProject(wanted);
  const { browser: own } = await someoneIn(service, busy.id, "ADMIN");
  const large = { source_id: "large", description: "x".repeat(16_000), metadata: { a: "y".repeat(9_000) } };
  const asked = await Promise.all(Array.from({ length: 120 }, () => busy.api.post("/v1/customers", large, 200)));
  const known = async () =>
    (await Promise.all(asked.map((one) => own.get(`${at}/${idOf(one)}`)))).filter(({ status }) => status === 200);
  await vi.waitFor(async () => expect((await known()).length).toBeGreaterThan(0), 10_000);
  expect((await known()).length).toBeLessThan(120);
});
