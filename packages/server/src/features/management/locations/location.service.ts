import type { Context } from "../../../platform/context.js";
import { problems } from "../../../platform/http/problems.js";
import { type Change, change, type Requested } from "../../../recording/index.js";
import {
  assertRoom,
  assertShape,
  deleteLocation,
  findLocation,
  knownLocation,
  type LocationBody,
  makeLocation,
  toLocationBody,
  updateLocation,
} from "../../locations/index.js";
import { knownProject, underProjectKey } from "../../projects/index.js";
import type { LocationCreate, LocationUpdate } from "./location.schemas.js";

/** Told of a location whose border is another by now, or that is gone: whoever asks about it looks again. */
export type LocationMoved = (change: Change, location_id: string) => Promise<void>;

export const createLocation = (context: Context, cause: Requested, input: LocationCreate): Promise<LocationBody> =>
  change(context, cause, async (change) => toLocationBody(await makeLocation(change, input)));

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
