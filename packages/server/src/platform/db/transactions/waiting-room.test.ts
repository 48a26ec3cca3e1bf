import { describe, expect, inject, onTestFinished, test } from "vitest";
import { createLog } from "../../log.js";
import { openDatabase, type Tx } from "../database.js";
import { lockKeys } from "../locks.js";
import { sql } from "../sql.js";
import { createWaitingRoom } from "./waiting-room.js";

describe("a place at several keys", () => {
  test("is to be had when all of them are free, in the order of coming", async () => {
    const room = createWaitingRoom({ wait_ms_max: 10_000 });
    expect([room.enter(["a"]), room.enter(["a"]), room.enter(["a"])]).toEqual([true, true, false]);
    const admitted: string[] = [];
    const first = room.wait(["a", "b"]).then(() => admitted.push("first"));
    const second = room.wait(["a"]).then(() => admitted.push("second"));
    // Nobody passes by those that wait.
    expect(room.enter(["b"])).toBe(false);
    room.leave(["a"]);
    await first;
    expect(admitted).toEqual(["first"]);
    room.leave(["a"]);
    await second;
    expect(admitted).toEqual(["first", "second"]);
  });

  test("is to be had at once where it became free meanwhile, and after the longest wait whatever happens", async () => {
    const room = createWaitingRoom({ wait_ms_max: 20 });
    await room.wait(["a"]);
    await room.wait(["a"]);
    await room.wait(["a"]);
    for (let i = 0; i < 3; i += 1) room.leave(["a"]);
    expect(room.enter(["a"])).toBe(true);
  });
});

describe("transactions that want one key", () => {
  const key = { project_id: "proj_room", kind: "customer" as const, id: "one" };

  function aDatabase() {
    const log = createLog("silent");
    const db = openDatabase({ url: inject("database_url"), log, connections_max: 8, prepared: true });
    onTestFinished(() => db.close());
    return db;
  }

  test("wait for it without connections, all but the next one, and hold it one after the other", async () => {
    const db = aDatabase();
    let holding = 0;
    let runs = 0;
    let connections = 0;
    const work = async (tx: Tx) => {
      await lockKeys(tx, [key]);
      holding += 1;
      expect(holding).toBe(1);
      await tx.run(sql`select pg_sleep(0.01)`);
      const { total, idle } = db.pool();
      // At first each comes once to find it taken.
      if (runs > 10) connections = Math.max(connections, total - idle);
      holding -= 1;
      runs += 1;
    };
    await Promise.all(Array.from({ length: 40 }, () => db.transaction(work, "proj_room")));
    expect(runs).toBe(40);
    // A few are on their way in or out; with all of them at the lock it would be the six of a project alone.
    expect(connections).toBeLessThanOrEqual(4);
  });

  test("leave the connections of their project to others meanwhile", async () => {
    const db = aDatabase();
    let release = () => {};
    const released = new Promise<void>((resume) => (release = resume));
    const slow = db.transaction(async (tx) => {
      await lockKeys(tx, [key]);
      await released;
    }, "proj_room");
    const waiting = Array.from({ length: 20 }, () => db.transaction((tx) => lockKeys(tx, [key]), "proj_room"));
    await db.of("proj_room").one(sql`select pg_sleep(0.1)`);
    const begun = performance.now();
    await db.of("proj_room").one(sql`select 1 as one`);
    expect(performance.now() - begun).toBeLessThan(1_000);
    expect(db.pool().waiting).toBe(0);
    release();
    await Promise.all([slow, ...waiting]);
  });
});
