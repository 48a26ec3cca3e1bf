import { beforeAll, describe, expect, test } from "vitest";
import { buildIfStale, cleanUpProcesses, stopProcess } from "../harness/process.js";
import { aCluster } from "./async.fixtures.js";
import { amongDyingWorkers } from "./dying-workers.fixtures.js";
import { aTown, booksOf, copyOf, foundPrograms, slowDown, untilQuiet, writtenIn } from "./nights.fixtures.js";

beforeAll(buildIfStale, 120_000);
cleanUpProcesses();

const is_long = process.env.GUERDON_TEST_LONG === "1";
const [members_count, nights_count] = is_long ? [80, 45] : [15, 32];
const today = "2027-03-01T12:00:00Z";
const much_later = new Date(Date.parse(today) + nights_count * 86_400_000).toISOString();
/** Longer than the lease of a schedule: what a killed worker held is the next one's. */
const lease_ms = 16_000;

describe(`after ${nights_count} nights that were missed, for ${members_count} members of three programs`, () => {
  test("workers that are killed and started again leave what one leaves that nobody disturbed", async () => {
    const cluster = await aCluster();
    const founder = await cluster.service({ GUERDON_ROLE: "api" });
    await stopProcess(founder);
    const town = await aTown(cluster, null);
    await town.setClock(today);
    const service = await town.service("all");
    await foundPrograms(service.api, members_count, today);
    await untilQuiet(town, 60_000);
    await stopProcess(service);

    const calm = await copyOf(cluster, "calm");
    for (const { setClock } of [calm, town]) await setClock(much_later);
    const before = await writtenIn(calm);
    const undisturbed = await calm.worker();
    await untilQuiet(calm, 120_000);
    await stopProcess(undisturbed);
    const count = (await writtenIn(calm)) - before;
    expect(count).toBeGreaterThan(members_count * 20);

    await slowDown(town);
    let written = 0;
    async function all(): Promise<void> {
      while (written < count) {
        written = (await writtenIn(town)) - before;
        await new Promise((passed) => setTimeout(passed, 5));
      }
    }
    async function start() {
      await town.advance(lease_ms);
      return town.worker();
    }
    const kills = await amongDyingWorkers(start, { done: () => written, count, all, dying_ms_max: 250 });
    expect(kills).toBeGreaterThanOrEqual(3);
    await untilQuiet(town, 120_000);

    const [disturbed, expected] = [await booksOf(town), await booksOf(calm)];
    for (const name of Object.keys(expected)) expect({ [name]: disturbed[name] }).toEqual({ [name]: expected[name] });
  }, 900_000);
});
