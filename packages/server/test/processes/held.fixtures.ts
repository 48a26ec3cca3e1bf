import { vi } from "vitest";
import { openDatabase } from "../../src/platform/db/database.js";
import { type LockKey, lockKeys } from "../../src/platform/db/locks.js";
import { sql } from "../../src/platform/db/sql.js";
import { createLog } from "../../src/platform/log.js";

/** Whether there is such a process. */
export const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Holds a key from another connection until it is let go; whoever needs it waits. */
export async function holdKey(url: string, key: LockKey) {
  const db = openDatabase({ url, log: createLog("silent"), connections_max: 2, prepared: true });
  let is_held = false;
  let letGo: () => void = () => undefined;
  const end = new Promise<void>((resolve) => (letGo = resolve));
  const released = db.transaction(async (tx) => {
    await lockKeys(tx, [key]);
    is_held = true;
    await end;
  });
  await vi.waitUntil(() => is_held, 20_000);
  const waiters = async () =>
    (
      await db.one<{ count: number }>(
        sql`select count(*) as count from pg_locks where locktype = 'advisory' and not granted`,
      )
    ).count;
  return {
    /** Until so many wait at the database. */
    untilSomebodyWaits: (count = 1) =>
      vi.waitUntil(async () => (await waiters()) >= count, { timeout: 5_000, interval: 20 }),
    async letGo() {
      letGo();
      await released.finally(db.close);
    },
  };
}
