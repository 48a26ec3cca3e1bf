import type { Context } from "../../platform/context.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { problems } from "../../platform/http/problems.js";
import type { Customer, HeldBySegment } from "../customers/index.js";
import type { Call } from "../projects/index.js";
import { readCustomersToFilter } from "./customer-to-filter.js";
import { judge, pathsOfAll } from "./memberships/judge.js";
import { areKept } from "./memberships/judged.js";
import { keptMembers } from "./memberships/membership.store.js";
import type { SegmentRow } from "./segment.js";
import { findSegmentsByIds } from "./segment.store.js";

/** Customers that one request has judged, some tens of microseconds each; a page needs them all, since only the filter knows the total. */
const judged_max = 10_000;
/** Customers that are in memory with their counts at once. */
const slice_max = 500;

/**
 * The customers of a segment (rules.md §14): of a static one by its list, of an auto-update one by its memberships once all
 * customers have been judged, of the others by asking its filter, as a checkout always does (docs/adr/0014). An unknown
 * segment holds nobody.
 */
export function heldBySegment({ db, turns }: Context): HeldBySegment {
  return async (call, segment_id, candidatesAfter) => {
    const [segment] = await findSegmentsByIds(db, call.project_id, [segment_id]);
    if (!segment) return sql`false`;
    if (segment.type === "static") return listed(call.project_id, segment_id);
    if (segment.type === "auto-update" && (await areKept(db, call.project_id, segment_id)))
      return keptMembers(call.project_id, segment_id);
    const ids: string[] = [];
    let asked = 0;
    for (let after: string | undefined = ""; after !== undefined; ) {
      const candidates = await candidatesAfter(after, slice_max);
      asked += candidates.length;
      if (asked > judged_max) throw tooMany(segment_id);
      ids.push(...(await heldOf({ db, turns }, call, segment, candidates)));
      after = candidates.length < slice_max ? undefined : candidates.at(-1)?.id;
    }
    return sql`customers.id = any(${ids}::text[])`;
  };
}

const listed = (project_id: string, segment_id: string): Sql => sql`
  customers.id in (
    select segment_members.customer_id from segment_members
     where segment_members.project_id = ${project_id} and segment_members.segment_id = ${segment_id})`;

async function heldOf(
  { db, turns }: Pick<Context, "db" | "turns">,
  { project_id, project, instant }: Call,
  segment: SegmentRow,
  customers: readonly Customer[],
): Promise<string[]> {
  if (customers.length === 0) return [];
  const subjects = await readCustomersToFilter(db, project_id, customers, pathsOfAll([segment]));
  const held: string[] = [];
  await judge({ turns, db }, project, instant, subjects, [segment], (_, customer_id, is_held) => {
    if (is_held) held.push(customer_id);
  });
  return held;
}

const tooMany = (segment_id: string) =>
  problems.invalidQuery(
    `Property .segment_id names a segment that is told by its filter (${segment_id}), for which at most ${judged_max} customers are asked; narrow them by email, city, name, created_at or updated_at`,
  );
