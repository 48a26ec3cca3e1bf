import { type EventName, type StoredEvent, toldAs } from "../../src/events/index.js";
import { webhook_events } from "../../src/features/management/webhooks/subscriptions.js";
import { sql } from "../../src/platform/db/sql.js";
import { tellers } from "../../src/telling/payloads.js";
import type { TestProject, TestService } from "../harness/service.js";

/** Every name that a webhook may ask for or a customer hears of; what nobody hears is no part of the table. */
const names = [...new Set(Object.values(tellers).flatMap((by_name) => Object.keys(by_name) as EventName[]))].filter(
  (name) => name.startsWith("customer.") || (webhook_events as readonly string[]).includes(name),
);

/** What works are told as, with all that follows from them, in the words of events-and-webhooks.md §4. */
export function listeningOn({ context, runDue, project }: TestService) {
  const eventsOf = ({ id }: Pick<TestProject, "id">) =>
    context.db.many<StoredEvent>(sql`
      select events.id, events.type, events.entity_id, events.customer_id, events.data from events
       where events.project_id = ${id}`);

  /** The names, sorted; one that is told twice stands there twice. */
  async function toldOf(work: () => Promise<unknown>, of: Pick<TestProject, "id"> = project): Promise<string[]> {
    // Whatever has happened before is through.
    await runDue();
    const before = new Set((await eventsOf(of)).map(({ id }) => id));
    await work();
    await runDue();
    const events = (await eventsOf(of)).filter(({ id }) => !before.has(id));
    return events.flatMap((event) => toldAs(event, names).map(({ type }) => type)).sort();
  }
  return { toldOf };
}

/** A list of names as it is compared: the first part of those that share it is written once. */
export const told = (...groups: readonly (string | readonly [prefix: string, ...ends: string[]])[]): string[] =>
  groups
    .flatMap((group) => (typeof group === "string" ? group : group.slice(1).map((end) => `${group[0]}.${end}`)))
    .sort();
