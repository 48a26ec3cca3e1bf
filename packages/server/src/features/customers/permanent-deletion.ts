import { countEventsOf, deleteEventsOf } from "../../events/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { newId } from "../../platform/ids.js";
import { change } from "../../recording/index.js";
import type { Call } from "../projects/index.js";
import { customerEvent } from "./customer.events.js";
import { newCustomer } from "./customer.js";
import { eraseWithin, lockForDeletion } from "./customer.service.js";
import { countBelongingsOf } from "./customer.store.js";
import type { PermanentDeletion } from "./permanent-deletion.schemas.js";
import { type Erasure, type Forgetting, lookForTracesLater } from "./traces.js";

/**
 * `POST /v1/customers/:customerId/permanent-deletion`: the profile with all that a deletion takes, and what a deletion leaves
 * for the books without anything of the person in it (rules.md §18, architecture: "people").
 */
export function deletePermanently(
  context: Context,
  call: Call,
  id_or_source_id: string,
  { erasures, forgettings }: { erasures: readonly Erasure[]; forgettings: readonly Forgetting[] },
): Promise<PermanentDeletion> {
  const { project_id, instant } = call;
  return change(context, call, async ({ tx, tell }) => {
    const known = await lockForDeletion(tx, project_id, id_or_source_id);
    const events = await countEventsOf(tx, project_id, known.id);
    const belongings = await countBelongingsOf(tx, project_id, known.id);
    await eraseWithin(tx, project_id, known.id, [deleteEventsOf, ...erasures]);
    for (const forget of forgettings) await forget(tx, project_id, known);
    await lookForTracesLater(tx, call, known.id, known);
    // The event is kept for years, so it says who was deleted by the id alone.
    tell(customerEvent("customer.deleted", newCustomer(known.id, {}, known.created_at)));
    return {
      id: newId("del"),
      created_at: isoOf(instant),
      related_object_id: known.id,
      related_object: "customer",
      status: "DONE",
      data_json: { ...events, ...belongings, daily_events: 0, customer: 1 },
      object: "pernament_deletion",
    };
  });
}
