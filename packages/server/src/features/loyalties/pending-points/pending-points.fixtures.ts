import type { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { aMember, aProgram } from "../loyalty.fixtures.js";

type Service = Awaited<ReturnType<typeof startService>>;

/** Programs of a service whose points wait, and its nights. */
export function waitingPoints(service: Service) {
  const { api, clock, context, project, runDue } = service;

  /** A program whose rule pays ten points for an order, two days later, and a member of it. */
  async function aProgramThatWaits(fields: object = {}, program_fields: Record<string, unknown> = {}) {
    const program = await aProgram(service, program_fields);
    const rule = {
      event: "order.paid",
      loyalty: { type: "FIXED", points: 10 },
      pending_points: { period_type: "DAY", period_value: 2 },
      source: { banner: "Later" },
      ...fields,
    };
    const { body } = await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 200);
    const { card, source_id } = await aMember(service, program);
    const path = `/v1/loyalties/members/${card.code}/pending-points`;
    return {
      ...{ program, card, source_id, path, rule_id: body[0].id as string },
      pending: async () => (await api.get(path, 200)).body.data,
      pay: async (fields: object = {}) => {
        const order = { customer: { source_id }, amount: 1000, status: "PAID", ...fields };
        const { body } = await api.post("/v1/orders", order, 200);
        await runDue();
        return body as { id: string; source_id: string };
      },
      /** What the card says, pending points among it. */
      sums: async () => {
        const { points, balance, pending_points } = (await api.get(`/v1/vouchers/${card.code}`, 200)).body.loyalty_card;
        return { points, balance, pending_points };
      },
    };
  }

  async function told(voucher_id: string) {
    const events = await context.db.many<{ type: string; data: { points: number; total: number } }>(sql`
      select events.type, events.data from events
       where events.project_id = ${project.id} and events.entity_id = ${voucher_id}
         and events.type like 'voucher.loyalty_card.pending_points.%'
       order by events.created_at, events.id`);
    return events.map(({ type, data }) => [type.split(".").at(-1), data.points, data.total]);
  }

  const day = (days: number) => new Date(clock.now() + days * 86_400_000).toISOString().slice(0, 10);
  /** Past midnight, and on until the day is another by as many. */
  async function nights(days: number) {
    for (let i = 0; i < days; i += 1) {
      clock.advance({ days: 1 });
      await runDue();
    }
  }

  return { aProgramThatWaits, told, day, nights };
}
