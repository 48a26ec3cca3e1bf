import type { Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries } from "../../../platform/db/database.js";
import { Problem } from "../../../platform/http/problems.js";
import type { Change } from "../../../recording/index.js";
import type { Customer, customerBesideKey } from "../../customers/index.js";
import type { Project } from "../../projects/index.js";
import { readCustomersToFilter } from "../customer-to-filter.js";
import type { SegmentRow } from "../segment.js";
import { judge, pathsOfAll, type Subjects } from "./judge.js";
import { findFills } from "./judged.js";
import { deleteMemberships, findMemberships, insertMemberships, type Membership } from "./membership.store.js";
import { segmentEvent } from "./segment.events.js";

interface Keeping {
  /** A change caused by whatever had the customer judged, at that instant. */
  changeFor(customer_id: string, instant: Instant): Change;
  context: Context;
  project: Project;
}

/**
 * Judges customers under their {@link customerBesideKey} and keeps what is found: one event a membership that begins or ends. The first judgement
 * of a segment tells nobody, unless the customer is younger than the segment (rules.md §14).
 */
export async function keepMemberships(
  { changeFor, context, project }: Keeping,
  customers: readonly Customer[],
  segments: readonly SegmentRow[],
): Promise<void> {
  const [first] = customers;
  if (!first || segments.length === 0) return;
  // Now that the keys are held: of two that waited for each other, the one that comes last is dated last.
  const instant = context.clock.now();
  const { tx } = changeFor(first.id, instant);
  const segment_ids = segments.map(({ id }) => id);
  const [stored, fills] = await Promise.all([
    findMemberships(
      tx,
      project.id,
      customers.map(({ id }) => id),
      segment_ids,
    ),
    findFills(tx, project.id, segment_ids),
  ]);
  const known = new Set(stored.map(nameOf));
  const entered: Membership[] = [];
  const left: Membership[] = [];
  const subjects = await subjectsOf(tx, project.id, customers, pathsOfAll(segments));
  await judge(
    { turns: context.turns, db: tx },
    project,
    instant,
    subjects,
    segments,
    (segment_id, customer_id, is_held) => {
      const membership = { customer_id, segment_id };
      if (is_held === known.has(nameOf(membership))) return;
      (is_held ? entered : left).push(membership);
    },
  );
  const began = entered.length > 0 ? await insertMemberships(tx, project.id, entered, instant) : [];
  const ended = left.length > 0 ? await deleteMemberships(tx, project.id, left) : [];
  const people = new Map(customers.map((customer) => [customer.id, customer]));
  const rows = new Map(segments.map((segment) => [segment.id, segment]));
  const tell = (type: "customer.segment.entered" | "customer.segment.left", memberships: readonly Membership[]) => {
    for (const { customer_id, segment_id } of memberships) {
      const [customer, segment] = [people.get(customer_id), rows.get(segment_id)];
      if (customer && segment && isTold(segment, customer, fills.get(segment_id)))
        changeFor(customer_id, instant).tell(segmentEvent(type, customer, segment));
    }
  };
  tell("customer.segment.entered", began);
  tell("customer.segment.left", ended);
}

/** One with more publications than a filter is shown stays as they are, and keeps no other from being judged. */
export async function subjectsOf(
  db: Queries,
  project_id: string,
  customers: readonly Customer[],
  paths: ReadonlySet<string>,
): Promise<Subjects> {
  try {
    return await readCustomersToFilter(db, project_id, customers, paths);
  } catch (refused) {
    if (!(refused instanceof Problem)) throw refused;
    if (customers.length <= 1) return new Map();
    const middle = customers.length >> 1;
    const first = await subjectsOf(db, project_id, customers.slice(0, middle), paths);
    const second = await subjectsOf(db, project_id, customers.slice(middle), paths);
    return new Map([...first, ...second]);
  }
}

const nameOf = ({ customer_id, segment_id }: Membership) => `${segment_id} ${customer_id}`;

/** @param reached the last customer of the first judgement since the segment keeps its members; undefined once that is through */
const isTold = (segment: SegmentRow, customer: Customer, reached: string | undefined) =>
  reached === undefined || customer.id <= reached || customer.created_at > (segment.updated_at ?? segment.created_at);
