import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { jsonText, type RandomRequest, requestsTo, type StoredNames } from "./harness/arbitrary.js";
import { bodyText, nameOf, type Operation, readOperations } from "./harness/document.js";
import { sendRaw } from "./harness/raw-http.js";
import { named_by, referencesOf } from "./harness/references.js";
import { fuller, makeOneOfEach } from "./harness/resources.js";
import { startService, type TestProject } from "./harness/service.js";

const { url, project, management, anotherProject } = await startService();
const operations = await readOperations(url);
const seeds = await makeOneOfEach(project, operations);
const all = [...Object.values(seeds).flat(), project.id];
const [, code = ""] = seeds.voucher ?? [];

const long = process.env.GUERDON_TEST_LONG === "1";
/** For all operations together. */
const budget_ms = long ? 180_000 : 15_000;
const seed = Number(process.env.GUERDON_TEST_SEED ?? Date.now() % 2 ** 31);
/** Nothing here takes long; what is not answered by then never will be. */
const answer_ms_max = 10_000;
const statuses: Record<number, number> = {};

afterAll(() => {
  console.log(`random requests, seed ${seed} (GUERDON_TEST_SEED): ${JSON.stringify(statuses)}`);
});

/**
 * Again and again until the time is over, once at least. What fails is shrunk, and the seed that is printed brings it
 * back first thing as GUERDON_TEST_SEED.
 */
async function assertFor<Values>(share_ms: number, property: fc.IAsyncProperty<Values>): Promise<void> {
  const deadline = performance.now() + share_ms;
  for (let batch = 0; batch === 0 || performance.now() < deadline; batch += 1) {
    await fc.assert(property, { seed: seed + batch, numRuns: 20 });
  }
}

const credentials = (operation: Operation, { app_id, app_token }: TestProject): Record<string, string> =>
  operation.path.startsWith("/management/")
    ? { "x-management-id": "test-management", "x-management-token": "test-management-token" }
    : { "x-app-id": app_id, "x-app-token": app_token };

/** Every answer is a status below 500, and every refusal is JSON that says why. */
async function assertAnswered(response: Response): Promise<void> {
  const text = await response.text();
  statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  expect(response.status, text).toBeLessThan(500);
  if (response.status < 400 || text === "") return;
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  expect(JSON.parse(text)).toMatchObject({ message: expect.any(String) });
}

/** What is stored, and which of it each place in this operation's path should name. */
function namesFor(operation: Operation): StoredNames {
  const references = referencesOf(operation).filter((one) => one.in === "path");
  return {
    all,
    inPath(parameter) {
      if (parameter === "projectId") return [project.id];
      const key = references.find(({ steps }) => steps[0] === parameter)?.key ?? "";
      return (named_by[key] ?? []).flatMap((resource) => seeds[resource] ?? []);
    },
  };
}

const pathOf = (path: string, values: RandomRequest["path"]) =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent((values[name] ?? "").toWellFormed()));

describe("whatever is sent", () => {
  const own = operations
    .filter(({ id }) => id !== "delete-project")
    // Deleting comes last, so that there is something to ask for until then.
    .sort((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"));

  test.each(own.map((operation) => ({ name: nameOf(operation), operation })))(
    "to $name is answered",
    async ({ operation }) => {
      const { method, path, body, body_type } = operation;
      const headers = { ...credentials(operation, project), ...(body ? { "content-type": body_type } : {}) };
      const is_form = body_type !== "application/json";
      await assertFor(
        budget_ms / own.length,
        fc.asyncProperty(requestsTo(operation, namesFor(operation), fuller(operation.id, code)), async (request) => {
          const sent =
            body === undefined ? undefined : is_form ? bodyText(request.body, body_type) : jsonText(request.body);
          const target = `${url}${pathOf(path, request.path)}?${request.query}`;
          await assertAnswered(
            await fetch(target, { method, headers, body: sent, signal: AbortSignal.timeout(answer_ms_max) }),
          );
        }),
      );
    },
  );

  test("as bytes, to any path by any method, is answered, and the service is well afterwards", async () => {
    const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "PROPFIND");
    const path = fc.oneof(
      fc.constantFrom(...operations.map((operation) => operation.path)),
      fc.webPath(),
      fc.string({ maxLength: 30 }).map((text) => `/v1/${encodeURIComponent(text.toWellFormed())}`),
    );
    const type = fc.constantFrom(
      "application/json",
      "text/csv",
      "multipart/form-data",
      "application/x-www-form-urlencoded",
      "x",
    );
    const { app_id, app_token } = await anotherProject();
    await assertFor(
      budget_ms / 10,
      fc.asyncProperty(method, path, type, fc.uint8Array({ maxLength: 200 }), async (method, path, type, bytes) => {
        const has_body = !["GET", "HEAD"].includes(method);
        const headers = { "x-app-id": app_id, "x-app-token": app_token, ...(has_body ? { "content-type": type } : {}) };
        const target = url + path.replace(/[{}]/g, "");
        await assertAnswered(
          await fetch(target, {
            method,
            headers,
            body: has_body ? bytes : undefined,
            signal: AbortSignal.timeout(answer_ms_max),
          }),
        );
      }),
    );
    await assertFor(
      budget_ms / 20,
      fc.asyncProperty(fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 100 }), async (text) => {
        const { status } = await sendRaw(url, [`${text.trim()} x\r\n\r\n`]);
        expect(status).toBe(400);
      }),
    );
    expect((await fetch(`${url}/health`)).status).toBe(200);
    await management.get("/management/v1/projects", 200);
  });
});
