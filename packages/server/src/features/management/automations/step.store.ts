import { isoOf } from "../../../platform/clock.js";
import type { Queries, Tx } from "../../../platform/db/database.js";
import type { Ended } from "../../../platform/db/purge.js";
import { sql } from "../../../platform/db/sql.js";
import { insertInto, table, text, timestamptz } from "../../../platform/db/table.js";
import { isAmong } from "../../../platform/jobs/served.js";
import { steps_kept_days } from "./automation.js";

/** What an automation did for an event: of each step there is one row, whoever hands the event out again. */
export interface Step {
  event_id: string;
  automation_id: string;
  step: "PUBLISH" | "SEND";
  /** Null where nothing was given. */
  publication_id: string | null;
  voucher_id: string | null;
  /** What may set it off once (`setOffBy`). */
  follows: string | null;
  created_at: number;
}

const automation_steps = table<Step>("automation_steps", {
  event_id: text,
  automation_id: text,
  step: text,
  publication_id: text,
  voucher_id: text,
  follows: text,
  created_at: timestamptz,
});

/**
 * Answers whether it was to be done: whoever comes second waits here until the first has committed, and then has nothing to do.
 * Before any lock is taken, so that nobody waits for each other.
 */
export const beginStep = async (tx: Tx, project_id: string, step: Step): Promise<boolean> =>
  (await tx.run(sql`${insertInto(automation_steps, project_id, [step])} on conflict do nothing`)) > 0;

/** Keeps what was given, in the transaction that gives it. */
export const keepGiven = (
  tx: Tx,
  project_id: string,
  { event_id, automation_id }: Pick<Step, "event_id" | "automation_id">,
  { publication_id, voucher_id }: Pick<Step, "publication_id" | "voucher_id">,
) =>
  tx.run(sql`
    update automation_steps set publication_id = ${publication_id}, voucher_id = ${voucher_id}
     where automation_steps.project_id = ${project_id} and automation_steps.event_id = ${event_id}
       and automation_steps.automation_id = ${automation_id} and automation_steps.step = 'PUBLISH'`);

/** What was given for an event; none where that was not this automation's to do. */
export const findGiven = (
  db: Queries,
  project_id: string,
  { event_id, automation_id }: Pick<Step, "event_id" | "automation_id">,
) =>
  db.maybe<Pick<Step, "publication_id" | "voucher_id">>(sql`
    select automation_steps.publication_id, automation_steps.voucher_id from automation_steps
     where automation_steps.project_id = ${project_id} and automation_steps.event_id = ${event_id}
       and automation_steps.automation_id = ${automation_id} and automation_steps.step = 'PUBLISH'`);

export const purgeSteps = (db: Queries, { instant, project_ids, rows_max }: Ended) =>
  db.run(sql`-- every project: purges serve them all
    delete from automation_steps
     where (automation_steps.project_id, automation_steps.event_id, automation_steps.automation_id, automation_steps.step) in (
       select old.project_id, old.event_id, old.automation_id, old.step from automation_steps as old
        where old.created_at <= ${isoOf(instant - steps_kept_days * 86_400_000)}
          and ${isAmong(sql`old.project_id`, project_ids)}
        order by old.created_at
        limit ${rows_max})`);
