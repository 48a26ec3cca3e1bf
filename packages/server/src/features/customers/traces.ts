import type { Instant } from "../../platform/clock.js";
import type { Tx } from "../../platform/db/database.js";
import type { Schedule } from "../../platform/jobs/schedules.js";
import { beginNow, startWalks, walking } from "../../walks/index.js";
import type { Customer } from "./customer.js";

/** What else is kept of a customer, and goes with the profile (rules.md §18). */
export type Erasure = (tx: Tx, project_id: string, customer_id: string) => Promise<unknown>;

/** What stays where the books need it is left without a person; by whoever keeps it. */
export type Forgetting = (tx: Tx, project_id: string, customer: Customer) => Promise<unknown>;

/** What a deleted customer may still be named by in a log. */
type NamedCustomer = Pick<Customer, "id" | "source_id" | "email" | "phone">;

interface LateState {
  /** Null behind a deletion that is not permanent. */
  forgotten: NamedCustomer | null;
}

/** What is done once more to what logs keep of somebody who was deleted; `forgettings` behind a permanent deletion alone. */
export interface LateTraces {
  erasures: readonly Erasure[];
  forgettings: readonly ((tx: Tx, project_id: string, customer: NamedCustomer) => Promise<unknown>)[];
}

/** More than a request may stand still on its connection (a minute) and its log then waits for two writes (half a minute each). */
export const settled_ms = 5 * 60_000;

const name = "late traces of customers";

/**
 * Logs are written behind the answer, and nobody waits for them: what was asked right before a deletion, or beside it, may be
 * written after it. Minutes later it is looked for once more (rules.md §18, architecture: "people").
 */
export const lateTraces = ({ erasures, forgettings }: LateTraces): Schedule =>
  walking<LateState, null>({
    name,
    size_max: 1,
    begin: beginNow,
    async slice({ change: { tx }, walk: { project_id, subject_id, state } }) {
      for (const erase of erasures) await erase(tx, project_id, subject_id);
      if (state.forgotten) for (const forget of forgettings) await forget(tx, project_id, state.forgotten);
      return "over";
    },
  });

/**
 * Begins to, in the transaction of a deletion.
 * @param forgotten who is deleted for good: until then their names are kept in the walk's own row
 */
export function lookForTracesLater(
  tx: Tx,
  { project_id, instant }: { project_id: string; instant: Instant },
  customer_id: string,
  forgotten: NamedCustomer | null,
): Promise<void> {
  const state: LateState = { forgotten: forgotten && namesOf(forgotten) };
  const walk = { project_id, subject_id: customer_id, state, due_at: instant + settled_ms };
  return startWalks(tx, { name, size_max: 1 }, [walk], "go on");
}

const namesOf = ({ id, source_id, email, phone }: NamedCustomer): NamedCustomer => ({ id, source_id, email, phone });
