import { beforeAll, describe, expect, test } from "vitest";
import { buildIfStale, cleanUpProcesses, stopProcess } from "../harness/process.js";
import { aCluster, aGeneration, heldInTheMiddle, untilDone } from "./async.fixtures.js";

beforeAll(buildIfStale, 120_000);
cleanUpProcesses();

const generated = (count: number) => ({ message: `Generated ${count} vouchers.`, done_count: count });

describe("the generation of 20,000 codes", () => {
  const count = 20_000;
  const all = { vouchers: count, codes: count, counted: count };

  test("goes on within 30 s after its worker was killed in the middle, and makes none twice", async () => {
    const cluster = await aCluster();
    const worker = await cluster.service();
    const { campaign_id, id } = await aGeneration(worker.api, "Killed", count);
    const release = await heldInTheMiddle(cluster, id);
    const killed = performance.now();
    await stopProcess(worker, "SIGKILL");
    await release();
    const { vouchers } = await cluster.vouchersOf(campaign_id);
    expect(vouchers).toBeGreaterThan(0);
    expect(vouchers).toBeLessThan(count);

    const next = await cluster.service();
    await untilDone(cluster, id);
    expect(performance.now() - killed).toBeLessThan(30_000);
    expect(await cluster.vouchersOf(campaign_id)).toEqual(all);
    expect((await next.api.get(`/v1/async-actions/${id}`, 200)).body).toMatchObject({
      operation_status: "SUCCESS",
      progress: 100,
      result: generated(count),
    });
    expect((await next.api.get(`/v1/campaigns/${campaign_id}`, 200)).body).toMatchObject({
      vouchers_count: count,
      creation_status: "DONE",
      vouchers_generation_status: "DONE",
    });
  }, 300_000);

  test("is handed over at once by a worker that is told to stop", async () => {
    const cluster = await aCluster();
    const worker = await cluster.service();
    const next = await cluster.service({ GUERDON_ROLE: "api" });
    const { campaign_id, id } = await aGeneration(next.api, "Stopped", 200_000);
    const release = await heldInTheMiddle(cluster, id);
    worker.signal("SIGTERM");
    await release();
    expect(await worker.exit).toMatchObject({ code: 0 });
    expect(await cluster.action(id)).toMatchObject({ status: "IN_PROGRESS", lease_token: null });
    const { vouchers } = await cluster.vouchersOf(campaign_id);
    expect(Number((await cluster.action(id)).done_count)).toBe(vouchers);
    // A node that only answers leaves it alone; a worker takes it up without waiting for a lease.
    const begun = performance.now();
    await cluster.service({ GUERDON_ROLE: "worker" });
    const went_on = async () => Number((await cluster.action(id)).done_count) > vouchers;
    await expect.poll(went_on, { timeout: 10_000, interval: 20 }).toBe(true);
    expect(performance.now() - begun).toBeLessThan(10_000);
  }, 300_000);

  test("gets nothing from a worker that slept while another one took it over", async () => {
    const cluster = await aCluster();
    const sleeper = await cluster.service();
    const { campaign_id, id } = await aGeneration(sleeper.api, "Slept", count);
    const release = await heldInTheMiddle(cluster, id);
    sleeper.signal("SIGSTOP");
    // Its statement ends, its transaction is left open until the database's patience does.
    await release();
    await cluster.service();
    await untilDone(cluster, id);
    expect(await cluster.vouchersOf(campaign_id)).toEqual(all);
    const done = await cluster.action(id);
    sleeper.signal("SIGCONT");
    // It wakes, finds its action gone, and does the next thing it is asked.
    await expect.poll(async () => (await fetch(`${sleeper.url}/health`)).status, { timeout: 10_000 }).toBe(200);
    const another = await aGeneration(sleeper.api, "Next", 10);
    await untilDone(cluster, another.id);
    expect(await cluster.vouchersOf(campaign_id)).toEqual(all);
    expect(await cluster.action(id)).toEqual(done);
  }, 300_000);
});

describe("a bulk action behind the generation of 100,000 codes", () => {
  test("finishes first, and so does a small generation", async () => {
    const cluster = await aCluster();
    const { api } = await cluster.service();
    const other = await aGeneration(api, "Other", 10);
    await untilDone(cluster, other.id);
    const huge = await aGeneration(api, "Huge", 100_000);
    const small = await aGeneration(api, "Small", 100);
    const bulk = (await api.delete("/v1/campaigns/Other?force=true", 202)).body.async_action_id;
    await untilDone(cluster, bulk);
    await untilDone(cluster, small.id);
    expect(await cluster.action(huge.id)).toMatchObject({ status: "IN_PROGRESS" });
    expect(await cluster.action(bulk)).toMatchObject({ result: { message: "Deleted 10 vouchers.", done_count: 10 } });
    await untilDone(cluster, huge.id);
    expect(await cluster.vouchersOf(huge.campaign_id)).toEqual({ vouchers: 100_000, codes: 100_000, counted: 100_000 });
  }, 300_000);
});
