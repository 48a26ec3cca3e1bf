import { describe, expect, test } from "vitest";
import { startService, type TestProject } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { automationsOf, sends } from "../../management/automations/automation.fixtures.js";
import { answering, aReceiver } from "../../management/send-outs/receiver.fixtures.js";
import { someoneIn } from "../../people/people.fixtures.js";
import { type Call, findProject } from "../../projects/index.js";
import { openUsage } from "../../usage/index.js";

const service = await startService({
  webhook_allow_private: true,
  call_limits: { api_calls: [{ value: 3, duration: "PT1H" }], bulk_api_calls: [], webhook_calls: [] },
  // Nobody takes mail there, so that it stays where it can be read.
  smtp: { url: "smtp://127.0.0.1:1", from: "guerdon@shop.example" },
});
const { context, clock, management, anotherProject, runDue } = service;
const at = "/dashboard/v1/notices";

const toldIn = async ({ id }: Pick<TestProject, "id">) =>
  (await (await someoneIn(service, id, "VIEWER")).browser.get(at, 200)).body.data;
const mailsOf = async ({ id }: Pick<TestProject, "id">) => {
  const rows = await context.db.many<{ sealed: Buffer }>(sql`
    select mails.sealed from mails where mails.project_id = ${id} order by mails.id`);
  return rows.map(({ sealed }) => JSON.parse(context.seal.open(sealed)));
};
const settings = ({ id }: Pick<TestProject, "id">, fields: object) =>
  management.put(`/management/v1/projects/${id}`, fields, 200);

describe("whoever wants to be told in the dashboard how much of a limit is used", () => {
  const wanted = (in_app: boolean) => ({ api_calls: { value: 60, emails: [], in_app, enabled: true } });

  /** A process that counts, and so many calls of the project. */
  async function use(project: Pick<TestProject, "id">, calls: number): Promise<void> {
    const usage = openUsage(context);
    const found = await findProject(context.db, project.id);
    const caller = { kind: "server_key", key: { id: "k", name: "k" }, role: "ADMIN" };
    const call = { project: found, instant: clock.now(), caller } as unknown as Call;
    for (let i = 0; i < calls; i += 1) usage.count(call, "/v1/vouchers", { headers: () => undefined as never });
    await usage.flush();
  }

  test("reads it there, once that much is used, with what it is of", async () => {
    const project = await anotherProject({ name: "Shop" });
    await settings(project, { api_usage_notifications: wanted(true) });
    await use(project, 1);
    expect(await toldIn(project)).toEqual([]);
    await use(project, 1);
    const created_at = new Date(clock.now()).toISOString();
    expect(await toldIn(project)).toEqual([
      {
        id: expect.stringMatching(/^ntc_/),
        kind: "api_calls",
        used_limit: { calls: 2, value: 3, duration: "PT1H", ends_at: "2026-03-02T11:00:00.000Z" },
        switched_off: null,
        created_at,
      },
    ]);
    expect(await mailsOf(project)).toEqual([]);
  });

  test("is not told where the project does not want that", async () => {
    const project = await anotherProject();
    await settings(project, { api_usage_notifications: wanted(false) });
    await use(project, 3);
    expect(await toldIn(project)).toEqual([]);
  });
});

describe("an address that messages could not be delivered to", () => {
  const callouts = (kind: "webhooks" | "distributions", email: boolean, in_app: boolean) => ({
    webhooks_callout_notifications: { [kind]: { email, emails: ["ann@shop.example"], in_app } },
  });

  /** Twelve tries more take a day. */
  async function failForADay(project: TestProject): Promise<void> {
    await project.api.post("/v1/customers", { name: "Ann" }, 200);
    for (let tries = 0; tries < 13; tries += 1, clock.advance({ hours: 2 })) await runDue();
  }

  test("of a webhook is told as the project wants, when the webhook goes off for it, and once", async () => {
    const receiver = await aReceiver(answering(500));
    const project = await anotherProject({ name: "Shop" });
    await settings(project, callouts("webhooks", true, true));
    const path = `/management/v1/projects/${project.id}/webhooks`;
    const webhook = { target_url: receiver.url, events: ["customer.created"] };
    const { id } = (await management.post(path, webhook, 200)).body;
    await failForADay(project);
    expect((await management.get(`${path}/${id}`, 200)).body.active).toBe(false);
    const [told, ...others] = await toldIn(project);
    expect(others).toEqual([]);
    expect(told).toMatchObject({
      kind: "webhook",
      used_limit: null,
      switched_off: { id, target_url: `${receiver.url}` },
    });
    expect((await mailsOf(project)).map(({ to }) => to)).toEqual(["ann@shop.example"]);
  });

  test("of an automation has settings of its own", async () => {
    const receiver = await aReceiver(answering(500));
    const project = await anotherProject();
    await settings(project, callouts("distributions", false, true));
    await settings(project, callouts("webhooks", true, false));
    const { make } = automationsOf(service, project);
    const { id } = await make(sends(receiver.url));
    await failForADay(project);
    expect(await toldIn(project)).toMatchObject([{ kind: "distribution", switched_off: { id } }]);
    expect(await mailsOf(project)).toEqual([]);
  });
});

test("notices are one project's and not for a till, and go after ninety days", async () => {
  const project = await anotherProject();
  const add = (id: string, created_at: number) =>
    context.db.run(sql`
      insert into notices (project_id, id, kind, created_at)
      values (${project.id}, ${id}, 'webhook', ${new Date(created_at).toISOString()}::timestamptz)`);
  await add("ntc_1", clock.now());
  const idsIn = async (one: Pick<TestProject, "id">) => (await toldIn(one)).map(({ id }: { id: string }) => id);
  expect(await idsIn(project)).toEqual(["ntc_1"]);
  expect(await idsIn(await anotherProject())).toEqual([]);
  await (await someoneIn(service, project.id, "MERCHANT")).browser.get(at, 403);
  clock.advance({ days: 90 });
  expect(await idsIn(project)).toEqual([]);
  await add("ntc_2", clock.now());
  await runDue();
  const left = await context.db.many(sql`select notices.id from notices where notices.project_id = ${project.id}`);
  expect(left).toEqual([{ id: "ntc_2" }]);
});
