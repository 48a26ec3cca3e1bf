import { describe, expect, test } from "vitest";
import { createClient } from "../../../test/harness/client.js";
import { editSettings } from "../../../test/harness/edits.js";
import { page_origin, startService, type TestProject } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";

const { url, anotherProject, management, context } = await startService();

const order = { amount: 1000 };
const redeemables = [{ object: "voucher", id: "CODE" }];
const asked = { redeemables, order };
const body = JSON.stringify(asked);
const operations = [
  ["/v1/validations", body],
  ["/v1/redemptions", body],
  ["/v1/vouchers/CODE/validate", JSON.stringify({ order })],
  ["/v1/vouchers/CODE/redemption", JSON.stringify({ order })],
] as const;
const operations_of_pages = [
  ["/client/v1/validations", body],
  ["/client/v1/redemptions", body],
  ["/client/v1/redeem?code=CODE", JSON.stringify({ order })],
] as const;

/** A project whose keys have been used, so that they are known by what they were then. */
async function aKnownProject(): Promise<TestProject> {
  const project = await anotherProject();
  const discount = { type: "AMOUNT", amount_off: 100 };
  await project.api.post("/v1/campaigns", { name: "Codes", voucher: { discount } }, 200);
  await project.api.post("/v1/campaigns/Codes/vouchers/CODE", {}, 200);
  await project.page.post("/client/v1/validations", asked, 200);
  return project;
}

const block = (project: TestProject, blocked: boolean) =>
  editSettings(
    context,
    project.id,
    sql`update api_keys set blocked = ${blocked} where api_keys.project_id = ${project.id}`,
  );
const set = (project: TestProject, fields: object) =>
  management.put(`/management/v1/projects/${project.id}`, fields, 200);
const keyOf = ({ app_id, app_token }: TestProject) => ({ "x-app-id": app_id, "x-app-token": app_token });
const redemptionsOf = async (project: TestProject) =>
  (
    await context.db.of(project.id).one<{ count: number }>(sql`
    select count(*)::int as count from redemptions where redemptions.project_id = ${project.id}`)
  ).count;

describe.each(operations)("%s, with a key that is known", (path, raw) => {
  const call = (project: TestProject, status: number, sent: string = raw) =>
    createClient(url, keyOf(project)).send("POST", path, { raw: sent, status });

  test("that was blocked since is refused, and nothing is recorded", async () => {
    const project = await aKnownProject();
    await call(project, 200);
    const before = await redemptionsOf(project);
    await block(project, true);
    expect((await call(project, 403)).body).toMatchObject({ details: "API key is blocked" });
    expect(await redemptionsOf(project)).toBe(before);
    await block(project, false);
    await call(project, 200);
  });

  test("that was blocked since is refused before its body is", async () => {
    for (const wrong of ["{", '{"order":1}', "[".repeat(100)]) {
      const project = await aKnownProject();
      await block(project, true);
      expect((await call(project, 403, wrong)).body).toMatchObject({ details: "API key is blocked" });
    }
  });

  test("of a project that was deleted since opens nothing", async () => {
    const project = await aKnownProject();
    await management.delete(`/management/v1/projects/${project.id}`, 204);
    await call(project, 401);
  });

  test("sees what of the catalogue was changed since", async () => {
    const project = await aKnownProject();
    const is_validation = path.includes("valid");
    await call(project, 200);
    await project.api.post("/v1/campaigns/Codes/disable", {}, 200);
    const { body } = await call(project, is_validation ? 200 : 400);
    expect(JSON.stringify(body)).toContain("voucher_disabled");
    await project.api.post("/v1/campaigns/Codes/enable", {}, 200);
    expect((await call(project, 200)).body).toMatchObject(is_validation ? { valid: true } : {});
  });
});

describe.each(operations_of_pages)("%s, with a key that is known", (path, raw) => {
  const call = ({ client_id, client_token }: TestProject, status: number) =>
    createClient(url, {
      "x-client-application-id": client_id,
      "x-client-token": client_token,
      origin: page_origin,
    }).send("POST", path, { raw, status });

  test("is refused on a page that is trusted no more, which may not read why", async () => {
    const project = await aKnownProject();
    await call(project, 200);
    await set(project, { client_trusted_domains: ["https://other.example"] });
    const { headers } = await call(project, 401);
    expect(headers.get("access-control-allow-origin")).toBeNull();
    await set(project, { client_trusted_domains: [page_origin] });
    expect((await call(project, 200)).headers.get("access-control-allow-origin")).toBe(page_origin);
  });
});

test("pages redeem as long as the project lets them, and as soon as it does again", async () => {
  const project = await aKnownProject();
  await project.page.post("/client/v1/redemptions", asked, 200);
  await set(project, { client_redeem_enabled: false });
  await project.page.post("/client/v1/redemptions", asked, 403);
  expect(await redemptionsOf(project)).toBe(1);
  await set(project, { client_redeem_enabled: true });
  await project.page.post("/client/v1/redemptions", asked, 200);
});

test("of those who redeem together the one whose key has ended is refused, and the others are not", async () => {
  const project = await aKnownProject();
  const ended = await anotherProject();
  const { db } = context;
  // Two keys of one project: the other's server key becomes its second.
  await db.run(sql`-- every project: the key moves from one to the other
    update api_keys set project_id = ${project.id} where api_keys.id = ${ended.app_id}`);
  const second = createClient(url, keyOf(ended));
  await editSettings(
    context,
    project.id,
    sql`update projects set description = 'two keys' where projects.id = ${project.id}`,
  );
  await second.post("/v1/validations", asked, 200);
  await editSettings(context, project.id, sql`delete from api_keys where api_keys.id = ${ended.app_id}`);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => (i % 2 ? second : project.api).send("POST", "/v1/redemptions", { raw: body })),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map((_, i) => (i % 2 ? 401 : 200)));
  expect(await redemptionsOf(project)).toBe(10);
});

test("metadata is held against the schema as it was changed since", async () => {
  const project = await aKnownProject();
  const schemas = `/management/v1/projects/${project.id}/metadata-schemas`;
  const withTill = { ...asked, order: { ...order, metadata: { till: 7 } } };
  const till = (type: string) => ({ properties: { till: { type, optional: true, array: false } } });
  const { id } = (await management.post(schemas, { related_object: "order", ...till("string") }, 200)).body;
  await project.api.post("/v1/redemptions", withTill, 400);
  expect(await redemptionsOf(project)).toBe(0);
  await management.delete(`${schemas}/${id}`, 204);
  await management.post(schemas, { related_object: "order", ...till("number") }, 200);
  await project.api.post("/v1/redemptions", withTill, 200);
});
