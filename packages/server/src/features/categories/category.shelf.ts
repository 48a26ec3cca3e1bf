import type { CategoryFacts } from "@guerdon/engine";
import { type Catalogue, shelf } from "../../catalogue/index.js";
import { categoryTextsAfter, categoryTextsOfIds } from "./category.store.js";

/** Categories, as far as they sort what is redeemed. */
export const categoryShelf = shelf<number, CategoryFacts>({
  kind: "category",
  page: categoryTextsAfter,
  byIds: categoryTextsOfIds,
  compile: (id, hierarchy) => ({ id, hierarchy }),
});

/** The category of a campaign, tier or voucher; a deleted one counts for nothing. */
export const categoryFacts = (catalogue: Catalogue, id: string | null): CategoryFacts | null =>
  (id === null ? undefined : catalogue.shelf(categoryShelf).get(id)) ?? null;

export const shelves = [categoryShelf];
