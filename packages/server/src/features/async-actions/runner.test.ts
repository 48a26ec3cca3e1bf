import { describe, expect, test, vi } from "vitest";
import { startService } from "../../../test/harness/service.js";
import type { Database } from "../../platform/db/database.js";
import { createLoop } from "../../platform/jobs/loop.js";
import { countingJob, testsOf } from "./async-action.fixtures.js";
import { CannotGoOn } from "./async-action.js";
import { createRunner } from "./runner.js";
import { createRooms } from "./slice-rooms.js";

const service = await startService();
const { context, clock } = service;
const { aProject, runnerOf, quiet } = testsOf(service);

describe("an asynchronous action", () => {
  test("goes from ENQUEUED through IN_PROGRESS to DONE, a slice a transaction, and has a row for each item", async () => {
    const project = await aProject();
    const seen: unknown[] = [];
    const job = countingJob("CUSTOMERS.BULK_UPDATE", {
      before: async (id) => void seen.push((await project.api.get(`/v1/async-actions/${id}`, 200)).body),
    });
    const id = await project.start("CUSTOMERS.BULK_UPDATE", { parameters: { count: 25 } });
    expect((await project.api.get(`/v1/async-actions/${id}`, 200)).body).toMatchObject({
      status: "ENQUEUED",
      progress: 0,
    });
    clock.advance({ ms: 1500 });
    await runnerOf([project], job).runDue(clock.now());
    const { body } = await project.api.get(`/v1/async-actions/${id}`, 200);
    expect(seen).toMatchObject([
      { status: "IN_PROGRESS", operation_status: "UNKNOWN", progress: 0 },
      { status: "IN_PROGRESS", operation_status: "UNKNOWN", progress: 40 },
      { status: "IN_PROGRESS", operation_status: "UNKNOWN", progress: 80 },
    ]);
    expect(body).toMatchObject({
      status: "DONE",
      operation_status: "SUCCESS",
      progress: 100,
      processing_time: 1500,
      result: { message: "Counted to 25.", done_count: 25 },
    });
    expect(seen[0]).toMatchObject({ result: null });
    expect(await project.rows(id)).toHaveLength(25);
  });

  test.each`
    done | failed | operation_status
    ${2} | ${0}   | ${"SUCCESS"}
    ${1} | ${1}   | ${"SUCCESS"}
    ${0} | ${0}   | ${"SUCCESS"}
    ${0} | ${2}   | ${"FAILED"}
  `("that did $done and failed at $failed ends with $operation_status", async ({ done, failed, operation_status }) => {
    const project = await aProject();
    const id = await project.start("ORDERS.IMPORT");
    const slice = async () => ({ done: true as const, done_count: done, failed_count: failed, result: {} });
    await createRunner(context, [{ type: "ORDERS.IMPORT", rows: { start: 1, max: 1 }, slice }], {
      project_ids: [project.id],
    }).runDue(clock.now());
    expect(await project.stored(id)).toMatchObject({
      status: "DONE",
      operation_status,
      done_count: done,
      failed_count: failed,
    });
  });

  test("that no job of this node knows waits for a node that has one", async () => {
    const project = await aProject();
    const id = await project.start("SKUS.IMPORT_CSV");
    await runnerOf([project], countingJob("CUSTOMERS.BULK_UPDATE")).runDue(clock.now());
    expect(await project.stored(id)).toMatchObject({ status: "ENQUEUED" });
  });
});

