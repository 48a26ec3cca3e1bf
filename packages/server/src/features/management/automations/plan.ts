import { judgeHappenings } from "../../../deciding/index.js";
import type { ToldEvent } from "../../../events/index.js";
import { clocks_differ_ms_max, type Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries } from "../../../platform/db/database.js";
import { readVersion } from "../../../recording/index.js";
import { readOrdersAsTheyWere } from "../../loyalties/accruals/index.js";
import { findProject, type Project } from "../../projects/index.js";
import type { StoredAutomation, Trigger } from "./automation.js";
import { findAutomationsOf } from "./automation.store.js";

/** An event that sets automations off, under one of its names. */
export type Happened = ToldEvent<Trigger>;

/** An automation that an event has set off. */
export interface Run {
  project: Project;
  automation: StoredAutomation;
  event: Happened;
  /** Whom the event is about. */
  customer_id: string;
}

type Judging = Pick<Context, "catalogues" | "turns">;

/** Finds what follows from each of the events, by whatever is switched on; decided anew where an event comes again. */
export async function planRuns(
  db: Queries,
  judging: Judging,
  events: readonly Happened[],
  instant: Instant,
): Promise<Run[]> {
  const runs: Run[] = [];
  for (const project_id of new Set(events.map((event) => event.project_id))) {
    const own = events.filter((event) => event.project_id === project_id);
    const [project, automations] = [
      await findProject(db, project_id),
      await findAutomationsOf(
        db,
        project_id,
        own.map(({ type }) => type),
      ),
    ];
    if (!project || automations.length === 0) continue;
    const set_off = own.flatMap((event) =>
      automations
        .filter((automation) => isSetOff(automation, event))
        .flatMap((automation) =>
          event.customer_id === null ? [] : { project, automation, event, customer_id: event.customer_id },
        ),
    );
    runs.push(...(await thoseAllowed(db, judging, project_id, set_off, instant)));
  }
  return runs;
}

/** Whether the event is what the automation waits for; of which campaign it is, only what it says can tell. */
function isSetOff({ event, segment_id, custom_event, active_since }: StoredAutomation, one: Happened): boolean {
  if (one.type !== event || one.created_at < active_since - clocks_differ_ms_max) return false;
  const data = one.data as { segment?: { id: string }; type?: string };
  return (
    (segment_id === null || data.segment?.id === segment_id) && (custom_event === null || data.type === custom_event)
  );
}

/** Those whose validation rules hold; the others do nothing, in silence (rules.md §10). */
async function thoseAllowed(
  db: Queries,
  { catalogues, turns }: Judging,
  project_id: string,
  runs: readonly Run[],
  instant: Instant,
): Promise<Run[]> {
  const asked = runs.flatMap((run) => {
    const { validation_rule_id } = run.automation;
    return validation_rule_id === null ? [] : [{ run, rule_id: validation_rule_id }];
  });
  if (asked.length === 0) return [...runs];
  const catalogue = await catalogues.at(db, project_id, await readVersion(db, project_id));
  const orderOf = await readOrdersAsTheyWere(
    db,
    asked.flatMap(({ run: { event } }) => (isOfOrder(event) ? event : [])),
  );
  const judged = await judgeHappenings(
    db,
    catalogue,
    turns,
    asked.map(({ run: { customer_id, event }, rule_id }) => ({
      subject: { call: { instant }, customer: { id: customer_id }, order: null },
      order: isOfOrder(event) ? (orderOf(event) ?? null) : null,
      event_metadata: event.type === "customer.custom_event" ? event.data.metadata : null,
      rule_ids: [rule_id],
    })),
  );
  const refused = new Set(asked.flatMap(({ run, rule_id }, i) => (judged[i]?.holds(rule_id) ? [] : run)));
  return runs.filter((run) => !refused.has(run));
}

type OfOrder = Extract<Happened, { type: `customer.order.${string}` }>;
const isOfOrder = (event: Happened): event is OfOrder => event.type.startsWith("customer.order.");
