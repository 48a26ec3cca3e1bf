import { describe, expect, test } from "vitest";
import { aToken, bearing, missing_permission } from "../../src/features/oauth/oauth.fixtures.js";
import { off, tiersOf } from "../../src/features/promotions/promotion.fixtures.js";
import { sql } from "../../src/platform/db/sql.js";
import type { Client } from "../harness/client.js";
import { editSettings } from "../harness/edits.js";
import { startService } from "../harness/service.js";
import { type Endpoint, endpointsOf, nameOf } from "./endpoints.fixtures.js";

const { url, api, page, project, management, context, anotherProject } = await startService();
const endpoints = await endpointsOf(project, management);
const order = { amount: 10_000 };

const bearerOf = async (by: Client, scope: string) => bearing(url, await aToken(by, scope));
const ask = (by: Client, { method, path, body }: Endpoint) =>
  by.send(method, path, body === undefined ? {} : { raw: JSON.stringify(body) });

/** What each endpoint answers, by its name. */
async function statusesOf(asked: Endpoint[], by: (endpoint: Endpoint) => Client) {
  const answers: [string, number][] = [];
  for (const endpoint of asked) answers.push([nameOf(endpoint), (await ask(by(endpoint), endpoint)).status]);
  return Object.fromEntries(answers);
}
const all = (asked: Endpoint[], status: (endpoint: Endpoint) => number) =>
  Object.fromEntries(asked.map((endpoint) => [nameOf(endpoint), status(endpoint)]));
const of_project = endpoints.filter(({ scope }) => scope !== "management");

describe("the endpoints (redemption.md §1)", () => {
  test("are closed to a token of another scope", async () => {
    const other = await bearerOf(api, "customers validation-rules");
    expect(await statusesOf(of_project, () => other)).toEqual(all(of_project, () => 403));
  });

  test("of a project are closed to management keys, and those of management to a project's", async () => {
    const wrong = ({ scope }: Endpoint) => (scope === "management" ? api : management);
    expect(await statusesOf(endpoints, wrong)).toEqual(all(endpoints, () => 401));
  });

  test("answer as the table says, by a token of their own scope alone", async () => {
    const scopes = [...new Set(of_project.map(({ scope }) => scope))];
    const bearers = new Map<string, Client>();
    for (const scope of scopes) bearers.set(scope, await bearerOf(api, scope));
    const by = ({ scope }: Endpoint) => bearers.get(scope) ?? management;
    expect(await statusesOf(endpoints, by)).toEqual(all(endpoints, ({ status }) => status));
  });

  test("answer a token of scope api as they answer the keys", async () => {
    const shop = await anotherProject();
    const asked = (await endpointsOf(shop, management)).filter(({ scope }) => scope !== "management");
    const bearer = await bearerOf(shop.api, "api");
    expect(await statusesOf(asked, () => bearer)).toEqual(all(asked, ({ status }) => status));
  });

  test("deletions answer without a body", async () => {
    await api.post("/v1/vouchers/KEPT", off(100), 200);
    const session = { type: "LOCK", key: "till" };
    await api.post("/v1/validations", { redeemables: [{ object: "voucher", id: "KEPT" }], order, session }, 200);
    expect((await api.delete("/v1/vouchers/KEPT/sessions/till", 204)).body).toBeNull();
  });
});

describe("a validation", () => {
  test.each([
    ["valid", "FREE", true],
    ["of what nobody knows", "NOWHERE", false],
  ])("that is well formed answers 200: %s", async (_, id, valid) => {
    await api.post("/v1/vouchers/FREE", off(100));
    const { body } = await api.post("/v1/validations", { redeemables: [{ object: "voucher", id }], order }, 200);
    expect(body.valid).toBe(valid);
  });
});

test("every record is read under its id: redemption, failure, rollback, failed rollback", async () => {
  await api.post("/v1/vouchers/OFF", { ...off(100), active: false }, 200);
  const redeem = (id: string, status: number) =>
    api.post("/v1/redemptions", { redeemables: [{ object: "voucher", id }], order }, status);
  await api.post("/v1/vouchers/READ", off(100), 200);
  const { id } = (await redeem("READ", 200)).body.redemptions[0];
  const failed = (await redeem("OFF", 400)).body.resource_id;
  const rollback = (await api.post(`/v1/redemptions/${id}/rollback`, {}, 200)).body.id;
  const again = (await api.post(`/v1/redemptions/${id}/rollback`, {}, 400)).body.resource_id;
  const read = [id, failed, rollback, again];
  expect(read.map((one: string) => one.split("_")[0])).toEqual(["r", "rf", "rr", "rrf"]);
  for (const one of read) expect((await api.get(`/v1/redemptions/${one}`, 200)).body.id).toBe(one);
});

test("a key of role MERCHANT redeems single incentives, and nothing together", async () => {
  const shop = await anotherProject();
  await shop.api.post("/v1/vouchers/ONE", off(100), 200);
  const [tier] = (await tiersOf(shop.api, [{}])).ids;
  await editSettings(
    context,
    shop.id,
    sql`update api_keys set role = 'MERCHANT' where api_keys.project_id = ${shop.id}`,
  );
  const redeemables = [{ object: "voucher", id: "ONE" }];
  for (const path of ["/v1/validations", "/v1/redemptions"])
    expect((await shop.api.post(path, { redeemables, order }, 403)).body).toMatchObject(missing_permission);
  for (const path of ["/v1/vouchers/ONE", `/v1/promotions/tiers/${tier}`]) {
    const validation = path.includes("tiers") ? "validation" : "validate";
    expect((await shop.api.post(`${path}/${validation}`, { order }, 200)).body.valid).toBe(true);
    expect((await shop.api.post(`${path}/redemption`, { order }, 200)).body.result).toBe("SUCCESS");
  }
});

test("a page asks and redeems under /client/v1, and nowhere else", async () => {
  await api.post("/v1/vouchers/PAGE", off(100), 200);
  const redeemables = [{ object: "voucher", id: "PAGE" }];
  await page.post("/client/v1/validations", { redeemables, order }, 200);
  await page.post("/client/v1/redemptions", { redeemables, order }, 200);
  await page.post("/client/v1/qualifications", { order }, 200);
  await page.get("/client/v1/validate?code=PAGE&amount=10000", 200);
  await page.post("/client/v1/redeem?code=PAGE", { order }, 200);
  await page.get("/client/v1/promotions/tiers", 200);
  await page.post("/v1/validations", { redeemables, order }, 401);
  await api.post("/client/v1/validations", { redeemables, order }, 401);
});