describe("bulk actions of one project", () => {
  test("run one at a time in the order of their requests, though the first fails once", async () => {
    const project = await aProject();
    const order: string[] = [];
    let failures = 1;
    const before = async (id: string) => {
      if (failures-- > 0) throw new Error("a hiccup");
      order.push(id);
    };
    const runner = runnerOf(
      [project],
      countingJob("VOUCHERS.METADATA_UPDATE", { before }),
      countingJob("VOUCHERS.IMPORT", { before }),
    );
    const first = await project.start("VOUCHERS.METADATA_UPDATE", { parameters: { count: 25 } });
    const second = await project.start("VOUCHERS.IMPORT", { parameters: { count: 1 } });
    await runner.runDue(clock.now());
    // The first waits for its next try, and the second for the first.
    expect(order).toEqual([]);
    expect(await project.stored(second)).toMatchObject({ status: "ENQUEUED" });
    clock.advance({ minutes: 1 });
    await runner.runDue(clock.now());
    expect(order).toEqual([first, first, first, second]);
  });

  test("keep the order of their commits, not of their ids or of their transactions' beginning", async () => {
    const project = await aProject();
    const order: string[] = [];
    // 20 at once: whichever is committed first has the lower place.
    const started = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const id = await project.start("ORDERS.IMPORT", { parameters: { count: 1 } });
        return { id, position: (await project.stored(id)).position as number };
      }),
    );
    expect(new Set(started.map(({ position }) => position)).size).toBe(20);
    const before = async (id: string) => void order.push(id);
    await runnerOf([project], countingJob("ORDERS.IMPORT", { before })).runDue(clock.now());
    expect(order).toEqual(started.sort((a, b) => a.position - b.position).map(({ id }) => id));
  });

  test("do not hold up another project", async () => {
    const [stuck, other] = [await aProject(), await aProject()];
    const job = countingJob("ORDERS.IMPORT", {
      before: async (id) => (id === first ? Promise.reject(new Error("stuck")) : undefined),
    });
    const first: string = await stuck.start("ORDERS.IMPORT", { parameters: { count: 1 } });
    const second = await other.start("ORDERS.IMPORT", { parameters: { count: 1 } });
    await runnerOf([stuck], job).runDue(clock.now());
    await runnerOf([other], job).runDue(clock.now());
    expect(await other.stored(second)).toMatchObject({ status: "DONE" });
  });

  test("end as FAILED after a bounded number of tries, and the next one goes on", async () => {
    const project = await aProject();
    let tries = 0;
    const told: string[] = [];
    const broken = {
      ...countingJob("ORDERS.IMPORT", { before: async () => Promise.reject(new Error(`try ${++tries}: secret`)) }),
      failed: async (_tx: unknown, { id }: { id: string }, reason: string) => void told.push(id, reason),
    };
    const first = await project.start("ORDERS.IMPORT", { parameters: { count: 1 } });
    const second = await project.start("VOUCHERS.IMPORT", { parameters: { count: 1 } });
    const runner = runnerOf([project], broken, countingJob("VOUCHERS.IMPORT"));
    for (let minute = 0; minute < 20; minute += 1, clock.advance({ minutes: 1 })) await runner.runDue(clock.now());
    const { body } = await project.api.get(`/v1/async-actions/${first}`, 200);
    expect(body).toMatchObject({ status: "FAILED", operation_status: "FAILED", result: { done_count: 0 } });
    expect(JSON.stringify(body)).not.toContain("secret");
    expect(tries).toBe(9);
    expect(told).toEqual([first, body.result.message]);
    expect(await project.stored(second)).toMatchObject({ status: "DONE" });
  });

  test("that cannot go on fail at once, with the reason", async () => {
    const project = await aProject();
    const before = async () => Promise.reject(new CannotGoOn("no code is free"));
    const id = await project.start("ORDERS.IMPORT", { parameters: { count: 1 } });
    await runnerOf([project], countingJob("ORDERS.IMPORT", { before })).runDue(clock.now());
    expect((await project.api.get(`/v1/async-actions/${id}`, 200)).body).toMatchObject({
      status: "FAILED",
      result: { message: "no code is free" },
    });
  });

  test("fail even when their job cannot be told", async () => {
    const project = await aProject();
    const job = {
      ...countingJob("ORDERS.IMPORT", { before: async () => Promise.reject(new CannotGoOn("no")) }),
      failed: async () => Promise.reject(new Error("nor this")),
    };
    const id = await project.start("ORDERS.IMPORT", { parameters: { count: 1 } });
    await runnerOf([project], job).runDue(clock.now());
    expect(await project.stored(id)).toMatchObject({ status: "FAILED" });
  });
});

