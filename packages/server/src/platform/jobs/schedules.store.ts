import { type Instant, isoOf } from "../clock.js";
import type { Queries } from "../db/database.js";
import { type Sql, sql } from "../db/sql.js";

/** Whether one of the schedules is due; one without a row has never run. */
export const missOrDue = (names: readonly string[], instant: Instant): Sql => sql`
  exists (select from unnest(${names}::text[]) as known (name)
            left join schedules on schedules.name = known.name
           where schedules.name is null
              or (schedules.due_at <= ${isoOf(instant)}
                  and (schedules.leased_until is null or schedules.leased_until <= ${isoOf(instant)})))`;

/** Takes the schedule that has been due longest, passing over what another process holds. */
export async function leaseDue(
  db: Queries,
  names: readonly string[],
  instant: Instant,
  lease: { token: string; until: Instant },
): Promise<{ name: string; failures: number } | undefined> {
  const taken = await leaseOne(db, names, instant, lease);
  if (taken) return taken;
  const made = await db.run(sql`-- every project: schedules belong to the installation
    insert into schedules (name, due_at) select known.name, ${isoOf(instant)}
      from unnest(${names}::text[]) as known (name)
     where not exists (select from schedules where schedules.name = known.name)
        on conflict (name) do nothing`);
  return made === 0 ? undefined : leaseOne(db, names, instant, lease);
}

const leaseOne = (
  db: Queries,
  names: readonly string[],
  instant: Instant,
  { token, until }: { token: string; until: Instant },
) =>
  db.maybe<{ name: string; failures: number }>(sql`-- every project: schedules belong to the installation
    with due as (
      select schedules.name from schedules
       where schedules.name = any(${names}::text[]) and schedules.due_at <= ${isoOf(instant)}
         and (schedules.leased_until is null or schedules.leased_until <= ${isoOf(instant)})
       order by schedules.due_at, schedules.last_run_at nulls first
       limit 1
         for update skip locked
    )
    update schedules
       set lease_token = ${token}, leased_until = ${isoOf(until)}, last_run_at = ${isoOf(instant)},
           failures = schedules.failures + (schedules.lease_token is not null)::int
      from due
     where schedules.name = due.name
    returning schedules.name, schedules.failures`);

/** Hands a schedule back; nothing happens if somebody else has it by now. */
export const endRun = (
  db: Queries,
  run: { name: string; token: string; failures: number; due_at: Instant },
): Promise<number> =>
  db.run(sql`-- every project: schedules belong to the installation
    update schedules
       set failures = ${run.failures}, due_at = ${isoOf(run.due_at)}, lease_token = null, leased_until = null
     where schedules.name = ${run.name} and schedules.lease_token = ${run.token}`);
