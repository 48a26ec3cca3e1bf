import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { instantOrNull } from "../../platform/http/dates.js";
import { listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { filterCondition, pageOf } from "../../platform/listing/index.js";
import type { Call } from "../projects/index.js";
import { locationFilterable } from "./location.filters.js";
import type { LocationRow } from "./location.js";
import type { LocationBody, LocationList, LocationQuery } from "./location.schemas.js";
import { findLocation, listLocations } from "./location.store.js";

export async function readLocation({ db }: Context, { project_id }: Call, id: string): Promise<LocationBody> {
  return toLocationBody(knownLocation(await findLocation(db, project_id, id), id));
}

export async function readLocations({ db }: Context, call: Call, query: LocationQuery): Promise<LocationList> {
  const { project_id, project, instant } = call;
  const filters = query.filters
    ? filterCondition(query.filters, locationFilterable, { instant, time_zone: project.timezone })
    : null;
  const asked = { filters, before: instantOrNull(query.end_date) };
  const listed = await listLocations(db, project_id, asked, query.order ?? "-created_at", pageOf(query));
  const { rows, has_more, ...counts } = listed;
  return { ...listBody("data", rows.map(toLocationBody), counts), has_more };
}

/** The location, or a 404. */
export function knownLocation(found: LocationRow | undefined, id: string): LocationRow {
  if (!found) throw problems.notFound("location", id);
  return found;
}

export const toLocationBody = ({ id, name, shape, created_at, updated_at }: LocationRow): LocationBody => ({
  ...{ id, object: "location", name, shape },
  created_at: isoOf(created_at),
  updated_at: isoOf(updated_at),
});
