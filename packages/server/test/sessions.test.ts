import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aBrowser, aSessionOf, cookieNameOf, someoneIn } from "../src/features/people/people.fixtures.js";
import { putMember } from "../src/features/projects/index.js";
import { sql } from "../src/platform/db/sql.js";
import { type Answer, type Client, createClient } from "./harness/client.js";
import { bodyText, nameOf, type Operation, pathWith, readOperations } from "./harness/document.js";
import { exampleOf } from "./harness/schema-values.js";
import { startService } from "./harness/service.js";
import { storedOf } from "./harness/stored.js";

const service = await startService();
const { url, project, context, anotherProject } = service;
const elsewhere = await anotherProject();

/** Of the management API, what people do for a project of theirs, said anew here. */
const managed =
  /^\/management\/v1\/projects\/\{projectId\}\/(webhooks|send-outs|metadata-schemas|custom-event-schemas|stacking-rules|sample-shop)(\/|$)/;
const isManaged = (operation: Operation) => managed.test(operation.path) || isTheProject(operation);
const isTheProject = (operation: Operation) => nameOf(operation) === "GET /management/v1/projects/{projectId}";

const every = await readOperations(url);
/** Everything that a session may be tried on. */
const operations = every.filter((one) => /^(\/dashboard)?\/v1\//.test(one.path) || isManaged(one));
/** Open to whoever is not signed in: pictures of codes, reports by what their address says, and how one signs in. */
const is_open =
  /^GET \/v1\/assets\/|^GET \/v1\/async-actions\/[^/]+\/report$|^GET \/dashboard\/v1\/owner$|^POST \/dashboard\/v1\/(owner|links|password|session)$/;
const closed = operations.filter((operation) => !is_open.test(nameOf(operation)));
/** Tokens are made by key pairs alone. */
const isByPairAlone = ({ path }: Operation) => path.startsWith("/v1/oauth/");
/** Files come as forms, and the token operations are OAuth's. */
const takesForms = ({ body_type, path }: Operation) =>
  body_type !== "application/json" || isByPairAlone({ path } as Operation);
/** Open to whoever is signed in, whatever their projects. */
const isPersonal = ({ path }: Operation) => /^\/dashboard\/v1\/(me|session)(\/|$)/.test(path);

const table = closed.map((operation) => ({ name: nameOf(operation), operation }));
const members = table.filter(({ operation }) => !isByPairAlone(operation) && !isPersonal(operation));

function call(browser: Client, operation: Operation, headers: Record<string, string | null> = {}): Promise<Answer> {
  const { method, path, body, body_type } = operation;
  const raw = body && bodyText(exampleOf(body), body_type);
  const type: Record<string, string> = raw === undefined ? {} : { "content-type": body_type };
  return browser.send(method, pathWith(path, { code: "NOBODYS", projectId: project.id }), {
    ...(raw === undefined ? {} : { raw }),
    headers: { ...type, ...headers },
  });
}

const no_permission = { code: 403, key: "missing_required_permission" };
const unauthorized = { code: 401, key: "unauthorized", message: "Unauthorized" };

const signed_out = aBrowser(service, project.id);
const stranger = aBrowser(service, project.id, (await someoneIn(service, elsewhere.id, "ADMIN")).token);
const { browser: viewer } = await someoneIn(service, project.id, "VIEWER");
const { browser: admin, token, user } = await someoneIn(service, project.id, "ADMIN");

test("there is much to try", () => {
  expect(members.length).toBeGreaterThan(190);
});

/** Looked at once for all calls of a group: each look reads every table. */
function leavesNothing(): void {
  let before: Record<string, string>;
  beforeAll(async () => {
    before = await storedOf(context, project.id);
  });
  afterAll(async () => expect(await storedOf(context, project.id)).toEqual(before));
}

describe("somebody who is signed out", () => {
  test.each(table)("is turned away from $name", async ({ operation }) => {
    expect(await call(signed_out, operation)).toMatchObject({ status: 401, body: unauthorized });
  });
});

describe("somebody of another project", () => {
  test.each(table)("has no permission for $name", async ({ operation }) => {
    if (isPersonal(operation)) return;
    const answer = await call(stranger, operation);
    expect(answer.body).toMatchObject(isByPairAlone(operation) ? unauthorized : no_permission);
  });

  leavesNothing();
});

/** What a role that may only read is for (platform.md §2), said anew here. */
function mayViewerCall(operation: Operation): boolean {
  const { method, path } = operation;
  if (isManaged(operation)) return method === "GET" && !isTheProject(operation);
  const [first = "", ...words] = path.replace(/^(\/dashboard)?\/v1\//, "").split("/");
  const closed = ["keys", "members", "metadata-schemas", "preview", "request-log", "segments", "webhook-secret"];
  if (path.startsWith("/dashboard/")) return !closed.includes(first);
  if (method === "GET") return true;
  return (
    method === "POST" &&
    [first, ...words].some(
      (word) => /^(validat\w+|qualifications?|exports?|examine)$/.test(word) && word !== "validation-rules",
    )
  );
}

describe("somebody who may only look", () => {
  test.each(members)("is answered as that by $name", async ({ operation }) => {
    const { status, body } = await call(viewer, operation);
    if (mayViewerCall(operation)) expect([401, 403]).not.toContain(status);
    else expect(body).toMatchObject(no_permission);
  });
});

describe("a call that another site makes a visitor's browser send with their cookie", () => {
  const forged: Record<string, string | null>[] = [
    { "x-project-id": null },
    { "x-project-id": null, "sec-fetch-site": "cross-site", origin: "https://evil.example" },
    { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
    { "sec-fetch-site": null, origin: "https://evil.example" },
    { "sec-fetch-site": null, origin: "null" },
    { "sec-fetch-site": "same-site", origin: url },
  ];
  test.each(table)("is refused by $name", async ({ operation }) => {
    for (const headers of forged) {
      // No browser sends the header for another site; where it reads, that alone keeps it out.
      if (operation.method === "GET" && headers["x-project-id"] === undefined) continue;
      const { status, body } = await call(admin, operation, headers);
      expect({ status, key: body.key }).toEqual(
        isByPairAlone(operation) ? { status: 401, key: "unauthorized" } : { status: 403, key: "forbidden" },
      );
    }
  });

  // What a form of another site can send without a question: its types of content, and no header of its own choice.
  test.each(table.filter(({ operation }) => operation.method === "POST"))(
    "as a form is refused by $name",
    async ({ operation }) => {
      for (const type of ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"]) {
        const sent = { "content-type": type, "x-project-id": null, "sec-fetch-site": "cross-site" };
        const path = pathWith(operation.path, { code: "NOBODYS", projectId: project.id });
        const { status } = await admin.send("POST", path, { raw: '{"name":"forged"}', headers: sent });
        expect(status).toBe(isByPairAlone(operation) ? 401 : 403);
        // Nor is what a form sends taken for JSON where the page is ours.
        const ours = await admin.send("POST", path, { raw: "{}", headers: { "content-type": type } });
        if (operation.body && !takesForms(operation)) expect([401, 415]).toContain(ours.status);
      }
    },
  );

  leavesNothing();

  test("cannot get the header past the question that a browser asks first", async () => {
    for (const path of ["/v1/vouchers", "/dashboard/v1/me"]) {
      const headers = { origin: "https://evil.example", "access-control-request-headers": "x-project-id" };
      const answer = await signed_out.send("OPTIONS", path, {
        headers: { ...headers, "access-control-request-method": "GET" },
      });
      expect(answer.headers.get("access-control-allow-headers")?.toLowerCase() ?? "").not.toContain("x-project-id");
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });
});

describe("a session in a project", () => {
  test("does what its role may, and events say who did it", async () => {
    const answer = await admin.post("/v1/customers", { source_id: "by-hand" }, 200);
    expect(answer.headers.get("x-request-id")).toMatch(/^w-[0-9a-f]{18}$/);
    const [event] = await context.db.many(sql`
      select events.event_source from events where events.project_id = ${project.id} and events.entity_id = ${answer.body.id}`);
    expect(event).toEqual({ event_source: { channel: "USER_PORTAL", user: { id: user.id } } });
  });

  test("redeems and rolls back as the user", async () => {
    const { code } = (
      await admin.post("/v1/vouchers", { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 1 } }, 200)
    ).body;
    const { body } = await admin.post(
      "/v1/redemptions",
      { redeemables: [{ object: "voucher", id: code }], order: { amount: 100 } },
      200,
    );
    expect(body.redemptions[0]).toMatchObject({ channel: { channel_id: user.id, channel_type: "USER" } });
    await admin.post(`/v1/redemptions/${body.redemptions[0].id}/rollback`, {}, 200);
  });

  test("counts for nothing beside a key, right or wrong", async () => {
    const keys = { "x-app-id": elsewhere.app_id, "x-app-token": elsewhere.app_token };
    await elsewhere.api.post("/v1/customers", { source_id: "of-the-key" }, 200);
    const answer = await admin.send("GET", "/v1/customers/of-the-key", { headers: keys, status: 200 });
    expect(answer.headers.get("x-request-id")).toMatch(/^v-/);
    await admin.send("GET", "/v1/customers", { headers: { ...keys, "x-app-token": "wrong" }, status: 401 });
    await admin.send("GET", "/v1/customers", { headers: { authorization: "Bearer wrong" }, status: 401 });
  });

  test("has the role that its person has there now", async () => {
    const { user, browser } = await someoneIn(service, project.id, "VIEWER");
    await browser.post("/v1/customers", {}, 403);
    const at = `/management/v1/projects/${project.id}/users/${user.id}`;
    await service.management.put(at, { role: "USER" }, 200);
    await browser.post("/v1/customers", {}, 200);
    await context.db.run(sql`
      delete from project_members where project_members.project_id = ${project.id} and project_members.user_id = ${user.id}`);
    expect((await browser.get("/v1/customers", 403)).body).toMatchObject(no_permission);
  });

  test("opens no client side", async () => {
    await admin.get("/client/v1/promotions/tiers", 401);
  });

  test("of a project that nobody has is no different from another's", async () => {
    for (const id of ["proj_nobody", "", "x".repeat(600), elsewhere.id])
      expect((await aBrowser(service, id, token).get("/v1/vouchers", 403)).body).toMatchObject(no_permission);
  });

  test("is shown by its cookie alone", async () => {
    const shown = await aSessionOf(service, user.id);
    for (const cookie of [shown, `guerdon=${shown}`, `${cookieNameOf(service)}=${shown}x`, `${cookieNameOf(service)}=`])
      await createClient(url, { cookie, "x-project-id": project.id }).get("/v1/vouchers", 401);
  });
});

describe("of the management API", () => {
  const webhook = { target_url: "https://hooks.example/", events: ["customer.created"] };
  const at = (id: string, rest = "webhooks") => `/management/v1/projects/${id}/${rest}`;

  test.each(
    every
      .filter((operation) => operation.path.startsWith("/management/") && !isManaged(operation))
      .map((operation) => ({ name: nameOf(operation), operation })),
  )("a session does not open $name, which is the organization's", async ({ operation }) => {
    expect(await call(admin, operation)).toMatchObject({ status: 401, body: unauthorized });
  });

  test("an administrator's session does what the key does, in the same words", async () => {
    const { id } = (await admin.post(at(project.id), webhook, 200)).body;
    expect((await admin.get(at(project.id), 200)).body).toEqual(
      (await service.management.get(at(project.id), 200)).body,
    );
    await admin.put(at(project.id, `webhooks/${id}`), { ...webhook, active: false }, 200);
    expect((await admin.post(at(project.id), { ...webhook, target_url: "ftp://x" }, 400)).body).toMatchObject({
      details: "Property .target_url must be an address that begins with http:// or https://",
    });
    await admin.delete(at(project.id, `webhooks/${id}`), 204);
  });

  test("the project of the path is the one that the page stands in, even for somebody of both", async () => {
    await context.db.transaction((tx) => putMember(tx, elsewhere.id, user.id, "ADMIN", service.clock.now()));
    const answers = [await admin.get(at(elsewhere.id), 403), await admin.post(at(elsewhere.id), webhook, 403)];
    for (const { body } of answers) expect(body).toMatchObject(no_permission);
    await aBrowser(service, elsewhere.id, token).get(at(elsewhere.id), 200);
    await aBrowser(service, elsewhere.id, token).get(at("proj_nobody"), 403);
  });

  test("a user changes no settings, and sends again what was not received", async () => {
    const { browser } = await someoneIn(service, project.id, "USER");
    for (const settings of ["webhooks", "metadata-schemas", "stacking-rules", "custom-event-schemas"])
      await browser.post(at(project.id, settings), {}, 403);
    await browser.get(`/management/v1/projects/${project.id}`, 403);
    await browser.post(at(project.id, "send-outs/whs_nobody/retry"), undefined, 404);
  });

  test("a merchant sees nothing", async () => {
    const { browser } = await someoneIn(service, project.id, "MERCHANT");
    for (const settings of ["webhooks", "send-outs", "metadata-schemas", "stacking-rules"])
      await browser.get(at(project.id, settings), 403);
  });

  test("a session counts for nothing beside a key, right or wrong", async () => {
    const pair = { "x-management-id": "test-management", "x-management-token": "wrong" };
    await admin.send("GET", at(project.id), { headers: pair, status: 401 });
    const keys = { "x-app-id": project.app_id, "x-app-token": project.app_token };
    await admin.send("GET", at(project.id), { headers: keys, status: 401 });
    const right = { ...pair, "x-management-token": "test-management-token" };
    await admin.send("GET", at(elsewhere.id), { headers: right, status: 200 });
  });

  test("what each role may is told as codes", async () => {
    const { permissions } = (await admin.get("/dashboard/v1/me", 200)).body;
    const settings = [
      "webhooks.create",
      "webhooks.update",
      "webhooks.delete",
      "projects.read",
      "metadata-schemas.update",
    ];
    expect(permissions.ADMIN).toEqual(expect.arrayContaining([...settings, "send-outs.retry.create"]));
    const seen = (await viewer.get("/dashboard/v1/me", 200)).body.permissions.VIEWER as string[];
    expect(seen).toEqual(expect.arrayContaining(["webhooks.read", "send-outs.read", "metadata-schemas.read"]));
    expect(seen.filter((code) => [...settings, "send-outs.retry.create"].includes(code))).toEqual([]);
  });
});
