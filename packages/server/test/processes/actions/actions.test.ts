import { beforeAll, expect, test, vi } from "vitest";
import { buildIfStale, cleanUpProcesses, stopProcess } from "../../harness/process.js";
import { seeded, seedOfRun } from "../../harness/seeded.js";
import { aCluster } from "../async.fixtures.js";
import { killWorkers, unfinishedOf } from "./killing.fixtures.js";
import { operationsOf, typesWithout } from "./operations.fixtures.js";
import { differences, outcomeOf } from "./outcome.fixtures.js";
import { newestIn, service_env, workplaces } from "./projects.fixtures.js";

beforeAll(buildIfStale, 120_000);
cleanUpProcesses();

const long = process.env.GUERDON_TEST_LONG === "1";
const [kills_of_each, scale] = [10, 4];
const seed = seedOfRun();
const operations = operationsOf(scale);

test("there is an operation here for each type of asynchronous action", () => {
  expect(typesWithout(operations)).toEqual([]);
});

test.runIf(long)(
  `each asynchronous operation whose worker is killed at random, ${kills_of_each} times, comes to what it comes to undisturbed`,
  async () => {
    const cluster = await aCluster();
    const { url } = await cluster.service({ ...service_env, GUERDON_ROLE: "api" });
    const worker = () => cluster.service({ GUERDON_ROLE: "worker" });
    const aWorkplace = await workplaces(cluster, url);
    const diligent = await worker();
    // What each does undisturbed is done meanwhile, and what is to be killed gets as far as its call.
    const made = await Promise.all(
      operations.map(async (operation) => {
        const [calm, killed] = await Promise.all([aWorkplace(`${operation.name}, calm`), aWorkplace(operation.name)]);
        for (const place of [calm, killed]) {
          await operation.prepare?.(place);
          await place.settled();
        }
        await operation.start(calm);
        const calm_id = await newestIn(cluster, calm.id);
        await calm.settled();
        return { ...operation, calm, killed, calm_id, killed_id: "" };
      }),
    );
    await stopProcess(diligent);
    for (const one of made) {
      await one.start(one.killed);
      one.killed_id = await newestIn(cluster, one.killed.id);
    }
    const ids = made.map(({ killed_id }) => killed_id);
    const { kills, ends } = await killWorkers(cluster, worker, ids, { dice: seeded(seed), wanted: kills_of_each });
    await worker();
    await vi.waitUntil(async () => (await unfinishedOf(cluster, ids)).length === 0, { timeout: 120_000, interval: 50 });
    const told = made.map(({ name, killed_id }) => `${name}: ${ends.get(killed_id)}`);
    console.info(`seed ${seed} (GUERDON_TEST_SEED): ${kills} workers killed; in a slice of ${told.join(", ")}`);
    const faults: Record<string, string[]> = {};
    for (const { name, calm, killed, calm_id, killed_id } of made) {
      const found = differences(await outcomeOf(cluster, calm, calm_id), await outcomeOf(cluster, killed, killed_id));
      if (found.length > 0) faults[name] = found;
    }
    expect(faults).toEqual({});
    const met = [...ends.values()].reduce((sum, count) => sum + Math.min(count, kills_of_each), 0);
    // One of a few slices may come to its end before lots met it often enough.
    expect(met / (kills_of_each * operations.length)).toBeGreaterThan(0.9);
  },
  1_500_000,
);
