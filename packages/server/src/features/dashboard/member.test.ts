import { describe, expect, test } from "vitest";
import { uniqueText } from "../../../test/harness/resources.js";
import { startService } from "../../../test/harness/service.js";
import { aUser } from "../management/users/user.fixtures.js";
import { aBrowser, someoneIn, tokenIn } from "../people/people.fixtures.js";

const service = await startService();
const { project } = service;
const { browser: admin } = await someoneIn(service, project.id, "ADMIN");
const { browser: owner } = await someoneIn(service, project.id, "ADMIN", { is_owner: true });
const all = "/dashboard/v1/members";
const bea = () => ({ email: `${uniqueText("bea")}@example.com`, first_name: "Bea", last_name: "Moe", role: "USER" });

describe("the people of a project, for its administrators", () => {
  test("are listed with their roles, and whether they can sign in", async () => {
    const { user } = await someoneIn(service, project.id, "VIEWER");
    const { members, total } = (await admin.get(`${all}?limit=100`, 200)).body;
    expect(total).toBe(members.length);
    expect(members).toContainEqual(expect.objectContaining({ id: user.id, role: "VIEWER", can_sign_in: true }));
  });

  test("may be given roles that the organization has made, which are listed with them", async () => {
    const fields = { name: uniqueText("Support"), duplicate_of: "MERCHANT" };
    const { id } = (await service.management.post("/management/v1/roles", fields, 200)).body;
    const { own_roles } = (await admin.get(all, 200)).body;
    expect(own_roles).toContainEqual({ id, name: fields.name });
    const invited = (await admin.post(all, { ...bea(), role: id }, 200)).body;
    expect(invited).toMatchObject({ role: id, role_name: fields.name });
  });

  test("are invited, and come in by an owner's link where no mail goes out", async () => {
    const invited = (await admin.post(all, bea(), 200)).body;
    expect(invited).toMatchObject({ role: "USER", can_sign_in: false, is_owner: false });
    await admin.post(`${all}/${invited.id}/link`, undefined, 403);
    const { body } = await owner.send("POST", `${all}/${invited.id}/link`, { status: 200 });
    const token = body.url.split("/welcome#")[1];
    const answer = await aBrowser(service, "-").post(
      "/dashboard/v1/password",
      { token, password: "a long password" },
      204,
    );
    await aBrowser(service, project.id, tokenIn(answer)).get("/v1/vouchers", 200);
  });

  test("are assigned where they are people of the organization already", async () => {
    const user = await aUser(service);
    const { body } = await admin.post(all, { ...bea(), email: user.email.toUpperCase() }, 200);
    expect(body).toMatchObject({ id: user.id, role: "USER", first_name: user.first_name });
  });

  test("have their roles changed, and leave; whoever is signed in is out", async () => {
    const { user, browser } = await someoneIn(service, project.id, "USER");
    expect((await admin.put(`${all}/${user.id}`, { role: "MERCHANT" }, 200)).body.role).toBe("MERCHANT");
    const refused = (await admin.delete(`${all}/${user.id}`, 400)).body;
    expect(refused.details).toBe("A user's only project cannot be taken away");
    const other = await service.anotherProject();
    await service.management.post(`/management/v1/projects/${other.id}/users`, { id: user.id, role: "USER" }, 200);
    await admin.delete(`${all}/${user.id}`, 204);
    await browser.get("/dashboard/v1/me", 401);
  });

  test("always keep an administrator among them", async () => {
    const lonely = await service.anotherProject();
    const { user, browser } = await someoneIn(service, lonely.id, "ADMIN");
    const { members } = (await browser.get(`${all}?limit=100`, 200)).body;
    for (const { id } of members) if (id !== user.id) await browser.put(`${all}/${id}`, { role: "VIEWER" }, 200);
    const { body } = await browser.put(`${all}/${user.id}`, { role: "VIEWER" }, 400);
    expect(body.details).toBe("A project must keep an administrator");
  });

  test("are its own", async () => {
    const { user } = await someoneIn(service, (await service.anotherProject()).id, "USER");
    await admin.put(`${all}/${user.id}`, { role: "VIEWER" }, 404);
    await owner.send("POST", `${all}/${user.id}/link`, { status: 404 });
  });
});
