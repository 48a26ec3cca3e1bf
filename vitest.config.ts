import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// `npm run test:long` repeats the races and the random inputs for longer.
const long = process.env.GUERDON_TEST_LONG === "1";
const minute_ms = 60_000;

const shared = {
  testTimeout: long ? 10 * minute_ms : 20_000,
  hookTimeout: long ? 10 * minute_ms : minute_ms,
  // The source of the engine, not what an earlier build left in dist.
  alias: [
    {
      find: /^@guerdon\/engine$/,
      replacement: fileURLToPath(new URL("packages/engine/src/index.ts", import.meta.url)),
    },
  ],
};

// These start servers of their own and kill them: mostly waiting, so two at a time, and after all others.
const processes = ["packages/server/test/processes/**/*.test.ts", "packages/server/test/postgres/**/*.test.ts"];

export default defineConfig({
  test: {
    // A run that finds no test is a mistake in the pattern, not a success.
    passWithNoTests: false,
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
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: "processes",
          include: processes,
          pool: "forks",
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
