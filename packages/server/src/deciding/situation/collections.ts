import type { OrderLine, Work } from "@guerdon/engine";
import type { Catalogue } from "../../catalogue/index.js";
import { locationsOf } from "../../features/locations/index.js";
import { collectionShelf } from "../../features/product-collections/index.js";
import type { Instant } from "../../platform/clock.js";

/** Which collections hold a line, at an instant (rules.md §6.1). */
export function inCollections(catalogue: Catalogue, instant: Instant, work: Work) {
  const collections = catalogue.shelf(collectionShelf);
  const at = { instant, time_zone: catalogue.project.timezone, work, location: locationsOf(catalogue) };
  return (collection_id: string, line: OrderLine): boolean => collections.get(collection_id)?.holds(line, at) ?? false;
}
