import { locationFault } from "@guerdon/engine";
import type { Tx } from "../../platform/db/database.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import type { Change } from "../../recording/index.js";
import { underProjectKey } from "../projects/index.js";
import { type LocationRow, locations_max, shapes_bytes_max } from "./location.js";
import { countLocations, insertLocation } from "./location.store.js";

/** Makes a location within a change, which may make more. */
export async function makeLocation(
  change: Change,
  { name, shape }: Pick<LocationRow, "name" | "shape">,
): Promise<LocationRow> {
  assertShape(shape);
  const { tx, edited, cause } = change;
  const { project_id, instant } = cause;
  return underProjectKey(change, async () => {
    const location: LocationRow = { id: newId("loc"), name, shape, created_at: instant, updated_at: null };
    await insertLocation(tx, project_id, location);
    await assertRoom(tx, project_id);
    edited({ kind: "location", id: location.id });
    return location;
  });
}

/** Refuses what has just been written where the project has too much of it by now. */
export async function assertRoom(tx: Tx, project_id: string): Promise<void> {
  const { count, bytes } = await countLocations(tx, project_id);
  if (count > locations_max) throw problems.invalidPayload(`A project has at most ${locations_max} locations`);
  if (bytes > shapes_bytes_max) {
    throw problems.invalidPayload(
      `The shapes of a project's locations must not be larger than ${shapes_bytes_max} bytes`,
    );
  }
}

/** Refuses what is no circle and no polygons. */
export function assertShape(shape: Record<string, unknown>): void {
  const fault = locationFault(shape);
  if (fault !== null) throw problems.invalidPayload(`Property .shape${fault}`);
}
