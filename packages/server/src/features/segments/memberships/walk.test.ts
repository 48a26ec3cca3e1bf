import { describe, expect, test } from "vitest";
import { startService, type TestProject } from "../../../../test/harness/service.js";
import { holding } from "../../../recording/index.js";
import { walkOn } from "../../../walks/index.js";
import { customerBesideKey } from "../../customers/index.js";
import { aShop, vip } from "./membership.fixtures.js";
import { memberships, nextDay } from "./walk.js";

const service = await startService();
const { clock, context } = service;

describe("the first judgement of a segment", () => {
  const slice = (project: TestProject) => walkOn(context, memberships, clock.now(), [project.id]);

  test("goes on where it was, tells of nobody it comes to, and of everybody who is younger than the segment", async () => {
    const project = await aShop(service);
    await project.manyCustomers(450, { vip: true });
    const id = await project.aSegment(vip);
    await slice(project);
    expect(await project.members(id)).toHaveLength(200);
    clock.advance({ minutes: 1 });
    await project.aCustomer("ann", { metadata: { vip: true } });
    // One that it has come to, and one that it has not.
    for (const name of ["s000001", "s000449"]) await project.aCustomer(name, { metadata: { vip: false } });
    await project.aCustomer("s000450", { name: "still" });
    await project.runDue();
    expect((await project.told()).sort()).toEqual(["+ann", "-s000001"]);
    expect(await project.members(id)).toHaveLength(450 - 2 + 1);
  });

  test("that fails in a slice does that slice again, and nothing twice", async () => {
    const project = await aShop(service);
    await project.manyCustomers(250, { vip: true });
    const id = await project.aSegment(vip);
    const dying = {
      ...context,
      db: {
        ...context.db,
        transaction: (work: Parameters<typeof context.db.transaction>[0]) =>
          context.db.transaction(async (tx) => {
            await work(tx);
            throw new Error("killed");
          }),
      },
    } as typeof context;
    const quiet = { ...dying, log: { ...context.log, error() {} } } as typeof context;
    await walkOn(quiet, memberships, clock.now(), [project.id]);
    expect(await project.members(id)).toEqual([]);
    await Promise.all([slice(project), slice(project), slice(project)]);
    await project.runDue();
    expect(await project.members(id)).toHaveLength(250);
  });

  test("is stopped by the end of the segment", async () => {
    const project = await aShop(service);
    await project.manyCustomers(250, { vip: true });
    const id = await project.aSegment(vip);
    await slice(project);
    await project.api.delete(`/v1/segments/${id}`, 204);
    await project.runDue();
    expect(await project.memberships()).toBe(0);
  });
});

test("a customer is deleted before or after being judged: nothing of them is told after", async () => {
  const project = await aShop(service);
  const ann = await project.aCustomer("ann");
  const [is_held, held] = aSignal();
  const [is_judged, judged] = aSignal();
  const judging = context.db.transaction(async (tx) => {
    await holding(tx, [customerBesideKey(project.id, ann)], async () => undefined);
    held();
    await is_judged;
  });
  await is_held;
  let is_deleted = false;
  const deletion = project.api.delete(`/v1/customers/${ann}`, 204).then(() => {
    is_deleted = true;
  });
  await project.api.put(`/v1/customers/${await project.aCustomer("bob")}`, { name: "Bob" }, 200);
  expect(is_deleted).toBe(false);
  judged();
  await Promise.all([judging, deletion]);
  expect(is_deleted).toBe(true);
});

test("customers who go in and out while several look are told each step once, in turn", async () => {
  const project = await aShop(service);
  const id = await project.aSegment(vip);
  await project.runDue();
  const people = ["ann", "bob", "cid", "dan"];
  const change = async (round: number) => {
    for (const name of people) await project.aCustomer(name, { metadata: { vip: round % 2 === 0 } });
  };
  for (let round = 0; round < 7; round += 1) {
    clock.advance({ ms: 1000 });
    await Promise.all([change(round), service.runDue(), service.runDue(), service.runDue()]);
  }
  clock.advance({ hours: 1 });
  await project.runDue();
  expect(await project.members(id)).toEqual(people);
  const told = await project.told();
  for (const name of people) {
    const steps = told.filter((one) => one.slice(1) === name).map((one) => one[0]);
    expect(steps).toEqual(steps.map((_, i) => (i % 2 === 0 ? "+" : "-")));
    expect(steps.at(-1)).toBe("+");
  }
});

test.each([
  ["Europe/Vienna", "2026-03-28T23:30:00Z", "2026-03-29T22:00:00.000Z"],
  ["Europe/Vienna", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00.000Z"],
  ["America/Sao_Paulo", "2018-11-03T12:00:00Z", "2018-11-04T03:00:00.000Z"],
  ["UTC", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00.000Z"],
])("in %s the day after %s begins at %s", (timezone, instant, begins) => {
  expect(new Date(nextDay({ timezone }, Date.parse(instant))).toISOString()).toBe(begins);
});

/** What is waited for, and who says that it is so. */
function aSignal(): [Promise<void>, () => void] {
  let tell = () => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return [told, tell];
}
