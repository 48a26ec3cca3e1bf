import { expect, test, vi } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { lockKeys } from "../../../platform/db/locks.js";
import { sql } from "../../../platform/db/sql.js";
import { customerBesideKey } from "../../customers/index.js";
import { aShop, vip } from "./membership.fixtures.js";

const service = await startService();
const { clock, context } = service;

/** Holds the row of a segment, so that whoever writes a membership of it waits; answers how to let them, and who waits. */
async function holdSegment(project_id: string, id: string) {
  let letGo = () => {};
  let holder = 0;
  let done: Promise<void> = Promise.resolve();
  await new Promise<void>((holding) => {
    done = context.db.transaction(async (tx) => {
      await tx.many(sql`
        select segments.id from segments where segments.project_id = ${project_id} and segments.id = ${id} for update`);
      holder = (await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid;
      await new Promise<void>((resume) => {
        letGo = resume;
        holding();
      });
    });
  });
  const isTrue = async (is: ReturnType<typeof sql>) =>
    (await context.db.one<{ is: boolean }>(sql`select exists (${is}) as is`)).is;
  return {
    letGo: () => {
      letGo();
      return done;
    },
    someWait: () =>
      isTrue(sql`select from pg_stat_activity as one where ${holder}::int = any(pg_blocking_pids(one.pid))`),
    someWaitBehindThose: () =>
      isTrue(sql`
        select from pg_stat_activity as one join pg_stat_activity as other on one.pid = any(pg_blocking_pids(other.pid))
         where ${holder}::int = any(pg_blocking_pids(one.pid))`),
  };
}

test("a judgement that is overtaken by the next change of the customer does not have the last word", async () => {
  const project = await aShop(service);
  const id = await project.aSegment(vip);
  await project.aCustomer("ann", { metadata: { vip: false } });
  await project.runDue();
  clock.advance({ minutes: 1 });
  await project.aCustomer("ann", { metadata: { vip: true } });
  const segment = await holdSegment(project.id, id);
  const first = project.runDue();
  // It has seen Ann as a member, and cannot write it down yet.
  await vi.waitUntil(segment.someWait, { timeout: 10_000, interval: 10 });
  await project.aCustomer("ann", { metadata: { vip: false } });
  const second = project.runDue();
  const waits = vi.waitUntil(segment.someWaitBehindThose, { timeout: 10_000, interval: 10 });
  await Promise.race([second, waits]);
  await segment.letGo();
  await Promise.all([first, second, waits.catch(() => undefined)]);
  await project.runDue();
  expect(await project.members(id)).toEqual([]);
  expect(await project.told()).toEqual(["+ann", "-ann"]);
});

test("a step is dated when nobody else holds the customer any more, so that the one told last is dated last", async () => {
  const project = await aShop(service);
  await project.aSegment(vip);
  const id = await project.aCustomer("ann", { metadata: { vip: false } });
  await project.runDue();
  clock.advance({ minutes: 1 });
  await project.aCustomer("ann", { metadata: { vip: true } });
  let judged: Promise<void> = Promise.resolve();
  await context.db.transaction(async (tx) => {
    await lockKeys(tx, [customerBesideKey(project.id, id)]);
    judged = project.runDue();
    const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    const isWaitedFor = () =>
      context.db.one<{ is: boolean }>(sql`
        select exists (select from pg_stat_activity as one where ${pid}::int = any(pg_blocking_pids(one.pid))) as is`);
    await vi.waitUntil(async () => (await isWaitedFor()).is, { timeout: 10_000, interval: 10 });
    clock.advance({ minutes: 1 });
  });
  await judged;
  const { created_at } = await context.db.one<{ created_at: number }>(sql`
    select events.created_at from events
     where events.project_id = ${project.id} and events.type = 'customer.segment.entered'`);
  expect(created_at).toBe(clock.now());
});
