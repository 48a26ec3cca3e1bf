import { describe, expect, test } from "vitest";
import { startService, type TestProject } from "../../../test/harness/service.js";
import { periodAt } from "../../platform/call-limits.js";
import { sql } from "../../platform/db/sql.js";
import { someoneIn } from "../people/people.fixtures.js";
import { type Call, findProject } from "../projects/index.js";
import { openUsage } from "./index.js";

const call_limits = {
  api_calls: [
    { value: 100, duration: "P1M" },
    { value: 3, duration: "PT1H" },
  ],
  bulk_api_calls: [{ value: 1, duration: "P1D" }],
  webhook_calls: [],
};
const service = await startService({ call_limits, now: "2026-03-02T10:20:00.000Z" });
const { context, clock, management, anotherProject } = service;

const refused = { code: 429, message: "Too many requests hit the API too quickly." };
const headersOf = ({ headers }: { headers: Headers }, ...names: string[]) => names.map((name) => headers.get(name));
const left = async ({ api }: TestProject) => {
  const answer = await api.get("/v1/categories");
  return [answer.status, ...headersOf(answer, "x-rate-limit-limit", "x-rate-limit-remaining", "x-rate-limit-retry")];
};
const limit = (project: TestProject, limits: object, status = 200) =>
  management.put(`/management/v1/projects/${project.id}/limits`, limits, status);

describe("a project that has a limit", () => {
  test("makes so many calls in an hour, is told how many are left, and refused beyond", async () => {
    const project = await anotherProject();
    expect(await left(project)).toEqual([200, "3", "2", "0"]);
    expect(await left(project)).toEqual([200, "3", "1", "0"]);
    const next_hour = String(Date.parse("2026-03-02T11:00:00Z") / 1000);
    expect(await left(project)).toEqual([200, "3", "0", next_hour]);
    const answer = await project.api.post("/v1/customers", {}, 429);
    expect(answer.body).toEqual(refused);
    expect(
      headersOf(answer, "retry-after", "x-rate-limit-type", "x-rate-limit-remaining", "x-rate-limit-retry"),
    ).toEqual(["2400", "api_calls", "0", next_hour]);
    expect(await left(await anotherProject())).toEqual([200, "3", "2", "0"]);
    const hour = clock.now();
    clock.advance({ minutes: 40 });
    expect(await left(project)).toEqual([200, "3", "2", "0"]);
    clock.set(new Date(hour).toISOString());
  });

  test("is limited in bulk calls by themselves", async () => {
    const project = await anotherProject();
    const update = (status: number) =>
      project.api.post("/v1/products/metadata/async", { source_ids: ["a"], metadata: {} }, status);
    expect(headersOf(await update(202), "x-rate-limit-limit", "x-rate-limit-remaining")).toEqual(["1", "0"]);
    const answer = await update(429);
    expect(headersOf(answer, "retry-after", "x-rate-limit-type")).toEqual([
      String(13 * 3600 + 40 * 60),
      "bulk_api_calls",
    ]);
    expect((await left(project)).slice(0, 3)).toEqual([200, "3", "2"]);
  });

  test("has its own where it has any, and a cycle says that it is one", async () => {
    const project = await anotherProject();
    const { body } = await limit(project, { api_calls: [{ value: 2, duration: "P1M" }] });
    expect(body.limits).toEqual({ api_calls: [{ value: 2, duration: "P1M" }] });
    expect(await left(project)).toEqual([200, "2", "1", "0"]);
    await left(project);
    const answer = await project.api.get("/v1/categories", 429);
    expect(headersOf(answer, "x-rate-limit-type", "x-rate-limit-retry")).toEqual([
      "api_calls_cycle",
      String(Date.parse("2026-04-01T00:00:00Z") / 1000),
    ]);
    for (let i = 0; i < 3; i += 1) {
      await project.api.post("/v1/products/metadata/async", { source_ids: ["a"], metadata: {} }, 202);
    }
  });

  test("is limited as the organization wants again once its own limits are taken away", async () => {
    const project = await anotherProject();
    await limit(project, {});
    expect(await left(project)).toEqual([200, "1000000", "1000000", "0"]);
    await management.delete(`/management/v1/projects/${project.id}/limits`, 204);
    expect(await left(project)).toEqual([200, "3", "2", "0"]);
    const { body } = await management.get(`/management/v1/projects/${project.id}`, 200);
    expect(body).not.toHaveProperty("limits");
  });

  test("has none that is no number of calls in a period", async () => {
    const project = await anotherProject();
    const refusedFor = async (limits: object) => (await limit(project, limits, 400)).body.details;
    const once = (duration: string) => ({ value: 1, duration });
    expect(await refusedFor({ api_calls: [once("PT1M"), once("P1M1D")] })).toBe(
      "Property .api_calls[1].duration must be an ISO 8601 duration of months alone, or of days and what is shorter",
    );
    expect(await refusedFor({ bulk_api_calls: [{ value: 0, duration: "PT1M" }] })).toBe(
      "Property .bulk_api_calls[0].value must be >= 1",
    );
    await management.put("/management/v1/projects/nobody/limits", {}, 404);
    const { browser } = await someoneIn(service, project.id, "ADMIN");
    await browser.put(`/management/v1/projects/${project.id}/limits`, {}, 401);
    expect((await left(project)).slice(0, 2)).toEqual([200, "3"]);
  });

  test("is not counted for who is not let in, for its people and for the organization", async () => {
    const project = await anotherProject();
    const { browser } = await someoneIn(service, project.id, "ADMIN");
    for (let i = 0; i < 5; i += 1) {
      await browser.get("/v1/categories", 200);
      await browser.get("/dashboard/v1/keys", 200);
      await management.get(`/management/v1/projects/${project.id}`, 200);
      await service.page.send("GET", "/v1/categories", {
        headers: { "x-app-id": project.app_id, "x-app-token": "wrong" },
      });
    }
    expect(await left(project)).toEqual([200, "3", "2", "0"]);
  });

  test("counts what its pages call too", async () => {
    const project = await anotherProject();
    for (let i = 0; i < 3; i += 1) await project.page.get("/client/v1/promotions/tiers", 200);
    expect((await left(project))[0]).toBe(429);
  });
});

