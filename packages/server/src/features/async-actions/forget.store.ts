import type { Tx } from "../../platform/db/database.js";
import { jsonOf, sql } from "../../platform/db/sql.js";

/**
 * Takes a customer's name, and what was refused of them, out of reports and results of bulk requests that have ended; the rows stay, and count
 * as they did.
 */
export async function forgetInReports(
  tx: Tx,
  project_id: string,
  { source_id }: { source_id: string | null },
): Promise<void> {
  if (source_id === null) return;
  const named = jsonOf({ source_id });
  await tx.run(sql`
    update async_action_rows set outcome = jsonb_set(async_action_rows.outcome - 'source_id', '{error,details}', '""', false)
      from async_actions
     where async_actions.project_id = ${project_id} and async_actions.type like 'CUSTOMERS.%'
       and async_action_rows.project_id = ${project_id} and async_action_rows.action_id = async_actions.id
       and async_action_rows.outcome @> ${named}::jsonb`);
  // What imports refused is told in their results alone.
  await tx.run(sql`
    update async_actions
       set result = jsonb_set(async_actions.result, '{failed}', (
             select jsonb_agg(case when told.row @> ${named}::jsonb then jsonb_set(told.row - 'source_id', '{reason}', '""', false) else told.row end
                              order by told.place)
               from jsonb_array_elements(async_actions.result -> 'failed') with ordinality as told (row, place)))
     where async_actions.project_id = ${project_id} and async_actions.type like 'CUSTOMERS.%'
       and async_actions.result -> 'failed' @> jsonb_build_array(${named}::jsonb)`);
  await tx.run(sql`
    update async_actions
       set result = jsonb_set(async_actions.result, '{errors}', (
             select jsonb_agg(case when told.error @> ${named}::jsonb then jsonb_set(told.error - 'source_id', '{details}', '""', false) else told.error end
                              order by told.place)
               from jsonb_array_elements(async_actions.result -> 'errors') with ordinality as told (error, place)))
     where async_actions.project_id = ${project_id} and async_actions.type like 'CUSTOMERS.%'
       and async_actions.result -> 'errors' @> jsonb_build_array(${named}::jsonb)`);
}
