import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { runDue as doDue } from "../../platform/jobs/loop.js";
import { CannotGoOn, createRunner } from "../async-actions/index.js";
import { campaignJobs } from "./campaign.jobs.js";

const service = await startService();
const { api, clock, context, runDue } = service;

const ten_off = { type: "AMOUNT", amount_off: 1000 };
const campaign = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  voucher: { discount: ten_off },
  ...more,
});
const shown = async (path: string) => (await api.get(path, 200)).body;
const actionOf = async (id: string) => shown(`/v1/async-actions/${id}`);
const totalOf = async (name: string) => (await shown(`/v1/vouchers?campaign=${name}&limit=1`)).total as number;

async function eventsOf(campaign_id: string): Promise<string[]> {
  const events = await context.db.many<{ type: string }>(sql`
    select events.type from events
     where events.project_id = ${service.project.id} and events.entity_id = ${campaign_id} order by events.id`);
  return events.map(({ type }) => type);
}

describe("a campaign with two vouchers or more", () => {
  test("is answered at once, IN_PROGRESS; its vouchers follow", async () => {
    const { body } = await api.post("/v1/campaigns", campaign("Spring", { vouchers_count: 5000 }), 200);
    expect(body).toMatchObject({
      creation_status: "IN_PROGRESS",
      vouchers_generation_status: "IN_PROGRESS",
      vouchers_count: 0,
    });
    expect(await actionOf(body.async_action_id)).toMatchObject({
      type: "CAMPAIGN.VOUCHERS_GENERATE",
      status: "ENQUEUED",
    });
    clock.advance({ minutes: 1 });
    await runDue();
    expect(await actionOf(body.async_action_id)).toMatchObject({
      status: "DONE",
      operation_status: "SUCCESS",
      progress: 100,
      processing_time: 60_000,
      result: { message: "Generated 5000 vouchers.", done_count: 5000 },
    });
    const done = { creation_status: "DONE", vouchers_generation_status: "DONE", vouchers_count: 5000 };
    expect(await shown("/v1/campaigns/Spring")).toMatchObject(done);
    expect(await totalOf("Spring")).toBe(5000);
    const generation = "campaign.vouchers.generation";
    const expected = ["campaign.created", `${generation}.started`, `${generation}.completed`];
    expect((await eventsOf(body.id)).sort()).toEqual(expected.sort());
  });

  test("gets more by another call, under a code_config of their own", async () => {
    await api.post("/v1/campaigns", campaign("More"), 200);
    const sent = { code_config: { pattern: "MORE-#####" }, metadata: { batch: 2 } };
    const { body } = await api.post("/v1/campaigns/More/vouchers?vouchers_count=20", sent, 202);
    expect(body).toEqual({ async_action_id: expect.stringMatching(/^aa_/) });
    await runDue();
    const { vouchers, total } = await shown("/v1/vouchers?campaign=More&limit=100");
    expect(total).toBe(20);
    for (const voucher of vouchers) {
      expect(voucher).toMatchObject({ active: true, metadata: { batch: 2 }, discount: ten_off });
      expect(voucher.code).toMatch(/^MORE-.{5}$/);
    }
  });

  test("that is short of codes keeps those it got, and ends as FAILED", async () => {
    const voucher = { discount: ten_off, code_config: { charset: "AB", pattern: "SHORT-####" } };
    for (const code of ["SHORT-AAAA", "SHORT-BBBB"]) await api.post(`/v1/vouchers/${code}`, { discount: ten_off }, 200);
    const { body } = await api.post("/v1/campaigns", { name: "Short", voucher, vouchers_count: 16 }, 200);
    await runDue();
    expect(await actionOf(body.async_action_id)).toMatchObject({
      status: "FAILED",
      operation_status: "FAILED",
      result: { message: "Generated 14 vouchers.", done_count: 14 },
    });
    expect(await shown("/v1/campaigns/Short")).toMatchObject({
      creation_status: "FAILED",
      vouchers_generation_status: "FAILED",
      vouchers_count: 14,
    });
    expect(await eventsOf(body.id)).toContain("campaign.vouchers.generation.failed");
  });

  test("that is deleted while they are made leaves none behind", async () => {
    const { body } = await api.post("/v1/campaigns", campaign("Fleeting", { vouchers_count: 9000 }), 200);
    const [removed] = await Promise.all([api.delete("/v1/campaigns/Fleeting?force=true", 202), runDue()]);
    await runDue();
    expect(await actionOf(removed.body.async_action_id)).toMatchObject({ status: "DONE" });
    expect((await actionOf(body.async_action_id)).status).toMatch(/DONE|FAILED/);
    const left = await context.db.one(sql`
      select count(*) as vouchers from vouchers
       where vouchers.project_id = ${service.project.id} and vouchers.campaign_id = ${body.id}`);
    expect(left).toEqual({ vouchers: 0 });
    await api.post("/v1/campaigns", campaign("Fleeting"), 200);
  });
});

