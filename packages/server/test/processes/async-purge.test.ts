import { beforeAll, expect, test } from "vitest";
import { buildIfStale, cleanUpProcesses, stopProcess } from "../harness/process.js";
import { aCluster, heldInTheMiddle, untilDone } from "./async.fixtures.js";

beforeAll(buildIfStale, 120_000);
cleanUpProcesses();

test("a purge of a key goes on after its worker was killed, and counts each object once", async () => {
  const cluster = await aCluster();
  const worker = await cluster.service();
  const sent = Array.from({ length: 3_000 }, (_, i) => ({ source_id: `c-${i}`, metadata: { old: i, kept: i } }));
  const stored = (await worker.api.post("/v1/customers/bulk/async", sent, 202)).body.async_action_id;
  await untilDone(cluster, stored);
  // As the dashboard's operation starts it: a process that a test starts has nobody who signs in.
  const id = "aa_purge";
  await cluster.db.query(
    `insert into async_actions
     select (json_populate_record(async_actions, json_build_object(
       'id', $1::text, 'type', 'CUSTOMERS.METADATA_KEY_PURGE', 'status', 'ENQUEUED', 'operation_status', 'UNKNOWN',
       'parameters', json_build_object('key', 'old'), 'position', position + 1, 'progress', 0, 'done_count', 0,
       'failed_count', 0, 'result', null, 'state', null))).*
       from async_actions where id = $2`,
    [id, stored],
  );
  const release = await heldInTheMiddle(cluster, id, "customers");
  await stopProcess(worker, "SIGKILL");
  await release();
  const having = async () =>
    (await cluster.db.query("select count(*)::int as n from customers where metadata ? 'old'")).rows[0].n;
  const before = await having();
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(3_000);

  const next = await cluster.service();
  await untilDone(cluster, id);
  expect(await having()).toBe(0);
  const { result } = (await next.api.get(`/v1/async-actions/${id}`, 200)).body;
  expect(result).toMatchObject({ done_count: 3_000 });
  expect((await next.api.get("/v1/customers/c-2999", 200)).body.metadata).toEqual({ kept: 2999 });
}, 300_000);
