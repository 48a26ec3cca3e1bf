import { expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { countingJob, testsOf } from "./async-action.fixtures.js";

const service = await startService();
const { clock, runDue } = service;
const { aProject, runnerOf } = testsOf(service);

test("the rows of a result end after thirty days, in bounded parts; the action is kept", async () => {
  const [project, other] = [await aProject(), await aProject()];
  const job = countingJob("ORDERS.IMPORT", { room: 1000 });
  const [long, short] = [
    await project.start("ORDERS.IMPORT", { parameters: { count: 5000 } }),
    await other.start("ORDERS.IMPORT", { parameters: { count: 3 } }),
  ];
  await runnerOf([project, other], job).runDue(clock.now());
  clock.advance({ days: 15 });
  const young = await other.start("ORDERS.IMPORT", { parameters: { count: 7 } });
  await runnerOf([project, other], job).runDue(clock.now());
  await runDue();
  expect(await project.rows(long)).toHaveLength(5000);
  clock.advance({ days: 15 });
  await runDue();
  expect(await project.rows(long)).toEqual([]);
  expect(await other.rows(short)).toEqual([]);
  expect(await other.rows(young)).toHaveLength(7);
  expect(await project.stored(long)).toMatchObject({ status: "DONE", done_count: 5000, results_until: null });
  expect((await other.stored(young)).results_until).not.toBeNull();
});