describe("edits and deletions of campaigns", () => {
  test("reach the vouchers in the order of the requests: the last one wins", async () => {
    await api.post("/v1/campaigns", campaign("Ordered"), 200);
    await api.post("/v1/campaigns/Ordered/vouchers/ORDERED", {}, 200);
    const sent = Array.from({ length: 10 }, (_, i) => `2027-03-${10 + i}`);
    for (const expiration_date of sent) await api.put("/v1/campaigns/Ordered", { expiration_date }, 200);
    await runDue();
    expect(await shown("/v1/vouchers/ORDERED")).toMatchObject({ expiration_date: "2027-03-19T00:00:00.000Z" });
  });

  test("say how many vouchers they reached", async () => {
    await api.post("/v1/campaigns", campaign("Counted", { vouchers_count: 7 }), 200);
    await runDue();
    const edited = await api.put("/v1/campaigns/Counted", { expiration_date: "2027-01-01" }, 200);
    const removed = await api.delete("/v1/campaigns/Counted", 202);
    await runDue();
    const results = [edited, removed].map(async ({ body }) => (await actionOf(body.async_action_id)).result);
    expect(await Promise.all(results)).toEqual([
      { message: "Updated 7 vouchers.", done_count: 7 },
      { message: "Deleted 7 vouchers.", done_count: 7 },
    ]);
  });
});

test("edits and deletions that their vouchers cannot follow are told all the same", async () => {
  const hopeless = campaignJobs.map((job) => ({ ...job, slice: () => Promise.reject(new CannotGoOn("no")) }));
  const { works } = createRunner(context, hopeless, { project_ids: [service.project.id] });
  const { body } = await api.post("/v1/campaigns", campaign("Hopeless", { vouchers_count: 2 }), 200);
  await runDue();
  for (const happens of [
    () => api.put("/v1/campaigns/Hopeless", { expiration_date: "2027-01-01" }, 200),
    () => api.delete("/v1/campaigns/Hopeless", 202),
  ]) {
    const action = (await happens()).body.async_action_id;
    await doDue(context, works, clock.now());
    expect((await actionOf(action)).status).toBe("FAILED");
  }
  expect(await eventsOf(body.id)).toEqual(expect.arrayContaining(["campaign.updated", "campaign.deleted"]));
});

describe("two generations of one campaign at once", () => {
  const long = (now = createRunner(context, campaignJobs, { project_ids: [service.project.id] })) => now.works[1]!;
  const statusOf = async (name: string) => {
    const { creation_status, vouchers_generation_status } = await shown(`/v1/campaigns/${name}`);
    return [creation_status, vouchers_generation_status];
  };

  test("leave the campaign IN_PROGRESS until the last one is done", async () => {
    await api.post("/v1/campaigns", campaign("Twice", { vouchers_count: 3000 }), 200);
    const { body } = await api.post("/v1/campaigns/Twice/vouchers?vouchers_count=10", {}, 202);
    const queue = long();
    const ended = async () => (await actionOf(body.async_action_id)).status === "DONE";
    while (!(await ended())) expect(await queue.step(clock.now())).toBe("more");
    expect(await statusOf("Twice")).toEqual(["IN_PROGRESS", "IN_PROGRESS"]);
    await runDue();
    expect(await statusOf("Twice")).toEqual(["DONE", "DONE"]);
    expect(await totalOf("Twice")).toBe(3010);
  });

  test("end as FAILED where one of them did, whichever was last", async () => {
    await api.post("/v1/campaigns", campaign("Half", { vouchers_count: 3000 }), 200);
    const code_config = { charset: "AB", pattern: "HALF-####" };
    for (const code of ["HALF-AAAA", "HALF-BBBB"]) await api.post(`/v1/vouchers/${code}`, { discount: ten_off }, 200);
    await api.post("/v1/campaigns/Half/vouchers?vouchers_count=16", { code_config }, 202);
    await runDue();
    expect(await statusOf("Half")).toEqual(["FAILED", "FAILED"]);
    // A later one that nothing fails beside says of itself how it ended.
    clock.advance({ minutes: 1 });
    await api.post("/v1/campaigns/Half/vouchers?vouchers_count=5", {}, 202);
    await runDue();
    expect(await statusOf("Half")).toEqual(["FAILED", "DONE"]);
  });

  test("that two nodes end at the same moment are seen by each other", async () => {
    await api.post("/v1/campaigns", campaign("Nodes", { vouchers_count: 50 }), 200);
    for (let i = 0; i < 5; i += 1) await api.post("/v1/campaigns/Nodes/vouchers?vouchers_count=50", {}, 202);
    await Promise.all(Array.from({ length: 6 }, () => long().step(clock.now())));
    await runDue();
    expect(await statusOf("Nodes")).toEqual(["DONE", "DONE"]);
    expect(await totalOf("Nodes")).toBe(300);
  });
});
