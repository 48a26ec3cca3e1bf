import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../../test/harness/client.js";
import { aContextApart } from "../../../test/harness/database.js";
import { buildApp } from "../../app.js";
import type { Context } from "../../platform/context.js";
import { createLog } from "../../platform/log.js";
import { makeFirstProject } from "../projects/index.js";
import { insertUser } from "../projects/user.store.js";
import { tokenIn } from "./people.fixtures.js";
import { makeFirstOwnerLink, makeOwnerLink, setOwner } from "./people.service.js";

/** A new installation, whose first start has just ended. */
async function anInstallation(public_url?: string) {
  const { context, clock } = await aContextApart();
  const config: Context["config"] = { ...context.config, ...(public_url ? { public_url } : {}) };
  // The log of a context apart is no logger for an application.
  const installed: Context = { ...context, config, log: createLog("error") };
  const { project_id } = (await makeFirstProject(installed, {})) ?? { project_id: "" };
  const app = await buildApp(installed, { check_responses: true });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => app.close());
  const page = createClient(url, { "x-project-id": "-", "sec-fetch-site": "same-origin" });
  return { context: installed, clock, project_id, page };
}
const tokenOf = (path: string | null) => path?.split("#")[1] ?? "";
const ann = { email: "ann@shop.example", first_name: "Ann", last_name: "Lee", password: "correct horse battery" };

test("whoever follows the first link becomes the owner, administrates the first project, and no start makes another link", async () => {
  const { context, project_id, page } = await anInstallation();
  expect((await page.get("/dashboard/v1/owner", 200)).body).toEqual({ exists: false });
  const path = await makeFirstOwnerLink(context);
  expect(path).toMatch(/^\/welcome#[0-9a-f-]{60,}$/);
  const token = tokenOf(path);
  expect((await page.post("/dashboard/v1/links", { token }, 200)).body).toMatchObject({ is_owner: true });
  const answer = await page.post("/dashboard/v1/owner", { ...ann, token }, 204);
  expect((await page.get("/dashboard/v1/owner", 200)).body).toEqual({ exists: true });
  const cookie = `guerdon_${context.seal.fingerprint}=${tokenIn(answer)}`;
  const { body } = await page.send("GET", "/dashboard/v1/me", { headers: { cookie }, status: 200 });
  expect(body).toMatchObject({ email: ann.email, login: ann.email, first_name: "Ann", is_owner: true });
  expect(body.projects).toMatchObject([{ id: project_id, role: "ADMIN" }]);
  expect(body.permissions.ADMIN).toContain("vouchers.delete");
  await page.post("/dashboard/v1/owner", { ...ann, token }, 404);
  expect(await makeFirstOwnerLink(context)).toBeNull();
  // Asked for by whoever runs the service, there is another all the same.
  const lost = tokenOf(await makeOwnerLink(context));
  await page.post("/dashboard/v1/owner", { ...ann, token: lost, password: "forgotten and new" }, 204);
  await page.post("/dashboard/v1/session", { email: ann.email, password: "forgotten and new" }, 204);
});

test("each start makes a link of its own, and all of them are over once there is an owner", async () => {
  const { context, page } = await anInstallation();
  const links = [tokenOf(await makeFirstOwnerLink(context)), tokenOf(await makeFirstOwnerLink(context))];
  await page.post("/dashboard/v1/owner", { ...ann, token: links[0] }, 204);
  await page.post("/dashboard/v1/owner", { ...ann, token: links[1] }, 404);
});

test("an owner's e-mail is one, and nobody else's", async () => {
  const { context, clock, page } = await anInstallation();
  const other = {
    id: "user_bob",
    login: "bob@shop.example",
    email: "bob@shop.example",
    first_name: "Bob",
    last_name: "Moe",
  };
  await context.db.transaction((tx) => insertUser(tx, { ...other, is_owner: false, created_at: clock.now() }));
  const token = tokenOf(await makeFirstOwnerLink(context));
  const { body } = await page.post("/dashboard/v1/owner", { ...ann, token, email: "BOB@shop.example" }, 409);
  expect(body).toMatchObject({ key: "duplicate_found", resource_type: "user", resource_id: "BOB@shop.example" });
  for (const email of ["ann", "ann@", "a b@shop.example", "ann@shop.example, eve@evil.example", "<ann@shop.example>"]) {
    const refused = await page.post("/dashboard/v1/owner", { ...ann, token, email }, 400);
    expect(refused.body).toMatchObject({
      key: "invalid_payload",
      details: "Property .email must be an e-mail address",
    });
  }
  // What was refused has not used it up.
  await page.post("/dashboard/v1/owner", { ...ann, token }, 204);
});

test("an operator names the owner, once: whoever is there stays, with the password that they have", async () => {
  const { context, page } = await anInstallation();
  await setOwner(context, ann);
  await setOwner(context, { email: "eve@evil.example", password: "another password" });
  expect(await makeFirstOwnerLink(context)).toBeNull();
  await page.post("/dashboard/v1/session", { email: ann.email, password: ann.password }, 204);
  await page.post("/dashboard/v1/session", { email: "eve@evil.example", password: "another password" }, 400);
});

test("where pages come by https the cookie belongs to their host, and calls come from their address", async () => {
  const { context, page } = await anInstallation("https://guerdon.example");
  await setOwner(context, ann);
  const raw = JSON.stringify({ email: ann.email, password: ann.password });
  const send = (origin: string) =>
    page.send("POST", "/dashboard/v1/session", { raw, headers: { "sec-fetch-site": null, origin } });
  expect((await send("http://guerdon.example")).status).toBe(403);
  const answer = await send("https://guerdon.example");
  expect(answer.status).toBe(204);
  expect(answer.headers.get("set-cookie")).toMatch(
    /^__Host-guerdon=\S+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=/,
  );
});
