import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import type { Queries } from "../../platform/db/database.js";
import { plannedEachTime, sql } from "../../platform/db/sql.js";
import { aName } from "../loyalties/loyalty.fixtures.js";
import { findNextVouchers } from "./next-vouchers.store.js";
import { aCampaign, publisherOn } from "./publication.fixtures.js";

const service = await startService();
const { api, clock, context, project, runDue } = service;
const { db } = context;
const { refused } = publisherOn(api);

const analyze = () => db.run(sql`analyze vouchers -- every project: as autovacuum would, whenever it likes`);

async function aPool(vouchers_count: number) {
  const campaign = await aCampaign(api, { fields: { type: "STATIC", vouchers_count } });
  await runDue();
  return campaign;
}

async function published({ name }: { name: string }): Promise<string> {
  const sent = { campaign: { name }, customer: { source_id: aName("c") } };
  return (await api.post("/v1/publications", sent, 200)).body.voucher.code;
}

/** As if so many of the first codes had been given out, and nobody had come by since. */
const giveOut = ({ id }: { id: string }, count: number) =>
  db.run(sql`
    update vouchers set publish_count = 1
     where vouchers.project_id = ${project.id} and vouchers.id in (
       select vouchers.id from vouchers where vouchers.project_id = ${project.id} and vouchers.campaign_id = ${id}
        order by vouchers.created_at, vouchers.id limit ${count})`);

interface Node {
  "Node Type": string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** How PostgreSQL looks for the next code: the steps that it takes, and the pages that it looks at. */
async function lookingForNext({ id }: { id: string }) {
  let found: Node | undefined;
  const explained: Pick<Queries, "many"> = {
    async many(statement) {
      const text = `explain (analyze, buffers, format json) ${statement.text}`;
      const [row] = await db.many<Record<string, [{ Plan: Node }]>>({ ...plannedEachTime(statement), text });
      found = row?.["QUERY PLAN"]?.[0].Plan;
      return [];
    },
  };
  await findNextVouchers(explained as Queries, project.id, id, 1);
  if (!found) throw new Error("nothing was explained");
  const nodes = nodesOf(found);
  const search = nodes.find((node) => node["Index Name"] === "vouchers_unpublished");
  return {
    sorts: nodes.some((node) => node["Node Type"].includes("Sort")),
    rows: search?.["Actual Rows"],
    passed_over: search?.["Rows Removed by Filter"] ?? 0,
    pages: found["Shared Hit Blocks"] + found["Shared Read Blocks"],
  };
}

test("the next code is found by the index of those nobody has, whatever the statistics say", async () => {
  const pool = await aPool(3_000);
  await analyze();
  await giveOut(pool, 2_000);
  expect(await lookingForNext(pool)).toMatchObject({ sorts: false, rows: 1, passed_over: 0 });
  await analyze();
  expect(await lookingForNext(pool)).toMatchObject({ sorts: false, rows: 1, passed_over: 0 });
});

describe("a campaign's mark", () => {
  const later = () => clock.advance({ minutes: 2 });

  test("lets a search look at a dozen pages, however many codes were given out before", async () => {
    const pool = await aPool(20_000);
    later();
    await giveOut(pool, 19_000);
    const first = await published(pool);
    await runDue();
    expect((await lookingForNext(pool)).pages).toBeLessThan(20);
    const second = await published(pool);
    expect(second).not.toBe(first);
  });

  test("lets codes that are switched off stand aside, and takes those that are switched on again first", async () => {
    const pool = await aCampaign(api, { clock, codes: ["A", "B", "C", "D"].map((code) => `${code}-${aName("mark")}`) });
    later();
    const codes = (await api.get(`/v1/vouchers?campaign=${pool.name}&order=created_at`, 200)).body.vouchers.map(
      ({ code }: { code: string }) => code,
    );
    const [a, b, c, d] = codes;
    await api.post(`/v1/vouchers/${b}/disable`, undefined, 200);
    expect(await published(pool)).toBe(a);
    expect(await published(pool)).toBe(c);
    await runDue();
    await api.post(`/v1/vouchers/${b}/enable`, undefined, 200);
    expect(await published(pool)).toBe(b);
    await runDue();
    expect(await published(pool)).toBe(d);
    await runDue();
    expect((await refused({ campaign: { name: pool.name }, customer: { source_id: aName("c") } })).key).toBe(
      "no_voucher_suitable_for_publication",
    );
  });

  test("passes over no code that is made while others are given, however late it is seen", async () => {
    const pool = await aCampaign(api, { clock, codes: [`A-${aName("mark")}`, `B-${aName("mark")}`] });
    await published(pool);
    await runDue();
    // Dated when its request came, before what is there, and there for all after it.
    clock.advance({ ms: -30_000 });
    const early = `0-${aName("mark")}`;
    await api.post(`/v1/campaigns/${pool.id}/vouchers/${early}`, {}, 200);
    clock.advance({ ms: 30_000 });
    expect(await published(pool)).toBe(early);
  });

  test("refuses nobody while a code is left, were it dated by a clock far behind", async () => {
    const pool = await aCampaign(api, { clock, codes: [`A-${aName("mark")}`] });
    later();
    await published(pool);
    await runDue();
    clock.advance({ minutes: -10 });
    const early = `0-${aName("mark")}`;
    await api.post(`/v1/campaigns/${pool.id}/vouchers/${early}`, {}, 200);
    clock.advance({ minutes: 10 });
    expect(await published(pool)).toBe(early);
  });
});
