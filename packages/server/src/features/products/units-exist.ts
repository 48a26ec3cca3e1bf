import type { Discount } from "@guerdon/engine";
import type { Queries } from "../../platform/db/database.js";
import { problems } from "../../platform/http/problems.js";
import { unitTypesOf } from "../../terms/index.js";
import { catalogueOf } from "./catalogue-of-lines.js";

/** Refuses discounts that give away what the catalogue does not know. Asks nothing where no unit is named. */
export async function assertUnitsExist(
  db: Queries,
  project_id: string,
  discounts: readonly (Discount | null | undefined)[],
): Promise<void> {
  const names = discounts.flatMap((discount) => (discount ? unitTypesOf(discount) : []));
  if (names.length === 0) return;
  const catalogue = await catalogueOf(db, project_id, [], names);
  const unknown = names.find((name) => !catalogue.unit(name));
  if (unknown) throw problems.notFound(unknown.startsWith("sku_") ? "sku" : "product", unknown);
}
