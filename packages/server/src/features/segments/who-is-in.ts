import type { Instant } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import type { Turns } from "../../platform/sharing/turns.js";
import { findCustomersByIds } from "../customers/index.js";
import type { Project } from "../projects/index.js";
import { judge, pathsOfAll } from "./memberships/judge.js";
import { subjectsOf } from "./memberships/keep.js";
import { findSegmentsByIds, findStaticMemberships } from "./segment.store.js";

/** Which customers are in a segment; nobody is in one that is not there. */
export type Members = ReadonlyMap<string, ReadonlySet<string>>;

/** Asks some segments about some customers, as both are now: a static one by its list, the others by their filters, as a rule does. */
export async function whoIsIn(
  { db, turns }: { db: Queries; turns: Turns },
  project: Project,
  instant: Instant,
  customer_ids: readonly string[],
  segment_ids: readonly string[],
): Promise<Members> {
  const segments = await findSegmentsByIds(db, project.id, segment_ids);
  const members = new Map(segments.map(({ id }) => [id, new Set<string>()]));
  const filtered = segments.filter(({ type }) => type !== "static");
  if (filtered.length < segments.length) {
    const listed = await findStaticMemberships(db, project.id, customer_ids);
    for (const { segment_id, customer_id } of listed) members.get(segment_id)?.add(customer_id);
  }
  if (filtered.length > 0) {
    const customers = await findCustomersByIds(db, project.id, customer_ids);
    const subjects = await subjectsOf(db, project.id, customers, pathsOfAll(filtered));
    await judge({ turns, db }, project, instant, subjects, filtered, (segment_id, customer_id, is_held) => {
      if (is_held) members.get(segment_id)?.add(customer_id);
    });
  }
  return members;
}
