/** Fields that name a product or SKU by its id or by its source id. */
const naming_fields = new Set(["id", "source_id", "unit_type", "product_id", "sku_id"]);

/** What definitions may name: texts anywhere that may be ids, and those that may be source ids too. */
export interface Names {
  anywhere: ReadonlySet<string>;
  as_names: ReadonlySet<string>;
}

/**
 * Every text of definitions that may name something. An id is told from other texts by there being such a thing: that is one rule for all
 * places, in rules, filters and discounts alike, where a list of places would have to grow with each new operator.
 */
export function namesIn(definitions: readonly unknown[]): Names {
  const anywhere = new Set<string>();
  const as_names = new Set<string>();
  const visit = (value: unknown, field: string): void => {
    if (typeof value === "string") {
      anywhere.add(value);
      if (naming_fields.has(field)) as_names.add(value);
    } else if (Array.isArray(value)) for (const one of value) visit(one, field);
    else if (typeof value === "object" && value !== null) {
      for (const [name, one] of Object.entries(value)) visit(one, name);
    }
  };
  for (const one of definitions) visit(one, "");
  return { anywhere, as_names };
}

/** The same definition, naming others in the place of what has another id by now. */
export function renamed<Definition>(definition: Definition, ids: ReadonlyMap<string, string>): Definition {
  const rename = (value: unknown): unknown => {
    if (typeof value === "string") return ids.get(value) ?? value;
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, rename(one)]));
  };
  return ids.size === 0 ? definition : (rename(definition) as Definition);
}
