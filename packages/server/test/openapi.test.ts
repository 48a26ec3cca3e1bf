import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { buildApp } from "../src/app.js";
import { openApiText } from "../src/openapi.js";
import type { Context } from "../src/platform/context.js";
import { createLog } from "../src/platform/log.js";
import { createMetrics } from "../src/platform/metrics.js";
import { nameOf, operationsOf, pathWith, routesOf } from "./harness/document.js";
import { startService } from "./harness/service.js";

const { url } = await startService();
const committed = fileURLToPath(new URL("../openapi.json", import.meta.url));
const ready_ms_max = 2_000;
const lines_max = 200;
const open_to_all = /^\/(health|ready|metrics|openapi\.json|docs(\/.*)?|v1\/assets\/.*|dashboard\/v1\/owner)$/;
/** Open to whoever is not signed in, on a page of ours: sessions.test.ts. */
const open_on_own_pages = ["owner", "links", "password", "session"].map((one) => `POST /dashboard/v1/${one}`);

/** The application as it starts: routes are described, never called, so nothing behind them is needed. */
async function describedApp() {
  const context = {
    config: { cluster_id: "eu1", host: "" },
    log: createLog("silent"),
    metrics: createMetrics(),
  } as Context;
  const app = await buildApp(context);
  await app.ready();
  return app;
}

const app = await describedApp();
const document = JSON.parse(await openApiText());
const operations = operationsOf(document);
/** Of shapes: what is sent for example and the keys of errors are said beside them. */
const beside = new Set(["example", "x-errors"]);
const linesOf = (part: object) =>
  JSON.stringify(part, (name, value) => (beside.has(name) ? undefined : value), 2).split("\n").length;

describe("the API's own description", () => {
  test("is committed as the routes have it", async () => {
    const stored = await readFile(committed, "utf8").catch(() => "");
    const drifted = stored !== (await openApiText());
    expect(drifted, "packages/server/openapi.json is stale: run `npm run openapi` and commit the file").toBe(false);
  });

  test(`is ready, with all operations, in under ${ready_ms_max} ms of the processor`, async () => {
    const times_ms: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const begun = process.cpuUsage();
      await describedApp();
      const { user, system } = process.cpuUsage(begun);
      times_ms.push((user + system) / 1000);
    }
    // The best of three, and not by the clock: the machine may be busy with something else.
    expect(Math.min(...times_ms)).toBeLessThan(ready_ms_max);
  });

  test(`names every shape once: ${lines_max} lines an operation at most, half of them on average`, () => {
    const all = Object.values<Record<string, object>>(document.paths).flatMap((methods) => Object.entries(methods));
    const lines = all.map(([, operation]) => linesOf(operation));
    expect(Math.max(...lines)).toBeLessThanOrEqual(lines_max);
    expect(lines.reduce((sum, one) => sum + one) / lines.length).toBeLessThanOrEqual(lines_max / 2);
    // The shapes themselves count with whom they are named for.
    expect(linesOf(document) / lines.length).toBeLessThanOrEqual(lines_max);
  });

  test("refers to shapes that are there, under the domain's names", () => {
    const names = Object.keys(document.components.schemas);
    const referred = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect([...new Set(referred)].sort()).toEqual(names.sort());
    expect(names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name) || /(Schema|Body)$/.test(name))).toEqual([
      "CustomEventSchema",
      "MetadataSchema",
    ]);
  });

  test("names each operation once", () => {
    const ids = operations.map(({ id }) => id);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  });

  test("shows every route but its own pages", () => {
    const described = operations.map(nameOf);
    const hidden = routesOf(app)
      .filter(({ method, path }) => method !== "HEAD" && !/^\/(docs|openapi\.json)/.test(path))
      .map(nameOf)
      .filter((name) => !described.includes(name));
    expect(hidden).toEqual([]);
  });

  describe.each(operations.map((operation) => ({ name: nameOf(operation), ...operation })))("of $name", (operation) => {
    test("has a name and a tag, and says what it answers and how it refuses", () => {
      expect(operation.id).toMatch(/^[a-z][a-z0-9-]+$/);
      expect(operation.tags).not.toEqual([]);
      expect(operation.statuses.filter((status) => status.startsWith("2"))).not.toEqual([]);
      expect(operation.statuses.filter((status) => /^[45]/.test(status))).not.toEqual([]);
    });

    test("describes every parameter of its path", () => {
      const in_path = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
      const described = operation.parameters.filter((one) => one.in === "path").map((one) => one.name);
      expect(described.sort()).toEqual(in_path.sort());
    });
  });
});

describe("a caller without credentials", () => {
  const closed = routesOf(app).filter(
    (route) => !open_to_all.test(route.path) && !open_on_own_pages.includes(nameOf(route)),
  );

  test.each(closed.map((route) => ({ name: nameOf(route), ...route })))("is turned away from $name", async (route) => {
    const { status } = await fetch(url + pathWith(route.path, {}), { method: route.method });
    expect(status).toBe(401);
  });
});
