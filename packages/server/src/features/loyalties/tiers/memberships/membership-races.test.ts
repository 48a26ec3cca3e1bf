import { describe, expect, test } from "vitest";
import { startService } from "../../../../../test/harness/service.js";
import { createDispatcher, inboxWork } from "../../../../events/index.js";
import { sql } from "../../../../platform/db/sql.js";
import { runDue as runWorks } from "../../../../platform/jobs/loop.js";
import { forgetHolder } from "../../../vouchers/index.js";
import { before_tiers } from "../../auto-redeem/index.js";
import { aMember, aProgram } from "../../loyalty.fixtures.js";
import { consumersAfter, works as tier_works } from "../index.js";
import { night_steps } from "./membership.nights.js";

const service = await startService();
const { context, clock, runDue } = service;
const { db } = context;
const consumers = consumersAfter(before_tiers);

const tiers = [
  { name: "Silver", points: { from: 100, to: 199 } },
  { name: "Gold", points: { from: 200 } },
];

describe("a member's tier, whatever runs at once", () => {
  test("is that of the balance in the end, and what was told leads to it step by step", async () => {
    const project = await service.anotherProject();
    const project_ids = [project.id];
    const program = await aProgram(project, {}, 90);
    await project.api.post(`/v1/loyalties/${program.id}/tiers`, tiers, 200);
    const members = [await aMember(project, program), await aMember(project, program)];
    const amounts = [30, 60, 60, -70, 90, -40, -90, 120, -60, 30];
    const moving = amounts.flatMap((amount) =>
      members.map(({ card }) => project.api.post(`/v1/vouchers/${card.code}/balance`, { amount })),
    );
    let is_over = false;
    const works = [
      createDispatcher(context, consumers, { project_ids }).work,
      ...consumers.map((consumer) => inboxWork(context, consumer, { project_ids })),
      ...tier_works.map((make) => make(context, { project_ids })),
    ];
    const working = Array.from({ length: 3 }, async (_none, i) => {
      while (!is_over) {
        await runWorks(context, works, clock.now());
        if (i === 0)
          await project.api.put(`/v1/loyalties/${program.id}`, { options: { recalculate_tiers: true } }, 200);
      }
    });
    await Promise.all(moving);
    is_over = true;
    await Promise.all(working);
    await runDue();
    for (const { card, source_id } of members) {
      const { body } = await project.api.get(`/v1/loyalties/members/${card.id}`, 200);
      const { balance } = body.loyalty_card;
      const wanted = balance >= 200 ? "Gold" : balance >= 100 ? "Silver" : undefined;
      const now = (await project.api.get(`/v1/loyalties/members/${card.id}/tiers`, 200)).body.data;
      expect(now.map(({ name }: { name: string }) => name)).toEqual(wanted ? [wanted] : []);
      const told = await db.many<{ type: string; was: string | null; became: string | null }>(sql`
        select events.type, coalesce(events.data -> 'loyalty_tier_from' ->> 'name', events.data -> 'loyalty_tier' ->> 'name') as was,
               coalesce(events.data -> 'loyalty_tier_to' ->> 'name', events.data -> 'loyalty_tier' ->> 'name') as became
          from events
         where events.project_id = ${project.id} and events.customer_id = ${card.holder_id}
           and events.type like 'customer.loyalty.tier.%'
         order by events.id`);
      let at: string | null = null;
      for (const { type, was, became } of told) {
        expect(at, source_id).toBe(type.endsWith("joined") ? null : was);
        at = type.endsWith("left") ? null : became;
      }
      expect(at ?? undefined).toBe(wanted);
    }
  });

  test("ends with the walk over a program that is taken up where a dead one has left it", async () => {
    const project = await service.anotherProject();
    const program = await aProgram(project, {}, 150);
    const { id } = (await aMember(project, program)).card;
    await project.api.post(`/v1/loyalties/${program.id}/tiers`, tiers, 200);
    const dying = {
      ...context,
      db: {
        ...db,
        transaction: (...[work, project_id]: Parameters<typeof db.transaction>) =>
          db.transaction(async (tx) => {
            await work(tx);
            throw new Error("dead before the commit");
          }, project_id),
      },
      log: { ...context.log, error() {} } as unknown as typeof context.log,
    } as unknown as typeof context;
    const project_ids = [project.id];
    const works = tier_works.map((make) => make(dying, { project_ids }));
    await runWorks(dying, works, clock.now());
    const tiersNow = async () => (await project.api.get(`/v1/loyalties/members/${id}/tiers`, 200)).body.total;
    expect(await tiersNow()).toBe(0);
    clock.advance({ minutes: 2 });
    await runDue();
    expect(await tiersNow()).toBe(1);
  });
});

test("a card that nobody has any more is no night's business", async () => {
  const project = await service.anotherProject();
  const loyalty_tiers_expiration = {
    qualification_type: "BALANCE",
    start_date: { type: "IMMEDIATE" },
    expiration_date: { type: "CUSTOM", extend: "P1D" },
  };
  const program = await aProgram(project, { loyalty_tiers_expiration }, 150);
  await project.api.post(`/v1/loyalties/${program.id}/tiers`, tiers, 200);
  const { card } = await aMember(project, program);
  await runDue();
  await db.transaction((tx) => forgetHolder(tx, project.id, { id: card.holder_id }), project.id);
  const [first] = night_steps;
  expect(await first?.firstNight(db, project.id)).not.toBeNull();
  clock.advance({ hours: 72 });
  await runDue();
  expect(await first?.firstNight(db, project.id)).toBeNull();
});

test("all members are looked at, however many slices that takes", async () => {
  const project = await service.anotherProject();
  const program = await aProgram(project, {}, 150);
  const { card } = await aMember(project, program);
  await project.api.post(`/v1/loyalties/${program.id}/tiers`, tiers, 200);
  // As many as 450 publications would make.
  await db.run(sql`
    insert into vouchers
    select (jsonb_populate_record(vouchers, jsonb_build_object(
             'id', vouchers.id || '_' || n, 'code', vouchers.code || n, 'code_key', vouchers.code_key || n))).*
      from vouchers, generate_series(1, 450) as n
     where vouchers.project_id = ${project.id} and vouchers.id = ${card.id}`);
  await db.run(sql`
    insert into card_balances (project_id, voucher_id, opening, added, balance)
    select vouchers.project_id, vouchers.id, 150, 150, 150 from vouchers
     where vouchers.project_id = ${project.id} and vouchers.id <> ${card.id}`);
  await runDue();
  const counted = async () =>
    (
      await db.one<{ count: number }>(sql`
        select count(*) as count from loyalty_tier_members where loyalty_tier_members.project_id = ${project.id}`)
    ).count;
  expect(await counted()).toBe(451);
});
