import { randomInt } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { buildIfStale, cleanUpProcesses } from "../harness/process.js";
import { aCluster, type Cluster } from "./async.fixtures.js";
import { amongDyingWorkers } from "./dying-workers.fixtures.js";

beforeAll(buildIfStale, 120_000);
cleanUpProcesses();

const changes_count = process.env.GUERDON_TEST_LONG === "1" ? 5_000 : 400;
const people_count = 20;

/** Of each customer: the steps that were told, and whether they are a member. */
const stateOf = async ({ db }: Cluster) =>
  (
    await db.query(
      `select customers.source_id,
              coalesce(string_agg(case events.type when 'customer.segment.entered' then '+' when 'customer.segment.left' then '-' end,
                                  '' order by events.created_at, events.id), '') as told,
              (select count(*)::int from segment_memberships where customer_id = customers.id) as memberships
         from customers left join events on events.customer_id = customers.id and events.type like 'customer.segment.%'
        group by customers.project_id, customers.id, customers.source_id order by customers.source_id`,
    )
  ).rows as { source_id: string; told: string; memberships: number }[];

const backlogOf = async ({ db }: Cluster) =>
  (
    await db.query(
      `select (select count(*)::int from inbox) + (select count(*)::int from outbox_parcels)
            + (select count(*)::int from walks where kind = 'segment memberships' and state ->> 'task' <> 'day') as waiting`,
    )
  ).rows[0].waiting as number;

describe(`${changes_count} changes of customers while workers are killed and started again`, () => {
  test("leave the right members, each of whom was told to enter and to leave in turn, once a step", async () => {
    const cluster = await aCluster();
    const { api } = await cluster.service({ GUERDON_ROLE: "api" });
    const filter = { junction: "and", "metadata.vip": { conditions: { $is: [true] } } };
    await api.post("/v1/segments", { name: "VIP", type: "auto-update", filter }, 200);
    const is_vip = Array.from({ length: people_count }, () => false);
    let sent = 0;
    async function all(): Promise<void> {
      while (sent < changes_count) {
        sent += 1;
        const who = sent % people_count;
        is_vip[who] = randomInt(3) > 0;
        await api.post("/v1/customers", { source_id: `c${who}`, metadata: { vip: is_vip[who] } }, 200);
      }
    }
    const worker = () => cluster.service({ GUERDON_ROLE: "worker" });
    const kills = await amongDyingWorkers(worker, { done: () => sent, count: changes_count, all });
    expect(kills).toBeGreaterThanOrEqual(2);
    await vi.waitFor(async () => expect(await backlogOf(cluster)).toBe(0), { timeout: 40_000, interval: 100 });
    const state = await stateOf(cluster);
    expect(state).toHaveLength(people_count);
    for (const { source_id, told, memberships } of state) {
      const is_member = is_vip[Number(source_id.slice(1))] === true;
      expect({ source_id, told, memberships }).toEqual({
        source_id,
        told: expect.stringMatching(is_member ? /^(\+-)*\+$/ : /^(\+-)*$/),
        memberships: is_member ? 1 : 0,
      });
    }
  }, 600_000);
});
