import { setTimeout as pause } from "node:timers/promises";
import { vi } from "vitest";
import { type RunningService, stopProcess } from "../../harness/process.js";
import type { Dice } from "../../harness/seeded.js";
import type { Cluster } from "../async.fixtures.js";

/** As long as a slice takes, or so; half of the pauses are shorter than a quarter of it, as some slices are. */
const pause_ms_max = 250;
const pauseOf = (dice: Dice) => dice(1_000) ** 2 * 1e-6 * pause_ms_max;
/** Workers that live and die together: each has slices of its own, and starting them is what takes time. */
const workers = 3;
/** A slice that was lost so often is let through: its action would be given up after some more. */
const lost_max = 5;

interface Held {
  id: string;
  failures: number;
}

interface Killing {
  dice: Dice;
  /** Ends in the middle of a slice, of each action. */
  wanted: number;
}

/**
 * Starts workers and kills them at a moment drawn by lot, again and again, until all actions were met often enough or have
 * ended; one that was met often enough makes way for the others. Answers how many were killed, and how many ends in the
 * middle of a slice each action has seen.
 */
export async function killWorkers(
  cluster: Cluster,
  start: () => Promise<RunningService>,
  ids: readonly string[],
  { dice, wanted }: Killing,
): Promise<{ kills: number; ends: Map<string, number> }> {
  const ends = new Map(ids.map((id) => [id, 0]));
  const isWanted = ({ id }: Held) => (ends.get(id) ?? wanted) < wanted;
  const isLet = ({ failures }: Held) => failures >= lost_max;
  let kills = 0;
  while (await someLeft()) {
    const doomed = await Promise.all(Array.from({ length: workers }, start));
    const isMet = async () => {
      const held = await heldOf(cluster);
      return (held.some(isWanted) && !held.some(isLet)) || !(await someLeft());
    };
    await vi.waitUntil(isMet, { timeout: 60_000, interval: 2 });
    await pause(pauseOf(dice));
    await Promise.all(doomed.map((worker) => stopProcess(worker, "SIGKILL")));
    kills += workers;
    for (const { id } of await heldOf(cluster)) ends.set(id, (ends.get(id) ?? 0) + 1);
    // As if the dead workers' leases had run out: that they do is async-generation's to show.
    await cluster.db.query("update async_actions set leased_until = created_at where lease_token is not null");
    const enough = ids.filter((id) => !isWanted({ id, failures: 0 }));
    await cluster.db.query("update async_actions set due_at = created_at + '1 day' where id = any($1)", [enough]);
  }
  await cluster.db.query("update async_actions set due_at = created_at where id = any($1)", [ids]);
  return { kills, ends };

  async function someLeft(): Promise<boolean> {
    const unfinished = await unfinishedOf(cluster, ids);
    return unfinished.some((id) => isWanted({ id, failures: 0 }));
  }
}

/** Actions that are in the middle of a slice, or were when their worker died just now. */
async function heldOf({ db }: Cluster): Promise<Held[]> {
  const { rows } = await db.query<Held>(
    "select id, failures from async_actions where lease_token is not null and leased_until > created_at",
  );
  return rows;
}

export async function unfinishedOf({ db }: Cluster, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    "select id from async_actions where id = any($1) and status in ('ENQUEUED', 'IN_PROGRESS')",
    [ids],
  );
  return rows.map(({ id }) => id);
}