describe("long actions", () => {
  test("take turns, and a bulk action started behind them does not wait", async () => {
    const project = await aProject();
    const order: string[] = [];
    const before = async (id: string) => void order.push(id);
    const huge = await project.start("CAMPAIGN.VOUCHERS_GENERATE", { parameters: { count: 100 } });
    const small = await project.start("CAMPAIGN.VOUCHERS_GENERATE", { parameters: { count: 20 } });
    const bulk = await project.start("ORDERS.IMPORT", { parameters: { count: 1 } });
    const jobs = [countingJob("CAMPAIGN.VOUCHERS_GENERATE", { before }), countingJob("ORDERS.IMPORT", { before })];
    await runnerOf([project], ...jobs).runDue(clock.now());
    const long = order.filter((id) => id !== bulk);
    expect(long).toEqual([huge, small, huge, small, ...Array.from({ length: 8 }, () => huge)]);
    expect(order.indexOf(bulk)).toBeLessThan(2);
  });

  test("of several projects take turns too, however much each has waiting", async () => {
    const [crowded, lone] = [await aProject(), await aProject()];
    const order: string[] = [];
    const job = countingJob("CAMPAIGN.VOUCHERS_GENERATE", { before: async (id) => void order.push(id) });
    for (let i = 0; i < 5; i += 1) await crowded.start("CAMPAIGN.VOUCHERS_GENERATE", { parameters: { count: 30 } });
    const id = await lone.start("CAMPAIGN.VOUCHERS_GENERATE", { parameters: { count: 30 } });
    await runnerOf([crowded, lone], job).runDue(clock.now());
    expect(order.slice(0, 6).filter((one) => one === id)).toHaveLength(3);
    expect(order).toHaveLength(18);
  });
});

describe("a runner on the loop", () => {
  test("finds by itself what was started, does it, and stops when told", async () => {
    const project = await aProject();
    const loop = createLoop(context, runnerOf([project], countingJob("ORDERS.IMPORT")).works);
    loop.start();
    const first = await project.start("ORDERS.IMPORT", { parameters: { count: 30 } });
    await vi.waitFor(async () => expect(await project.stored(first)).toMatchObject({ status: "DONE" }), 20_000);
    const second = await project.start("ORDERS.IMPORT", { parameters: { count: 30 } });
    context.bell.ring("async_actions");
    await vi.waitFor(async () => expect(await project.stored(second)).toMatchObject({ status: "DONE" }), 20_000);
    await loop.stop();
    const third = await project.start("ORDERS.IMPORT", { parameters: { count: 30 } });
    context.bell.ring("async_actions");
    expect(await project.stored(third)).toMatchObject({ status: "ENQUEUED" });
  });

  test("goes on when the database was away for a while", async () => {
    const project = await aProject();
    let away = 3;
    const flaky = {
      ...context.db,
      one: async (statement) => (away-- > 0 ? Promise.reject(new Error("away")) : context.db.one(statement)),
      many: async (statement) => (away-- > 0 ? Promise.reject(new Error("away")) : context.db.many(statement)),
    } as Database;
    const flaky_context = { ...context, db: flaky, log: quiet };
    const options = { project_ids: [project.id] };
    const loop = createLoop(flaky_context, createRunner(flaky_context, [countingJob("ORDERS.IMPORT")], options).works);
    const id = await project.start("ORDERS.IMPORT", { parameters: { count: 3 } });
    loop.start();
    await vi.waitFor(async () => expect(await project.stored(id)).toMatchObject({ status: "DONE" }), 20_000);
    await loop.stop();
  });
});

describe("the room of a slice", () => {
  test("shrinks after a slow or failed slice and grows after quick ones, up to the job's most", () => {
    const rooms = createRooms();
    const job = { ...countingJob("ORDERS.IMPORT"), rows: { start: 100, max: 250 } };
    const after = (...took: number[]) =>
      took.map((ms) => {
        rooms.tell(job, ms);
        return rooms.of(job);
      });
    expect(rooms.of(job)).toBe(100);
    expect(after(1001, Number.POSITIVE_INFINITY, 1000, 299, 10, 10, 10, 10)).toEqual([
      50, 25, 25, 50, 100, 200, 250, 250,
    ]);
    expect(after(...Array.from({ length: 12 }, () => 5000)).at(-1)).toBe(1);
  });
});
