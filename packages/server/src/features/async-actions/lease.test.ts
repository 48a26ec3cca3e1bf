import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import type { Database } from "../../platform/db/database.js";
import { aGate, anotherDatabase, countingJob, testsOf } from "./async-action.fixtures.js";
import { createRunner, lease_ms } from "./runner.js";
import { lease } from "./runner.store.js";

const service = await startService();
const { context, clock } = service;
const { aProject, runnerOf } = testsOf(service);

describe("a lease", () => {
  test("keeps two runners from one slice", async () => {
    const project = await aProject();
    const id = await project.start("ORDERS.IMPORT", { parameters: { count: 200 } });
    const job = countingJob("ORDERS.IMPORT");
    const runners = Array.from({ length: 4 }, () => runnerOf([project], job));
    await Promise.all(runners.map((runner) => runner.runDue(clock.now())));
    await runners[0]!.runDue(clock.now());
    expect(await project.stored(id)).toMatchObject({ status: "DONE", done_count: 200 });
    expect(await project.rows(id)).toHaveLength(200);
  });

  test("that was lost to another runner lets the one that slept write nothing", async () => {
    const project = await aProject();
    const id = await project.start("ORDERS.IMPORT", { parameters: { count: 15 } });
    const gate = aGate();
    const asleep = anotherDatabase(service);
    const sleepy = {
      ...asleep,
      transaction: async (work) => gate.passed().then(() => asleep.transaction(work)),
    } as Database;
    const slept = createRunner({ ...context, db: sleepy }, [countingJob("ORDERS.IMPORT")], {
      project_ids: [project.id],
    });
    const sleeping = slept.runDue(clock.now());
    await gate.reached;
    // Meanwhile the lease holds, then it does not.
    const awake = runnerOf([project], countingJob("ORDERS.IMPORT"));
    await awake.runDue(clock.now());
    expect(await project.stored(id)).toMatchObject({ status: "IN_PROGRESS", done_count: 0 });
    clock.advance({ ms: lease_ms });
    await awake.runDue(clock.now());
    const done = await project.stored(id);
    expect(done).toMatchObject({ status: "DONE", done_count: 15 });
    gate.open();
    await sleeping;
    expect(await project.stored(id)).toEqual(done);
    expect(await project.rows(id)).toHaveLength(15);
  });

  test("does not pass on while its runner is still writing, however old it is", async () => {
    const project = await aProject();
    const id = await project.start("ORDERS.IMPORT", { parameters: { count: 1 } });
    const gate = aGate();
    const before = async () => gate.passed();
    const slow = createRunner(
      { ...context, db: anotherDatabase(service) },
      [countingJob("ORDERS.IMPORT", { before })],
      { project_ids: [project.id] },
    );
    const writing = slow.runDue(clock.now());
    await gate.reached;
    clock.advance({ ms: lease_ms * 2 });
    await runnerOf(
      [project],
      countingJob("ORDERS.IMPORT", { before: async () => Promise.reject(new Error("taken over")) }),
    ).runDue(clock.now());
    gate.open();
    await writing;
    expect(await project.stored(id)).toMatchObject({ status: "DONE", failures: 0 });
  });

  test("that ran out again and again ends the action: it is what kills its runner", async () => {
    const project = await aProject();
    const id = await project.start("ORDERS.IMPORT", { parameters: { count: 1 } });
    for (let death = 0; death < 10; death += 1, clock.advance({ ms: lease_ms })) {
      await lease(context.db, { project_id: project.id, id }, `dead-${death}`, clock.now(), clock.now() + lease_ms);
    }
    await runnerOf([project], countingJob("ORDERS.IMPORT")).runDue(clock.now());
    expect(await project.stored(id)).toMatchObject({ status: "FAILED" });
  });
});
