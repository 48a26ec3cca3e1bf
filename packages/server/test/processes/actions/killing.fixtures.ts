import { setTimeout as pause } from "node:timers/promises";
import { vi } from "vitest";
import { type RunningService, stopProcess } from "../../harness/process.js";
import type { Dice } from "../../harness/seeded.js";
import type { Cluster } from "../async.fixtures.js";

/** Half of the pauses are shorter than a quarter of it, as some slices are. */
const pause_ms_max = 250;
const pauseOf = (dice: Dice) => dice(1_000) ** 2 * 1e-6 * pause_ms_max;
/** A slice takes this much longer before it is committed, so that lots meet it on a machine however fast. */
const slowed_s = 0.2;
/** Workers that live and die together: each has slices of its own, and starting them is what takes time. */
const workers = 3;

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
  const isWanted = (id: string) => (ends.get(id) ?? wanted) < wanted;
  await slowSlices(cluster);
  let kills = 0;
  while (await someLeft()) {
    const doomed = await Promise.all(Array.from({ length: workers }, start));
    const isMet = async () => (await heldOf(cluster)).some(isWanted) || !(await someLeft());
    await vi.waitUntil(isMet, { timeout: 60_000, interval: 2 });
    await pause(pauseOf(dice));
    await Promise.all(doomed.map((worker) => stopProcess(worker, "SIGKILL")));
    kills += workers;
    for (const id of await heldOf(cluster)) ends.set(id, (ends.get(id) ?? 0) + 1);
    // As if the dead workers' leases had run out: that they do is async-generation's to show; and as if the action had never
    // lost one, or it would be given up.
    await cluster.db.query(
      "update async_actions set leased_until = created_at, failures = 0 where lease_token is not null",
    );
    const enough = ids.filter((id) => !isWanted(id));
    await cluster.db.query("update async_actions set due_at = created_at + '1 day' where id = any($1)", [enough]);
  }
  await cluster.db.query("drop function slow_slice cascade");
  await cluster.db.query("update async_actions set due_at = created_at where id = any($1)", [ids]);
  return { kills, ends };

  async function someLeft(): Promise<boolean> {
    const unfinished = await unfinishedOf(cluster, ids);
    return unfinished.some(isWanted);
  }
}

async function slowSlices({ db }: Cluster): Promise<void> {
  await db.query(`
    create function slow_slice() returns trigger language plpgsql as
      $$ begin perform pg_sleep(${slowed_s}); return new; end $$`);
  await db.query(`
    create trigger slow_slice before update on async_actions for each row
      when (old.lease_token is not null and new.lease_token is null) execute function slow_slice()`);
}

/** Actions that are in the middle of a slice, or were when their worker died just now. */
async function heldOf({ db }: Cluster): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    "select id from async_actions where lease_token is not null and leased_until > created_at",
  );
  return rows.map(({ id }) => id);
}

export async function unfinishedOf({ db }: Cluster, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    "select id from async_actions where id = any($1) and status in ('ENQUEUED', 'IN_PROGRESS')",
    [ids],
  );
  return rows.map(({ id }) => id);
}