/** A process that counts, and calls of a project. */
async function aProcess(project_id: string) {
  const usage = openUsage(context);
  const project = await findProject(context.db, project_id);
  if (!project) throw new Error("there is such a project");
  const headers: Record<string, unknown> = {};
  const reply = {
    headers: (more: Record<string, unknown>) => Object.assign(headers, more) as never,
  };
  const caller = { kind: "server_key", key: { id: "k", name: "k" }, role: "ADMIN" } as const;
  const call = (instant = clock.now()) => {
    usage.count({ project, instant, caller } as unknown as Call, "/v1/vouchers", reply);
    return Number(headers["x-rate-limit-remaining"]);
  };
  return { usage, call, project };
}

describe("processes", () => {
  test("grant together what the limit says, once they have heard of each other", async () => {
    const { id } = await anotherProject();
    const [one, other] = [await aProcess(id), await aProcess(id)];
    expect([one.call(), one.call(), other.call()]).toEqual([2, 1, 2]);
    await one.usage.flush();
    await other.usage.flush();
    expect(() => other.call()).toThrow("Too many requests");
    // Unheard, the first still believes that one is left.
    expect(one.call()).toBe(0);
    await one.usage.flush();
    const { calls } = await context.db.one<{ calls: number }>(sql`
      select call_counts.calls from call_counts where call_counts.project_id = ${id} and call_counts.duration = 'PT1H'`);
    expect(calls).toBe(4);
  });

  test("lose nothing that is counted while they tell of what was before", async () => {
    const { id } = await anotherProject();
    const { usage, call } = await aProcess(id);
    call();
    const told = usage.flush();
    // By now the statement is on its way, and not answered.
    await new Promise((resolve) => setImmediate(resolve));
    call();
    await told;
    expect(call()).toBe(0);
    await usage.flush();
    const { calls } = await context.db.one<{ calls: number }>(sql`
      select call_counts.calls from call_counts where call_counts.project_id = ${id} and call_counts.duration = 'PT1H'`);
    expect(calls).toBe(3);
  });

  test("that begin anew know what was counted before them", async () => {
    const { id } = await anotherProject();
    const before = await aProcess(id);
    before.call();
    before.call();
    await before.usage.flush();
    const after = await aProcess(id);
    after.call();
    await after.usage.flush();
    expect(() => after.call()).toThrow("Too many requests");
  });

  test("count on while the database is away, and tell it afterwards", async () => {
    const { id } = await anotherProject();
    const { usage, call } = await aProcess(id);
    call();
    await context.db.run(sql`alter table call_counts rename to call_counts_away`);
    await usage.flush();
    await context.db.run(sql`alter table call_counts_away rename to call_counts`);
    expect(call()).toBe(1);
    await usage.flush();
    const rows = await context.db.many<{ calls: number }>(sql`
      select call_counts.calls from call_counts where call_counts.project_id = ${id}`);
    expect(rows.map(({ calls }) => calls)).toEqual([2, 2]);
  });

  test("are not stopped by a project that is gone, and forget what is over", async () => {
    const [gone, there] = [await anotherProject(), await anotherProject()];
    const { usage, call } = await aProcess(there.id);
    const { project } = await aProcess(gone.id);
    const unknown = { project: { ...project, id: "proj_gone" }, instant: clock.now(), caller: { kind: "server_key" } };
    usage.count(unknown as unknown as Call, "/v1/vouchers", {
      headers: () => undefined as never,
    });
    call();
    await usage.flush();
    const ofHour = () =>
      context.db.many(
        sql`select from call_counts where call_counts.project_id = ${there.id} and call_counts.duration = 'PT1H'`,
      );
    expect(await ofHour()).toHaveLength(1);
    const now = clock.now();
    clock.advance({ hours: 2 });
    await service.runDue();
    // The harness serves this project too, so that its ended hour is purged.
    expect(await ofHour()).toHaveLength(0);
    clock.set(new Date(now).toISOString());
  });
});

