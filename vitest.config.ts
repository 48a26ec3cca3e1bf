import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// These run with the long tests alone, which CI has after the others. Of some the short form finds nothing that the long one is not
// there for: slow disks, missed nights, hours of work. The rest start and kill servers for half a minute each, and guard what changes seldom.
const of_long_runs = [
  "processes/async-bulk",
  "processes/async-generation",
  "processes/async-import",
  "processes/async-purge",
  "processes/hostile-requests",
  "processes/many",
  "processes/memory",
  "processes/nights",
  "processes/points",
  "processes/retries",
  "processes/second-phase",
  "processes/segments",
  "processes/slow-disk",
  "processes/soak",
  "processes/start",
  "processes/stop",
  "processes/turns",
  "processes/two-nodes",
  "processes/webhooks",
  "postgres/ownership",
  "postgres/root",
].map((name) => `packages/server/test/${name}.test.ts`);

// `npm run test:long` repeats the races and the random inputs for longer. It leaves out what else has no long form: that has
// passed with `npm test`, and nothing about it would be new.
const long = process.env.GUERDON_TEST_LONG === "1";

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    if (!long) return sorted;
    const is_of_long_runs = ({ moduleId }: TestSpecification) =>
      of_long_runs.some((path) => moduleId.endsWith(path)) ||
      readFileSync(moduleId, "utf8").includes("GUERDON_TEST_LONG");
    // The soak takes as long as all others together: begun first, it ends with them.
    const rank = ({ moduleId }: TestSpecification) => (moduleId.endsWith("soak.test.ts") ? 0 : 1);
    return sorted.filter(is_of_long_runs).sort((a, b) => rank(a) - rank(b));
  }
}
const minute_ms = 60_000;

const shared = {
  // What hangs fails a little later; what is slow because the machine is busy does not fail.
  testTimeout: long ? 10 * minute_ms : minute_ms,
  hookTimeout: long ? 10 * minute_ms : minute_ms,
  expect: { poll: { timeout: minute_ms / 2 } },
  // The source of the engine, not what an earlier build left in dist.
  alias: [
    {
      find: /^@guerdon\/engine$/,
      replacement: fileURLToPath(new URL("packages/engine/src/index.ts", import.meta.url)),
    },
  ],
};

// Two that ask PostgreSQL in turn leave a quarter of two cores idle; a fourth takes from the others what it does. What runs for minutes
// on end has a core each.
const files_at_once = long ? 2 : 3;

// These start servers of their own and kill them: mostly waiting, so two at a time, and after all others.
const processes = ["packages/server/test/processes/**/*.test.ts", "packages/server/test/postgres/**/*.test.ts"];
// What they hold against a number of milliseconds says nothing where another test has one of two cores.
const timed = long
  ? ["expiry-latency", "kills", "turns"].map((name) => `packages/server/test/processes/${name}.test.ts`)
  : [];
const own_processes = {
  ...shared,
  globalSetup: "packages/server/test/processes/global-setup.ts",
  pool: "forks",
  maxWorkers: 2,
} as const;

export default defineConfig({
  test: {
    // A run that finds no test is a mistake in the pattern, not a success.
    passWithNoTests: false,
    // What one project has transformed the next one reads: the server's modules are those of the browser's tests too.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: InOrder },
    projects: [
      {
        test: {
          ...shared,
          name: "engine",
          include: ["packages/engine/src/**/*.test.ts"],
          // Pure functions have nothing to keep apart.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: "server",
          // Each file starts its own service; the modules have no state of their own to keep apart.
          isolate: false,
          include: ["packages/server/src/**/*.test.ts", "packages/server/test/**/*.test.ts"],
          exclude: processes,
          globalSetup: "packages/server/test/global-setup.ts",
          pool: "forks",
          maxWorkers: files_at_once,
          // As the service is started.
          execArgv: ["--max-semi-space-size=64"],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...own_processes,
          name: "processes",
          include: processes,
          exclude: long ? timed : of_long_runs,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: "dashboard",
          include: ["packages/dashboard/src/**/*.test.ts"],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...shared,
          name: "browser",
          // The built pages in a real browser, on a service of each test's own.
          include: ["packages/dashboard/test/**/*.test.ts"],
          globalSetup: "packages/dashboard/test/global-setup.ts",
          testTimeout: 2 * minute_ms,
          // What a page shows between two states is the browser's doing. No race of the product is looked for here; where one is,
          // nothing is tried again.
          retry: 1,
          isolate: false,
          pool: "forks",
          maxWorkers: files_at_once,
          sequence: { groupOrder: 4 },
        },
      },
      ...(long
        ? [{ test: { ...own_processes, name: "timed", include: timed, maxWorkers: 1, sequence: { groupOrder: 5 } } }]
        : []),
    ],
  },
});
