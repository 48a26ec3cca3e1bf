import { locationFault } from "@guerdon/engine";
import type { Context } from "../../../platform/context.js";
import type { Tx } from "../../../platform/db/database.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { type Change, change, holding, type Requested } from "../../../recording/index.js";
import {
  countLocations,
  deleteLocation,
  findLocation,
  insertLocation,
  knownLocation,
  type LocationBody,
  type LocationRow,
  locations_max,
  shapes_bytes_max,
  toLocationBody,
  updateLocation,
} from "../../locations/index.js";
import { knownProject } from "../../projects/index.js";
import type { LocationCreate, LocationUpdate } from "./location.schemas.js";

/** Told of a location whose border is another by now, or that is gone: whoever asks about it looks again. */
export type LocationMoved = (change: Change, location_id: string) => Promise<void>;

export async function createLocation(
  context: Context,
  cause: Requested,
  { name, shape }: LocationCreate,
): Promise<LocationBody> {
  assertShape(shape);
  const { project_id, instant } = cause;
  return change(context, cause, (change) =>
    underProjectKey(change, async () => {
      const { tx, edited } = change;
      const location: LocationRow = { id: newId("loc"), name, shape, created_at: instant, updated_at: null };
      await insertLocation(tx, project_id, location);
      await assertRoom(tx, project_id);
      edited({ kind: "location", id: location.id });
      return toLocationBody(location);
    }),
  );
}

export async function changeLocation(
  context: Context,
  cause: Requested,
  id: string,
  input: LocationUpdate,
  moved: LocationMoved,
): Promise<LocationBody> {
  if (input.shape) assertShape(input.shape);
  const { project_id, instant } = cause;
  return change(context, cause, (change) =>
    underProjectKey(change, async () => {
      const { tx, edited } = change;
      const stored = knownLocation(await findLocation(tx, project_id, id), id);
      const location = { ...stored, ...input, updated_at: instant };
      await updateLocation(tx, project_id, location);
      await assertRoom(tx, project_id);
      edited({ kind: "location", id });
      if (input.shape) await moved(change, id);
      return toLocationBody(location);
    }),
  );
}

/** What asks about a location that is gone is answered that it holds nothing. */
export async function removeLocation(
  context: Context,
  cause: Requested,
  id: string,
  moved: LocationMoved,
): Promise<void> {
  const { project_id } = cause;
  await change(context, cause, async (change) => {
    await knownProject(change.tx, project_id);
    if ((await deleteLocation(change.tx, project_id, id)) === 0) throw problems.notFound("location", id);
    change.edited({ kind: "location", id });
    await moved(change, id);
  });
}

/** Edits of a project's locations come one after the other: what they take together is counted. */
const underProjectKey = <Answer>({ tx, cause: { project_id } }: Change, work: () => Promise<Answer>): Promise<Answer> =>
  holding(tx, [{ project_id, kind: "project", id: project_id }], async () => {
    await knownProject(tx, project_id);
    return work();
  });

async function assertRoom(tx: Tx, project_id: string): Promise<void> {
  const { count, bytes } = await countLocations(tx, project_id);
  if (count > locations_max) throw problems.invalidPayload(`A project has at most ${locations_max} locations`);
  if (bytes > shapes_bytes_max) {
    throw problems.invalidPayload(
      `The shapes of a project's locations must not be larger than ${shapes_bytes_max} bytes`,
    );
  }
}

function assertShape(shape: Record<string, unknown>): void {
  const fault = locationFault(shape);
  if (fault !== null) throw problems.invalidPayload(`Property .shape${fault}`);
}
