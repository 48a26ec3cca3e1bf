import { expect, test } from "vitest";
import { aContextApart } from "../../../test/harness/database.js";
import { startService } from "../../../test/harness/service.js";
import { eventSourceOf, the_service } from "../../terms/index.js";
import { aUser } from "../management/users/user.fixtures.js";
import { findFirstOwner, makeFirstProject } from "./index.js";
import { createProject } from "./project.service.js";

const service = await startService();
const { management } = service;
const create = async (users: object[], status: number) =>
  (await management.post("/management/v1/projects", { name: "Shop", users }, status)).body;
const peopleOf = async ({ id }: { id: string }) =>
  (await management.get(`/management/v1/projects/${id}/users?limit=100`, 200)).body.data as Record<string, unknown>[];

test("a project begins with the people whom it is made for, beside the owners", async () => {
  const [ann, bea] = [await aUser(service), await aUser(service)];
  const users = [
    { id: ann.id, role: "ADMIN" },
    { login: bea.login.toUpperCase(), role: "VIEWER" },
  ];
  const people = await peopleOf(await create(users, 200));
  expect(people).toContainEqual(expect.objectContaining({ id: ann.id, role: "ADMIN", is_owner: false }));
  expect(people).toContainEqual(expect.objectContaining({ id: bea.id, role: "VIEWER", is_owner: false }));
  expect(people).toContainEqual(expect.objectContaining({ is_owner: true, role: "ADMIN" }));
});

test.each<[string, object[], number, object]>([
  [
    "a role that nobody has",
    [{ login: "owner@localhost", role: "VICE_ADMIN" }],
    400,
    { key: "used_incorrect_role", details: "The role 'VICE_ADMIN' is incorrect" },
  ],
  [
    "somebody by two names",
    [{ id: "x", login: "y", role: "USER" }],
    400,
    { key: "invalid_payload", details: "Property .users[0] must have either property 'id' or property 'login'" },
  ],
  [
    "somebody by no name",
    [{ role: "USER" }],
    400,
    { key: "invalid_payload", details: "Property .users[0] must have either property 'id' or property 'login'" },
  ],
  [
    "nobody",
    [{ id: "user_nobody", role: "USER" }],
    404,
    { key: "not_found", resource_type: "user", resource_id: "user_nobody" },
  ],
  [
    "somebody twice",
    [
      { login: "owner@localhost", role: "ADMIN" },
      { login: "OWNER@localhost", role: "USER" },
    ],
    400,
    { key: "invalid_payload", details: "Property .users[1] names somebody who was named before" },
  ],
])("a project that names %s is not made", async (_, users, status, says) => {
  const names = async () => (await management.get("/management/v1/projects", 200)).body.data.map(nameOf);
  const name = `Shop of ${_}`;
  const refused = (await management.post("/management/v1/projects", { name, users }, status)).body;
  expect(refused).toMatchObject(says);
  expect(await names()).not.toContain(name);
});

const nameOf = ({ name }: { name: string }) => name;

test("an owner may be given another role, as long as the project keeps an administrator", async () => {
  const { context } = await aContextApart();
  await makeFirstProject(context, {});
  const owner = await findFirstOwner(context.db);
  const cause = {
    ...{ project_id: "proj_second", request_id: "v-1", event_source: eventSourceOf(the_service) },
    instant: context.clock.now(),
  };
  const users = [{ id: owner?.id ?? "", role: "USER" }];
  const refused = createProject(context, cause, { name: "Second", users });
  await expect(refused).rejects.toMatchObject({ body: { details: "A project must keep an administrator" } });
});

test("the owners of the organization are told of use, unless the project says otherwise", async () => {
  const { context } = await aContextApart();
  await makeFirstProject(context, { owner_login: "ann@shop.example" });
  const cause = {
    ...{ project_id: "proj_second", request_id: "v-1", event_source: eventSourceOf(the_service) },
    instant: context.clock.now(),
  };
  const quiet = { value: 50, emails: [], in_app: false, enabled: false };
  const counters = { messages: quiet, api_calls: quiet, bulk_api_calls: quiet, webhook_calls: quiet };
  const cycle_calls = { ...quiet, emails: ["bea@shop.example"] };
  const made = await createProject(context, cause, {
    name: "Second",
    api_usage_notifications: { ...counters, cycle_calls },
  });
  expect(made.api_usage_notifications).toMatchObject({ api_calls: quiet, cycle_calls });
  const other = await createProject(context, { ...cause, project_id: "proj_third" }, { name: "Third" });
  expect(other.api_usage_notifications.api_calls.emails).toEqual(["ann@shop.example"]);
});
