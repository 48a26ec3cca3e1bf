import { compileLocation, type FilterClock, type Location } from "@guerdon/engine";
import { type Catalogue, shelf } from "../../catalogue/index.js";
import type { Queries } from "../../platform/db/database.js";
import { locationsNamedIn } from "./location.js";
import { findShapes, locationTextsAfter, locationTextsOfIds } from "./location.store.js";

/** Locations, compiled. */
const locationShelf = shelf<unknown, Location>({
  kind: "location",
  page: locationTextsAfter,
  byIds: locationTextsOfIds,
  compile: (_id, shape) => compileLocation(shape),
});

export const shelves = [locationShelf];

/** What filters ask about locations, as a version of the catalogue has them; one that is not there holds nothing. */
export function locationsOf(catalogue: Catalogue): FilterClock["location"] {
  const locations = catalogue.shelf(locationShelf);
  return (id) => locations.get(id);
}

/** The same for what judges without a catalogue: the locations that filters name, as they are now. */
export async function readLocationsNamed(
  db: Queries,
  project_id: string,
  filters: readonly unknown[],
): Promise<FilterClock["location"]> {
  const ids = locationsNamedIn(filters);
  if (ids.length === 0) return undefined;
  const found = await findShapes(db, project_id, ids);
  const locations = new Map(found.map(({ id, shape }) => [id, compileLocation(shape)]));
  return (id) => locations.get(id);
}
