import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { aUser } from "./user.fixtures.js";

const service = await startService();
const { management, anotherProject } = service;
const at = (project: { id: string }, user_id = "") =>
  `/management/v1/projects/${project.id}/users${user_id === "" ? "" : `/${user_id}`}`;
const rolesIn = async (project: { id: string }) =>
  Object.fromEntries(
    (await management.get(`${at(project)}?limit=100`, 200)).body.data.map((user: { id: string; role: string }) => [
      user.id,
      user.role,
    ]),
  );

describe("the people of a project", () => {
  test("are its organization's owners at first", async () => {
    const { body } = await management.get(at(await anotherProject()), 200);
    expect(body).toMatchObject({ object: "list", data_ref: "data", total: body.data.length });
    for (const user of body.data) expect(user).toMatchObject({ is_owner: true, role: "ADMIN" });
    // Tests share the organization, and some make it another owner.
    expect(body.data).toContainEqual(expect.objectContaining({ login: "owner@localhost" }));
  });

  test("are assigned by id or by login, shown with all their projects, and given another role", async () => {
    const [project, other] = [await anotherProject(), await anotherProject()];
    const { created_at: _, ...user } = await aUser(service);
    const { body } = await management.post(at(project), { id: user.id, role: "VIEWER" }, 200);
    expect(body).toEqual({ ...user, role: "VIEWER", projects: { [project.id]: "VIEWER" } });
    const { body: second } = await management.post(at(other), { login: user.login.toUpperCase(), role: "USER" }, 200);
    const projects = { [project.id]: "VIEWER", [other.id]: "USER" };
    expect(second).toEqual({ ...user, role: "USER", projects });
    expect((await management.get(at(project, user.id), 200)).body).toEqual({ ...user, role: "VIEWER", projects });
    await management.post(at(project), { id: user.id, role: "MERCHANT" }, 200);
    expect((await rolesIn(project))[user.id]).toBe("MERCHANT");
    const { body: changed } = await management.put(at(project, user.id), { role: "ADMIN" }, 200);
    expect(changed).toMatchObject({ role: "ADMIN", projects: { ...projects, [project.id]: "ADMIN" } });
  });

  test("leave a project, but not their only one", async () => {
    const [project, other] = [await anotherProject(), await anotherProject()];
    const { id } = await aUser(service);
    await management.post(at(project), { id, role: "USER" }, 200);
    const { body } = await management.delete(at(project, id), 400);
    expect(body).toMatchObject({ key: "invalid_payload", details: "A user's only project cannot be taken away" });
    await management.post(at(other), { id, role: "USER" }, 200);
    await management.delete(at(project, id), 204);
    expect(await rolesIn(project)).not.toHaveProperty(id);
    const again = (await management.delete(at(project, id), 400)).body;
    expect(again).toMatchObject({
      ...{ key: "user_not_assigned", message: "User is not assigned" },
      details: "User is not assigned to the project",
    });
    const nobody = (await management.delete(at(project, "user_nobody"), 404)).body;
    expect(nobody).toMatchObject({ key: "not_found", resource_type: "user", resource_id: "user_nobody" });
  });

  test("always have an administrator among them, whoever is demoted or leaves at once", async () => {
    const [project, other] = [await anotherProject(), await anotherProject()];
    for (const id of Object.keys(await rolesIn(project)))
      await service.context.db.run(sql`
        delete from project_members
         where project_members.project_id = ${project.id} and project_members.user_id = ${id}`);
    const [ann, bob] = [await aUser(service), await aUser(service)];
    for (const { id } of [ann, bob]) {
      await management.post(at(project), { id, role: "ADMIN" }, 200);
      await management.post(at(other), { id, role: "USER" }, 200);
    }
    const answers = await Promise.all([
      management.put(at(project, ann.id), { role: "VIEWER" }),
      management.delete(at(project, bob.id)),
    ]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body).toMatchObject({
      ...{ key: "invalid_payload", details: "A project must keep an administrator" },
    });
    expect(Object.values(await rolesIn(project))).toContain("ADMIN");
    const last = Object.entries(await rolesIn(project)).find(([, role]) => role === "ADMIN")?.[0];
    await management.post(at(project), { id: last, role: "USER" }, 400);
  });

  test("are listed a page at a time, longest there first", async () => {
    const project = await anotherProject();
    const ids = [];
    for (let i = 0; i < 3; i += 1) {
      service.clock.advance({ minutes: 1 });
      const { id } = await aUser(service);
      await management.post(at(project), { id, role: "USER" }, 200);
      ids.push(id);
    }
    const all = (await management.get(`${at(project)}?limit=100`, 200)).body;
    expect(all.data.slice(-3).map(({ id }: { id: string }) => id)).toEqual(ids);
    const second = (await management.get(`${at(project)}?limit=1&page=2`, 200)).body;
    expect(second).toMatchObject({ total: all.total, data: [{ id: all.data[1].id }] });
  });

  test("are a project's own", async () => {
    const [project, other] = [await anotherProject(), await anotherProject()];
    const { id } = await aUser(service);
    await management.post(at(project), { id, role: "USER" }, 200);
    const details = `Cannot find user '${id}' assigned to the project '${other.id}'`;
    expect((await management.get(at(other, id), 404)).body).toMatchObject({ key: "not_found", details });
    expect((await management.put(at(other, id), { role: "USER" }, 404)).body.details).toBe(details);
    await management.get(at({ id: "proj_nobody" }), 404);
    await management.post(at({ id: "proj_nobody" }), { id, role: "USER" }, 404);
  });

  test.each<[string, object, string, string]>([
    [
      "a role that nobody has",
      { id: "x", role: "VICE_ADMIN" },
      "used_incorrect_role",
      "The role 'VICE_ADMIN' is incorrect",
    ],
    ["no name", { role: "USER" }, "invalid_payload", "either property 'id' or property 'login'"],
    ["two names", { id: "a", login: "b", role: "USER" }, "invalid_payload", "either property 'id' or property 'login'"],
    ["no role", { id: "a" }, "invalid_payload", "'role'"],
  ])("are not assigned with %s", async (_name, sent, key, details) => {
    const { body } = await management.post(at(service.project), sent, 400);
    expect(body).toMatchObject({ key, details: expect.stringContaining(details) });
  });

  test("are known to the organization before they are assigned", async () => {
    for (const sent of [{ id: "user_nobody" }, { login: "nobody@example.com" }]) {
      const { body } = await management.post(at(service.project), { ...sent, role: "USER" }, 404);
      expect(body).toMatchObject({ key: "not_found", resource_type: "user", resource_id: Object.values(sent)[0] });
    }
  });
});
