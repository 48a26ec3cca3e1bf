import { describe, expect, test } from "vitest";
import { uniqueText } from "../../../../test/harness/resources.js";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";

const service = await startService();
const { management, project, anotherProject, context, runDue } = service;
const path = "/management/v1/projects/users/invite";
/** Other tests make people meanwhile. */
const last_name = uniqueText("Moe");
const anyone = (projects: object = { [project.id]: "USER" }) => ({
  ...{ email: `${uniqueText("bea")}@example.com`, first_name: "Bea", last_name },
  projects,
});
const people = () => context.db.many(sql`select users.email from users where users.last_name = ${last_name}`);
const mails = async () =>
  (
    await context.db.many<{ sealed: Buffer }>(sql`
      select mails.sealed from mails where mails.project_id = ${project.id} order by mails.id`)
  ).map(({ sealed }) => JSON.parse(context.seal.open(sealed)));

describe("an invitation", () => {
  test("makes somebody a person of projects, and has a link sent to them", async () => {
    const other = await anotherProject({ name: "Another shop" });
    const invited = anyone({ [project.id]: "VIEWER", [other.id]: "ADMIN" });
    expect((await management.post(path, invited, 204)).body).toBeNull();
    const { data } = (await management.get(`/management/v1/projects/${project.id}/users?limit=100`, 200)).body;
    const user = data.find(({ email }: { email: string }) => email === invited.email);
    expect(user).toMatchObject({ ...invited, login: invited.email, role: "VIEWER", is_owner: false });
    const [mail] = (await mails()).filter(({ to }) => to === invited.email);
    expect(mail.text).toContain("Another shop");
    const token = /\/welcome#(\S+)/.exec(mail.text)?.[1];
    const headers = { "x-project-id": "-", "sec-fetch-site": "same-origin" };
    const raw = JSON.stringify({ token, password: "a long password" });
    await management.send("POST", "/dashboard/v1/password", { raw, headers, status: 204 });
    await runDue();
    expect(await mails()).toEqual([]);
  });

  test("is refused to whoever is there, whatever the e-mail's case, and also when two come at once", async () => {
    const invited = anyone();
    const answers = await Promise.all([management.post(path, invited), management.post(path, invited)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    const email = invited.email.toUpperCase();
    const { body } = await management.post(path, { ...invited, email }, 409);
    expect(body).toMatchObject({
      ...{ code: 409, key: "duplicate_found", message: "Duplicated resource found" },
      ...{ details: `Duplicated user exists with email ${email}`, resource_id: email, resource_type: "user" },
    });
  });

  test.each<[string, object, number, object]>([
    [
      "an unknown role",
      { projects: { [project.id]: "VICE_ADMIN" } },
      400,
      { key: "used_incorrect_role", message: "Used incorrect role", details: "The role 'VICE_ADMIN' is incorrect" },
    ],
    [
      "an unknown project",
      { projects: { [project.id]: "USER", proj_nobody: "USER" } },
      404,
      { key: "not_found", details: "Cannot find project with id proj_nobody" },
    ],
    [
      "no project",
      { projects: {} },
      400,
      { key: "invalid_payload", details: "Property .projects must name at least one project" },
    ],
    [
      "more projects than one may be in at once",
      { projects: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`p${i}`, "USER"])) },
      400,
      { key: "invalid_payload", details: "Property .projects must not name more than 100 projects" },
    ],
    [
      "an e-mail that is none",
      { email: "bea" },
      400,
      { key: "invalid_payload", details: "Property .email must be an e-mail address" },
    ],
    ["two e-mails in one", { email: "a@b.example\r\nBcc: c@d.example" }, 400, { key: "invalid_payload" }],
    [
      "no name",
      { first_name: undefined },
      400,
      { key: "invalid_payload", details: "Payload must have required property 'first_name'" },
    ],
  ])("with %s is refused, and leaves nobody behind", async (_, fields, status, says) => {
    const [before, waiting] = [await people(), await mails()];
    expect((await management.post(path, { ...anyone(), ...fields }, status)).body).toMatchObject(says);
    expect([await people(), await mails()]).toEqual([before, waiting]);
  });
});
