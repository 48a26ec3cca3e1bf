import type { Discount } from "@guerdon/engine";
import type { Queries } from "../../platform/db/database.js";
import { type Problem, problems } from "../../platform/http/problems.js";
import { unitTypesOf } from "../../terms/index.js";
import { catalogueOf } from "./catalogue-of-lines.js";

/** Refuses discounts that give away what the catalogue does not know. Asks nothing where no unit is named. */
export async function assertUnitsExist(
  db: Queries,
  project_id: string,
  discounts: readonly (Discount | null | undefined)[],
): Promise<void> {
  const unknown = (await findUnknownUnits(db, project_id, discounts)).find((problem) => problem !== null);
  if (unknown) throw unknown;
}

/** Why each of the discounts is refused, or null. */
export async function findUnknownUnits(
  db: Queries,
  project_id: string,
  discounts: readonly (Discount | null | undefined)[],
): Promise<(Problem | null)[]> {
  const named = discounts.map((discount) => (discount ? unitTypesOf(discount) : []));
  const names = [...new Set(named.flat())];
  if (names.length === 0) return named.map(() => null);
  const catalogue = await catalogueOf(db, project_id, [], names);
  return named.map((own) => {
    const unknown = own.find((name) => !catalogue.unit(name));
    return unknown ? problems.notFound(unknown.startsWith("sku_") ? "sku" : "product", unknown) : null;
  });
}
