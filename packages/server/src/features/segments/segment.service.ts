import { compileSegment } from "@guerdon/engine";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import { instantOrNull } from "../../platform/http/dates.js";
import { idsOf, listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { countsOf, filterCondition, pageOf } from "../../platform/listing/index.js";
import { type Change, change } from "../../recording/index.js";
import { type Call, underProjectKey } from "../projects/index.js";
import { findRulesReferringTo } from "../validation-rules/index.js";
import { beginMemberships, endMemberships } from "./memberships/walk.js";
import type { SegmentRow } from "./segment.js";
import type { SegmentBody, SegmentCreate, SegmentQuery, SegmentUpdate } from "./segment.schemas.js";
import {
  activateSegment,
  deleteSegment,
  findEarningRulesOfSegment,
  findSegmentsByIds,
  insertMembers,
  insertSegment,
  updateSegment,
} from "./segment.store.js";
import { segment_filterable } from "./segment-list.filters.js";
import { listSegments } from "./segment-list.store.js";

/** `POST /v1/segments`: a static one takes customers and no filter, the others a filter and no customers (rules.md §14). */
export const createSegment = (context: Context, call: Call, input: SegmentCreate): Promise<SegmentBody> =>
  change(context, call, async (change) => toBody(await makeSegment(change, call, input)));

/** The same within a change that makes more than the segment. */
export async function makeSegment({ tx, edited }: Change, call: Call, input: SegmentCreate): Promise<SegmentRow> {
  const is_static = input.type === "static";
  const segment: SegmentRow = {
    id: newId("seg"),
    name: input.name,
    type: input.type,
    filter: is_static ? null : (input.filter ?? null),
    created_at: call.instant,
    updated_at: null,
  };
  const compiled = compileSegment(segment);
  if ("fault" in compiled) throw problems.invalidPayload(compiled.fault.details, compiled.fault.path);
  await insertSegment(tx, call.project_id, segment);
  if (is_static) await insertMembers(tx, call.project_id, segment.id, input.customers ?? []);
  if (segment.type === "auto-update") await beginMemberships(tx, call, segment);
  edited({ kind: "segment", id: segment.id });
  return segment;
}

export async function readSegment({ db }: Context, call: Call, id: string): Promise<SegmentBody> {
  return toBody(await knownSegment(db, call, id));
}

export async function readSegments({ db }: Context, call: Call, query: SegmentQuery) {
  const today = { instant: call.instant, time_zone: call.project.timezone };
  const filter = {
    ids: idsOf(query.ids),
    start: instantOrNull(query.start_date),
    end: instantOrNull(query.end_date),
    filters: query.filters === undefined ? null : filterCondition(query.filters, segment_filterable, today),
  };
  const page = pageOf(query);
  const listed = await listSegments(db, call.project_id, filter, query.order ?? "-created_at", page);
  return listBody("data", listed.rows.map(toBody), countsOf(listed, page));
}

/**
 * Another name, and of a passive one another filter. Whoever is kept in an auto-update segment was told of by the filter it has,
 * and the list of a static one is what it is (rules.md §14).
 */
export const changeSegment = (context: Context, call: Call, id: string, { name, filter = null }: SegmentUpdate) =>
  change(context, call, async ({ tx, edited }) => {
    const segment = await knownSegment(tx, call, id);
    if (filter !== null) {
      if (segment.type !== "passive") throw keepsItsFilter(id);
      const compiled = compileSegment({ ...segment, filter });
      if ("fault" in compiled) throw problems.invalidPayload(compiled.fault.details, compiled.fault.path);
    }
    const changed = await updateSegment(tx, call.project_id, { id, name: name ?? segment.name, filter }, call.instant);
    // Meanwhile something waits for who enters it, or somebody has deleted it.
    if (!changed) throw filter !== null ? keepsItsFilter(id) : problems.notFound("segment", id);
    edited({ kind: "segment", id });
    return toBody(changed);
  });

const keepsItsFilter = (id: string) =>
  problems.invalidPayload(`Property .filter can be changed of a passive segment only: ${id}`, "filter");

/** What else may hang on a segment: what it is called, and the ids of those that hang on this one. */
export interface SegmentUse {
  type: string;
  idsOf(db: Queries, project_id: string, segment_id: string): Promise<string[]>;
}

/** What a rule asks about stays, and whatever else uses it (rules.md §14, §17.4). */
export async function removeSegment(
  context: Context,
  call: Call,
  id: string,
  uses: readonly SegmentUse[],
): Promise<void> {
  await change(context, call, (change) => underProjectKey(change, () => removeWithin(change, call, id, uses)));
}

/** Under the project's key, under which automations and tiers of referrers begin to use one. */
async function removeWithin(
  { tx, edited }: Change,
  call: Call,
  id: string,
  uses: readonly SegmentUse[],
): Promise<void> {
  const segment = await knownSegment(tx, call, id);
  const rule_ids = await findRulesReferringTo(tx, call.project_id, id);
  if (rule_ids.length > 0) throw problems.inUse("segment", id, { type: "validation_rules", ids: rule_ids });
  const earning_rule_ids = await findEarningRulesOfSegment(tx, call.project_id, id);
  if (earning_rule_ids.length > 0) throw problems.inUse("segment", id, { type: "earning_rule", ids: earning_rule_ids });
  for (const { type, idsOf } of uses) {
    const ids = await idsOf(tx, call.project_id, id);
    if (ids.length > 0) throw problems.inUse("segment", id, { type, ids });
  }
  // Somebody else may have deleted it since it was read.
  if ((await deleteSegment(tx, call.project_id, id)) === 0) throw problems.notFound("segment", id);
  if (segment.type === "auto-update") await endMemberships(tx, call, id);
  edited({ kind: "segment", id });
}

/**
 * Has a segment tell who enters it from now on; whoever it holds already has not entered (rules.md §14). A static one never
 * tells anybody.
 *
 * @param named_at the property that names it
 */
export async function waitForEntries(
  change: Change,
  call: Within,
  id: string,
  named_at = ".segment.id",
): Promise<void> {
  const segment = await knownSegment(change.tx, call, id);
  if (segment.type === "static")
    throw problems.invalidPayload(`Property ${named_at} must not be of a static segment, which nobody enters: ${id}`);
  await keepMembersOf(change, call, segment);
}

/** Has something count by a segment: a passive one keeps its members from now on, and its filter (rules.md §14). A static one has its list. */
export async function useSegment(change: Change, call: Within, id: string): Promise<void> {
  await keepMembersOf(change, call, await knownSegment(change.tx, call, id));
}

type Within = Pick<Call, "project_id" | "project" | "instant">;

async function knownSegment(db: Queries, { project_id }: Pick<Call, "project_id">, id: string): Promise<SegmentRow> {
  const [segment] = await findSegmentsByIds(db, project_id, [id]);
  if (!segment) throw problems.notFound("segment", id);
  return segment;
}

async function keepMembersOf({ tx, edited }: Change, call: Within, { id, type }: SegmentRow): Promise<void> {
  const activated = type === "passive" && (await activateSegment(tx, call.project_id, id, call.instant));
  if (!activated) return;
  await beginMemberships(tx, call, activated);
  edited({ kind: "segment", id });
}

const toBody = (segment: SegmentRow): SegmentBody => ({
  ...segment,
  created_at: isoOf(segment.created_at),
  updated_at: isoOf(segment.updated_at),
  object: "segment",
});