describe("whoever wants to be told of use", () => {
  const emails = ["ann@shop.example", "bea@shop.example"];
  const wanted = (value: number, more = {}) => ({ value, emails, in_app: false, enabled: true, ...more });
  const mailsOf = async (project_id: string) => {
    const rows = await context.db.many<{ sealed: Buffer }>(sql`
      select mails.sealed from mails where mails.project_id = ${project_id} order by mails.id`);
    return rows.map(({ sealed }) => JSON.parse(context.seal.open(sealed)));
  };
  async function aProject(notices: object) {
    const { body } = await management.post("/management/v1/projects", { name: "Shop" }, 200);
    const at = `/management/v1/projects/${body.id}`;
    await management.put(at, { api_usage_notifications: notices }, 200);
    return body.id as string;
  }

  test("is, by mail, when that many percent are used, and not again within the hour", async () => {
    const id = await aProject({ api_calls: wanted(60), cycle_calls: wanted(90) });
    const { usage, call } = await aProcess(id);
    call();
    await usage.flush();
    expect(await mailsOf(id)).toEqual([]);
    call();
    await usage.flush();
    const [first, second, ...others] = await mailsOf(id);
    expect([first.to, second.to, others]).toEqual([...emails, []]);
    expect(first.subject).toBe("Shop: 66 % of the calls are used");
    expect(first.text).toContain(`(${id}) has made 2 of the 3 calls that it may make in PT1H`);
    expect(first.text).toContain("2026-03-02T11:00:00.000Z");
    const other = await aProcess(id);
    other.call();
    await other.usage.flush();
    expect(await mailsOf(id)).toHaveLength(2);
    const now = clock.now();
    clock.advance({ minutes: 61 });
    call();
    call();
    await usage.flush();
    expect(await mailsOf(id)).toHaveLength(4);
    clock.set(new Date(now).toISOString());
  });

  test("is not where they have switched it off", async () => {
    const id = await aProject({ api_calls: wanted(10, { enabled: false }), cycle_calls: wanted(90) });
    const { usage, call } = await aProcess(id);
    for (let i = 0; i < 3; i += 1) call();
    await usage.flush();
    expect(await mailsOf(id)).toEqual([]);
  });
});

test.each([
  ["PT1M", "2026-03-02T10:20:00Z", "2026-03-02T10:21:00Z"],
  ["PT1H", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z"],
  ["P1D", "2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z"],
  ["P1M", "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"],
  ["P1Y", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"],
])("a period of %s begins and ends for everybody at once", (duration, start, end) => {
  const instant = Date.parse("2026-03-02T10:20:30Z");
  expect(periodAt(duration, instant)).toEqual({ starts_at: Date.parse(start), ends_at: Date.parse(end) });
});

test.each(["", "P", "1H", "PT0S", "P1M1D"])("'%s' is no period", (duration) => {
  expect(periodAt(duration, 0)).toBeNull();
});
