import { randomInt } from "node:crypto";
import { vi } from "vitest";
import { stopProcess } from "../harness/process.js";

/** Something that is done so many times, and how far it has come. */
interface Doing {
  done(): number;
  count: number;
  all(): Promise<void>;
  /** For how long at most a worker goes on with what it has begun before it is killed; not at all unless said. */
  dying_ms_max?: number;
}

/**
 * Does all of it while two workers at a time are killed at random and started again, and leaves one that lives.
 *
 * @returns how many were killed
 */
export async function amongDyingWorkers(
  start: () => Promise<Parameters<typeof stopProcess>[0]>,
  { done, count, all, dying_ms_max = 0 }: Doing,
): Promise<number> {
  let kills = 0;
  async function killAgainAndAgain(): Promise<void> {
    while (done() < count) {
      const doomed = await start();
      const until = done() + 20 + randomInt(60);
      await vi.waitUntil(() => done() >= Math.min(until, count), { timeout: 60_000, interval: 5 });
      await new Promise((passed) => setTimeout(passed, randomInt(dying_ms_max + 1)));
      await stopProcess(doomed, "SIGKILL");
      kills += 1;
    }
  }
  await Promise.all([all(), killAgainAndAgain(), killAgainAndAgain()]);
  await start();
  return kills;
}
