import type { CompiledRule } from "@guerdon/engine";
import type { Catalogue } from "../../catalogue/index.js";
import { ruleShelf } from "../../features/validation-rules/index.js";

/** The rules of the ids, compiled; one that is gone, or that this version cannot read, holds for nothing. */
export function rulesOf(catalogue: Catalogue, ids: readonly string[]): CompiledRule[] {
  if (ids.length === 0) return [];
  const rules = catalogue.shelf(ruleShelf);
  return ids.flatMap((id) => rules.get(id) ?? []);
}
