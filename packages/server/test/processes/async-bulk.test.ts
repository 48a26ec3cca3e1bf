import { beforeAll, expect, test } from "vitest";
import { buildIfStale, cleanUpProcesses, stopProcess } from "../harness/process.js";
import { aCluster, heldInTheMiddle, untilDone } from "./async.fixtures.js";

beforeAll(buildIfStale, 120_000);
cleanUpProcesses();

test("a bulk update of 4,000 customers goes on after its worker was killed, takes none twice and reports each once", async () => {
  const cluster = await aCluster();
  const worker = await cluster.service();
  const source_ids = Array.from({ length: 4_000 }, (_, i) => `c-${i}`);
  const sent = source_ids.map((source_id, i) => ({ source_id, name: `No ${i}` }));
  const id = (await worker.api.post("/v1/customers/bulk/async", sent, 202)).body.async_action_id;
  const release = await heldInTheMiddle(cluster, id, "customers");
  await stopProcess(worker, "SIGKILL");
  await release();
  const storedCount = async () => (await cluster.db.query("select count(*)::int as n from customers")).rows[0].n;
  const before = await storedCount();
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(4_000);

  const next = await cluster.service();
  await untilDone(cluster, id);
  expect(await storedCount()).toBe(4_000);
  const { result } = (await next.api.get(`/v1/async-actions/${id}`, 200)).body;
  expect(result).toMatchObject({ done_count: 4_000, failed_count: 0, errors: [] });
  const report = await (await fetch(result.reports[0])).text();
  // None was found, so none had been made by a slice that was lost.
  expect(report.split("\n")).toEqual([
    "source_id,found,updated,errors",
    ...source_ids.map((source_id) => `${source_id},false,true,`),
    "",
  ]);
}, 300_000);
