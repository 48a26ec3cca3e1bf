import { describe, expect, test } from "vitest";
import { createClient } from "../../../../test/harness/client.js";
import { aContextApart } from "../../../../test/harness/database.js";
import { uniqueText } from "../../../../test/harness/resources.js";
import { startService } from "../../../../test/harness/service.js";
import { eventSourceOf, the_service } from "../../../terms/index.js";
import { someoneIn } from "../../people/people.fixtures.js";
import { aUser } from "../users/user.fixtures.js";
import { createRole } from "./role.service.js";

const service = await startService();
const { management, project, anotherProject, url } = service;
const at = "/management/v1/roles";
const discount = { type: "AMOUNT", amount_off: 100 };
const no_permission = { code: 403, key: "missing_required_permission" };

const aRole = async (fields: object = {}) =>
  (await management.post(at, { name: uniqueText("Support"), duplicate_of: "VIEWER", ...fields }, 200)).body;
/** Somebody in a project in a role that was made. */
async function holderOf({ id: role }: { id: string }, of = project) {
  const { user, browser } = await someoneIn(service, of.id, "VIEWER");
  await management.put(`/management/v1/projects/${of.id}/users/${user.id}`, { role }, 200);
  return { user, browser };
}

describe("a role that the organization makes", () => {
  test("begins as another one, and is listed behind those that there always are", async () => {
    const { data } = (await management.get(at, 200)).body;
    const [admin, , viewer] = data;
    expect(data.slice(0, 4).map(({ id }: { id: string }) => id)).toEqual(["ADMIN", "USER", "VIEWER", "MERCHANT"]);
    expect(viewer.permissions).toContain("vouchers.read");
    const made = await aRole({ name: "Support desk" });
    expect(made).toEqual({
      ...{ id: expect.stringMatching(/^role_/), name: "Support desk", permissions: viewer.permissions },
      ...{ is_custom: true, created_at: "2026-03-02T10:00:00.000Z", updated_at: null, object: "role" },
    });
    expect((await management.get(`${at}/${made.id}`, 200)).body).toEqual(made);
    const second = await aRole({
      duplicate_of: made.id,
      permissions: ["vouchers.read", "exports.create", "vouchers.read"],
    });
    expect(second.permissions).toEqual(["exports.create", "vouchers.read"]);
    expect((await management.get(`${at}/ADMIN`, 200)).body).toEqual(admin);
  });

  test("lets people do what it says and nothing else, from the next request on", async () => {
    const role = await aRole({ permissions: ["vouchers.read", "vouchers.enable.create", "members.read"] });
    const { browser } = await holderOf(role);
    await project.api.post("/v1/vouchers/ONE", { discount }, 200);
    await browser.get("/v1/vouchers/ONE", 200);
    await browser.post("/v1/vouchers/ONE/enable", {}, 200);
    await browser.get("/dashboard/v1/members", 200);
    expect((await browser.delete("/v1/vouchers/ONE", 403)).body).toMatchObject(no_permission);
    await browser.get("/v1/customers", 403);
    await browser.get("/dashboard/v1/keys", 403);
    const { body: me } = await browser.get("/dashboard/v1/me", 200);
    expect(me.permissions[role.id]).toEqual(role.permissions);
    await management.put(`${at}/${role.id}`, { permissions: ["customers.read"] }, 200);
    await browser.get("/v1/vouchers/ONE", 403);
    await browser.get("/v1/customers", 200);
  });

  test("opens settings that it names, of its own project alone", async () => {
    const { browser } = await holderOf(await aRole({ permissions: ["webhooks.read"] }));
    const other = await anotherProject();
    await browser.get(`/management/v1/projects/${project.id}/webhooks`, 200);
    await browser.post(`/management/v1/projects/${project.id}/webhooks`, {}, 403);
    await browser.get(`/management/v1/projects/${other.id}/webhooks`, 403);
  });

  test("is a key's too, and of the tokens that it mints", async () => {
    const role = await aRole({ permissions: ["validations.create", "vouchers.read"] });
    const { browser: admin } = await someoneIn(service, project.id, "ADMIN");
    const sent = { name: "Till", kind: "server", role: role.id };
    const key = (await admin.post("/dashboard/v1/keys", sent, 200)).body;
    const till = createClient(url, { "x-app-id": key.id, "x-app-token": key.token });
    const minted = await till.send("POST", "/v1/oauth/token", {
      raw: "grant_type=client_credentials&scope=api",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      status: 200,
    });
    const bearer = createClient(url, { authorization: `Bearer ${minted.body.access_token}` });
    await project.api.post("/v1/vouchers/TILL", { discount }, 200);
    const cart = { redeemables: [{ object: "voucher", id: "TILL" }], order: { amount: 500 } };
    for (const caller of [till, bearer]) {
      await caller.post("/v1/validations", cart, 200);
      await caller.post("/v1/redemptions", cart, 403);
      await caller.get("/v1/orders", 403);
      // Whoever only asks leaves no lock behind.
      expect((await caller.post("/v1/validations", { ...cart, session: { type: "LOCK" } }, 403)).body).toMatchObject(
        no_permission,
      );
    }
    await management.put(`${at}/${role.id}`, { permissions: ["validations.create", "redemptions.create"] }, 200);
    await till.post("/v1/validations", { ...cart, session: { type: "LOCK", key: "k" } }, 200);
  });

  test("is given by invitation and to people of a new project, and shown by its name", async () => {
    const role = await aRole();
    const ann = await aUser(service);
    const users = [{ id: ann.id, role: role.id }];
    const made = (await management.post("/management/v1/projects", { name: "Shop", users }, 200)).body;
    const invited = { email: `${uniqueText("bea")}@example.com`, first_name: "Bea", last_name: "Moe" };
    const projects = { [made.id]: role.id };
    await management.post("/management/v1/projects/users/invite", { ...invited, projects }, 204);
    const { browser } = await someoneIn(service, made.id, "ADMIN");
    const { members } = (await browser.get("/dashboard/v1/members?limit=100", 200)).body;
    const named = { role: role.id, role_name: role.name };
    expect(members).toContainEqual(expect.objectContaining({ id: ann.id, ...named }));
    expect(members).toContainEqual(expect.objectContaining({ email: invited.email, ...named }));
    expect(members).toContainEqual(expect.objectContaining({ role: "ADMIN", role_name: null }));
  });

  test("administers no project, whatever it may call", async () => {
    const lonely = await anotherProject();
    const { user, browser } = await someoneIn(service, lonely.id, "ADMIN");
    const { members } = (await browser.get("/dashboard/v1/members?limit=100", 200)).body;
    for (const { id } of members)
      if (id !== user.id) await browser.put(`/dashboard/v1/members/${id}`, { role: "VIEWER" }, 200);
    const role = await aRole({ duplicate_of: "ADMIN" });
    const { body } = await browser.put(`/dashboard/v1/members/${user.id}`, { role: role.id }, 400);
    expect(body.details).toBe("A project must keep an administrator");
  });

  test("stays while somebody has it, and goes when nobody does", async () => {
    const role = await aRole();
    const { user } = await holderOf(role);
    const refused = (await management.delete(`${at}/${role.id}`, 400)).body;
    expect(refused).toMatchObject({ key: "resource_in_use", related_object_ids: [user.id] });
    await management.put(`/management/v1/projects/${project.id}/users/${user.id}`, { role: "USER" }, 200);
    await management.delete(`${at}/${role.id}`, 204);
    await management.delete(`${at}/${role.id}`, 404);
    await management.get(`${at}/${role.id}`, 404);
    const again = { role: role.id };
    const { body } = await management.put(`/management/v1/projects/${project.id}/users/${user.id}`, again, 400);
    expect(body).toMatchObject({ key: "used_incorrect_role", details: `The role '${role.id}' is incorrect` });
  });

  test("is given to somebody or deleted, whichever comes first, and never both", async () => {
    const { user } = await someoneIn(service, project.id, "VIEWER");
    for (let i = 0; i < 5; i += 1) {
      const { id: role } = await aRole();
      const [given, deleted] = await Promise.all([
        management.put(`/management/v1/projects/${project.id}/users/${user.id}`, { role }),
        management.delete(`${at}/${role}`),
      ]);
      expect([given.status < 300, deleted.status < 300].filter(Boolean)).toHaveLength(1);
    }
  });

  test("is one of a hundred at most", async () => {
    const { context } = await aContextApart();
    const cause = {
      ...{ project_id: "", request_id: "v-1", event_source: eventSourceOf(the_service) },
      instant: context.clock.now(),
    };
    const none = { ADMIN: [], USER: [], VIEWER: [], MERCHANT: [] };
    const add = (name: string) => createRole(context, cause, { name, duplicate_of: "USER" }, none);
    for (let roles = 0; roles < 100; roles += 1) await add(`role ${roles}`);
    await expect(add("one more")).rejects.toMatchObject({
      body: { details: "The organization has 100 roles of its own at most" },
    });
  });

  test.each<[string, object, number, object]>([
    [
      "a name that is taken, in whatever case",
      { name: "TAKEN" },
      409,
      { key: "duplicate_found", resource_id: "TAKEN" },
    ],
    ["the name of one that is always there", { name: "ADMIN" }, 409, { key: "duplicate_found" }],
    ["no name", { name: "" }, 400, { key: "invalid_payload" }],
    ["nothing that it begins as", { duplicate_of: undefined }, 400, { key: "invalid_payload" }],
    ["a role that nobody has", { duplicate_of: "role_none" }, 400, { key: "used_incorrect_role" }],
    [
      "a permission that there is not",
      { permissions: ["vouchers.read", "vouchers.fly"] },
      400,
      { key: "invalid_payload", details: "Property .permissions[1] names no permission: vouchers.fly" },
    ],
  ])("is not made of %s", async (_, fields, status, says) => {
    await management.post(at, { name: "Taken", duplicate_of: "VIEWER" });
    const sent = { name: uniqueText("Support"), duplicate_of: "VIEWER", ...fields };
    expect((await management.post(at, sent, status)).body).toMatchObject(says);
  });

  test("leaves those alone that there always are, and is the organization's own to make", async () => {
    await management.put(`${at}/USER`, { permissions: [] }, 403);
    await management.delete(`${at}/USER`, 403);
    const { browser } = await someoneIn(service, project.id, "ADMIN", { is_owner: true });
    await browser.get(at, 401);
    await browser.post(at, { name: "Mine", duplicate_of: "ADMIN" }, 401);
  });
});
