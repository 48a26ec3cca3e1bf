import type { TestProject, TestService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";

let made = 0;

/** A name that no other test has. */
export const aName = (what: string) => `${what} ${++made}`;

/** A loyalty program of the project; fields as of `POST /v1/loyalties`. */
export async function aProgram({ api }: Pick<TestProject, "api">, fields: Record<string, unknown> = {}, points = 0) {
  const voucher = { type: "LOYALTY_CARD", loyalty_card: { points } };
  const { body } = await api.post("/v1/loyalties", { name: aName("Program"), voucher, ...fields }, 200);
  return body as { id: string; name: string; async_action_id?: string };
}

/** A custom event of the project, its properties as of the management operation. */
export async function aCustomEvent(
  { management }: Pick<TestService, "management">,
  { id }: Pick<TestProject, "id">,
  properties: Record<string, unknown> = {},
  name = aName("event"),
) {
  const path = `/management/v1/projects/${id}/custom-event-schemas`;
  const { body } = await management.post(path, { name, schema: { properties } }, 200);
  return body as { id: string; name: string };
}

/** A rule that pays fixed points for a custom event. */
export async function aRule(
  { api }: Pick<TestProject, "api">,
  program: { id: string },
  event: { id: string; name: string },
  fields: Record<string, unknown> = {},
) {
  const rule = {
    loyalty: { type: "FIXED", points: 10 },
    event: event.name,
    custom_event: { schema_id: event.id },
    source: { banner: "Ten points" },
    ...fields,
  };
  const { body } = await api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 200);
  return body[0] as { id: string };
}

/** A customer with a card of the program. */
export async function aMember(
  { api }: Pick<TestProject, "api">,
  program: { id: string },
  source_id = aName("customer"),
) {
  const { body } = await api.post(`/v1/loyalties/${program.id}/members`, { customer: { source_id } }, 200);
  return { source_id, card: body as { id: string; code: string; holder_id: string } };
}

/** A card's points and balance now. */
export async function pointsOn({ api }: Pick<TestProject, "api">, { id }: { id: string }) {
  const { points, balance } = (await api.get(`/v1/loyalties/members/${id}`, 200)).body.loyalty_card;
  return { points, balance };
}

/** A program with one rule of ten points for an event, and a member of it. */
export async function aProgramThatPays(
  service: Pick<TestService, "api" | "management" | "project">,
  rule: Record<string, unknown> = {},
  program_fields: Record<string, unknown> = {},
) {
  const program = await aProgram(service, program_fields);
  const event = await aCustomEvent(service, service.project);
  const { id: rule_id } = await aRule(service, program, event, rule);
  return { program, event, rule_id, ...(await aMember(service, program)) };
}

/** What can be read of a card's points. */
export function booksOf({ context: { db }, project }: Pick<TestService, "context" | "project">) {
  return {
    entriesOf: (voucher_id: string) =>
      db.many<{ type: string; amount: number; balance: number; total: number; source: string; details: unknown }>(sql`
        select ledger_entries.type, ledger_entries.amount, ledger_entries.balance, ledger_entries.total,
               ledger_entries.source, ledger_entries.details
          from ledger_entries
         where ledger_entries.project_id = ${project.id} and ledger_entries.voucher_id = ${voucher_id}
         order by ledger_entries.id`),
    async tasksLeft() {
      const { tasks } = await db.one<{ tasks: number }>(sql`
        select count(*) as tasks from inbox where inbox.project_id = ${project.id}`);
      return tasks;
    },
  };
}
