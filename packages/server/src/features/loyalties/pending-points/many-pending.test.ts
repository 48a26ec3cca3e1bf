import { expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { aMember, aProgram, pointsOn } from "../loyalty.fixtures.js";
import { activations_max } from "./pending-points.night.js";

const service = await startService({ now: "2027-05-14T12:00:00Z" });
const { api, clock, context, project, runDue } = service;

test("points of more orders than one transaction takes are all their cards' in the same night, and no transaction takes more", async () => {
  const program = await aProgram(service);
  const pending_points = { period_type: "DAY", period_value: 1 };
  const rule = { event: "order.paid", loyalty: { type: "FIXED", points: 10 }, pending_points };
  await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 200);
  const members = [];
  for (let i = 0; i < 4; i += 1) {
    const { card, source_id } = await aMember(service, program);
    await api.post("/v1/orders", { customer: { source_id }, amount: 1000, status: "PAID" }, 200);
    members.push(card);
  }
  await runDue();
  const [few, many, some, one] = members as [
    (typeof members)[0],
    (typeof members)[0],
    (typeof members)[0],
    (typeof members)[0],
  ];
  const more = new Map([
    [many.id, 2 * activations_max + 7],
    [some.id, activations_max - 1],
  ]);
  for (const [voucher_id, count] of more)
    await context.db.run(sql`
      insert into pending_points
      select (json_populate_record(pending_points,
               json_build_object('id', pending_points.id || twin.number, 'event_id', pending_points.event_id || twin.number))).*
        from pending_points, generate_series(1, ${count}::int) as twin (number)
       where pending_points.project_id = ${project.id} and pending_points.voucher_id = ${voucher_id}`);

  clock.advance({ days: 1 });
  await runDue();
  const points = await Promise.all([few, many, some, one].map(async (card) => (await pointsOn(service, card)).points));
  expect(points).toEqual([10, 10 * (2 * activations_max + 8), 10 * activations_max, 10]);
  const transactions = await context.db.many<{ entries: number }>(sql`
    select count(*) as entries from ledger_entries
     where ledger_entries.project_id = ${project.id} and ledger_entries.type = 'PENDING_POINTS_ACTIVATION'
     group by ledger_entries.xmin::text`);
  expect(Math.max(...transactions.map(({ entries }) => entries))).toBe(activations_max);
});
