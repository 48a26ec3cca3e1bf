import fc from "fast-check";
import { afterAll, describe, expect, test, vi } from "vitest";
import { jsonText, type RandomRequest, requestsTo, type StoredNames } from "./harness/arbitrary.js";
import type { Answer, Client } from "./harness/client.js";
import { bodyText, nameOf, type Operation, readOperations } from "./harness/document.js";
import { sendRaw } from "./harness/raw-http.js";
import { named_by, referencesOf } from "./harness/references.js";
import { fuller, makeOneOfEach } from "./harness/resources.js";
import { seedOfRun } from "./harness/seeded.js";
import { page_origin, startService, type TestProject } from "./harness/service.js";

const { url, project, management, anotherProject } = await startService();
const operations = await readOperations(url);
/** By operation: bodies that were taken while one of everything was made. */
const accepted = new Map<string | undefined, unknown[]>();
const seeds = await makeOneOfEach({ ...project, api: noting(project.api) }, operations);
const other = await anotherProject();
const foreign = Object.values(await makeOneOfEach(other, operations)).flat();
const all = [...Object.values(seeds).flat(), project.id, ...foreign, other.id];
const [, code = ""] = seeds.voucher ?? [];

const long = process.env.GUERDON_TEST_LONG === "1";
/** To all operations together. */
const requests_total = long ? 100_000 : 2_000;
const seed = seedOfRun();
/** On a machine that does much else. Lists of what was sent before are large: a hundred redemptions with their metadata. */
if (long) vi.setConfig({ testTimeout: 30 * 60_000 });
/** Nothing here takes long; what is not answered by then never will be. */
const answer_ms_max = 10_000;
const statuses: Record<number, number> = {};

afterAll(() => {
  console.log(`random requests, seed ${seed} (GUERDON_TEST_SEED): ${JSON.stringify(statuses)}`);
});

/** What fails is shrunk, and the seed that is printed brings it back as GUERDON_TEST_SEED. */
const assertMany = <Values>(numRuns: number, property: fc.IAsyncProperty<Values>) =>
  fc.assert(property, { seed, numRuns: Math.ceil(numRuns) });

/** The client, with what it posts and puts remembered where it was taken. */
function noting(api: Client): Client {
  const note = (method: string, path: string, body: unknown, { status }: Answer) => {
    const operation = operations.find((one) => one.method === method && matches(one.path, path));
    if (status < 300 && body !== undefined) accepted.set(operation?.id, [...(accepted.get(operation?.id) ?? []), body]);
  };
  return {
    ...api,
    async post(path, body, status) {
      const answer = await api.post(path, body, status);
      note("POST", path, body, answer);
      return answer;
    },
  };
}

function matches(template: string, path: string): boolean {
  const [is, wanted] = [path.split("?")[0]?.split("/") ?? [], template.split("/")];
  return is.length === wanted.length && wanted.every((part, i) => part.startsWith("{") || part === is[i]);
}

function credentials({ path }: Operation, project: TestProject): Record<string, string> {
  if (path.startsWith("/management/"))
    return { "x-management-id": "test-management", "x-management-token": "test-management-token" };
  if (path.startsWith("/client/"))
    return {
      "x-client-application-id": project.client_id,
      "x-client-token": project.client_token,
      origin: page_origin,
    };
  return { "x-app-id": project.app_id, "x-app-token": project.app_token };
}

/** What is answered by something else than JSON: images, a report, metrics, the documentation. */
const other_than_json = /^\/(metrics|docs|v1\/assets\/|v1\/async-actions\/[^/]*\/report)/;

/**
 * Every answer is a status below 500, but for walls that say when to come back; what has a body is JSON, and every refusal
 * is one of the documented bodies.
 */
async function assertAnswered(response: Response): Promise<void> {
  const text = await response.text();
  const { status, headers } = response;
  statuses[status] = (statuses[status] ?? 0) + 1;
  const type = headers.get("content-type");
  if (status === 503) expect(headers.get("retry-after")).toMatch(/^\d+$/);
  else expect(status, text).toBeLessThan(500);
  if (text === "" || (status < 400 && other_than_json.test(new URL(response.url).pathname))) return;
  expect(type).toMatch(/^application\/json/);
  const body = JSON.parse(text);
  if (status < 400) return;
  const { code, statusCode, key } = body;
  expect({ said: code ?? statusCode, body }).toEqual({
    said: status,
    body: expect.objectContaining({ message: expect.any(String) }),
  });
  if (statusCode !== undefined) expect(body.error).toEqual(expect.any(String));
  // Some statuses' bodies stand without one (platform.md §11.2).
  if (key !== undefined && ![401, 402, 405, 406, 415, 429].includes(status))
    expect(body.request_id ?? "none").toMatch(/^[vw]-/);
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
      const of_all = { ...credentials(operation, project), ...(body ? { "content-type": body_type } : {}) };
      // Every second POST names itself, by one of a few names, so that some are sent again and others clash.
      let sent_so_far = 0;
      const named = (): Record<string, string> =>
        method === "POST" && ++sent_so_far % 2 === 0 ? { "idempotency-key": `${sent_so_far % 20}` } : {};
      const is_form = body_type !== "application/json";
      const known = {
        names: namesFor(operation),
        base: fuller(operation.id, code),
        accepted: accepted.get(operation.id) ?? [],
      };
      await assertMany(
        requests_total / own.length,
        fc.asyncProperty(requestsTo(operation, known), async (request) => {
          const sent =
            body === undefined ? undefined : is_form ? bodyText(request.body, body_type) : jsonText(request.body);
          const target = `${url}${pathOf(path, request.path)}?${request.query}`;
          const headers = { ...of_all, ...named() };
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
    await assertMany(
      requests_total / 10,
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
    await assertMany(
      requests_total / 20,
      fc.asyncProperty(fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 100 }), async (text) => {
        const { status } = await sendRaw(url, [`${text.trim()} x\r\n\r\n`]);
        expect(status).toBe(400);
      }),
    );
    expect((await fetch(`${url}/health`)).status).toBe(200);
    await management.get("/management/v1/projects", 200);
  });
});
