import type { ApplicableEntry, Increments, OrderLine } from "@guerdon/engine";
import type { ItemUnits } from "../../books/index.js";
import type { CatalogueOfLines } from "../../features/products/index.js";

/** A campaign, tier or voucher whose discounted units are counted: for one customer, or for everyone. */
export interface UnitOwner {
  id: string;
  customer_id: string | null;
}

type LineNames = Pick<OrderLine, "product_id" | "product_source_id" | "sku_id" | "sku_source_id">;

/** What was discounted of each item, however many lines it has; null for nothing, as with a discount on the order. */
export function itemUnits({ units }: Increments): ItemUnits[] | null {
  const items = new Map<string, ItemUnits>();
  for (const { product_id, product_source_id, sku_id, sku_source_id, units: added } of units) {
    const [product, sku] = [keptName(product_id, product_source_id), keptName(sku_id, sku_source_id)];
    const key = JSON.stringify([product, sku]);
    items.set(key, { product, sku, units: (items.get(key)?.units ?? 0) + added });
  }
  return items.size === 0 ? null : [...items.values()];
}

/** The name under which units of a product or SKU are kept. */
const keptName = (id: string | null, source_id: string | null) => id ?? source_id ?? "";

/**
 * The discounted units that unit budgets look at (discounts.md §5), as far as they have been read, and the names that
 * the lines of the requests have for things: what was redeemed by source id may have an id by now.
 */
export class UnitUsage {
  /** What is known of the items that have been read; only where a collection has a budget as a whole. */
  catalogue_of_items: CatalogueOfLines | undefined;
  private readonly used = new Map<string, UsedUnits>();
  private readonly product_names = new Names();
  private readonly sku_names = new Names();

  keepNames({ product_id, product_source_id, sku_id, sku_source_id }: LineNames): void {
    this.product_names.keep(product_id, product_source_id);
    this.sku_names.keep(sku_id, sku_source_id);
  }

  /** Every product of a line, by the name it is kept under; empty for lines without one. */
  get products(): Iterable<string> {
    return this.product_names.kept;
  }

  /** Everything that the product may have been recorded as. */
  namesOfProduct(...names: (string | null)[]): Set<string> {
    return this.product_names.of(names);
  }

  namesOfSku(...names: (string | null)[]): Set<string> {
    return this.sku_names.of(names);
  }

  add(owner: UnitOwner, items: readonly ItemUnits[]): void {
    const key = keyOf(owner);
    const used = this.used.get(key) ?? new UsedUnits();
    this.used.set(key, used);
    for (const item of items) used.add(item);
  }

  ofProduct(owner: UnitOwner, product: string): number {
    return sum(this.used.get(keyOf(owner))?.products, this.namesOfProduct(product));
  }

  /** Units of what an entry of `applicable_to` names, by the rule that says which lines it means (rules.md §6.1). */
  ofEntry(owner: UnitOwner, entry: ApplicableEntry, isMember: (item: ItemUnits) => boolean): number {
    const used = this.used.get(keyOf(owner));
    if (entry.object === "sku") return sum(used?.skus, this.namesOfSku(entry.id, entry.source_id));
    if (entry.object === "product") {
      return sum(
        entry.strict ? used?.products_themselves : used?.products,
        this.namesOfProduct(entry.id, entry.source_id),
      );
    }
    return (used?.items ?? []).filter(isMember).reduce((total, { units }) => total + units, 0);
  }
}

const keyOf = ({ id, customer_id }: UnitOwner) => `${id} ${customer_id ?? ""}`;

/** The units of one owner, summed by what budgets ask for. */
class UsedUnits {
  readonly items: ItemUnits[] = [];
  readonly products = new Map<string, number>();
  /** Without those of SKUs, for strict entries. */
  readonly products_themselves = new Map<string, number>();
  readonly skus = new Map<string, number>();

  add(item: ItemUnits): void {
    const { product, sku, units } = item;
    this.items.push(item);
    addTo(this.products, product, units);
    addTo(sku === "" ? this.products_themselves : this.skus, sku === "" ? product : sku, units);
  }
}

const addTo = (sums: Map<string, number>, name: string, units: number) => sums.set(name, (sums.get(name) ?? 0) + units);

function sum(sums: ReadonlyMap<string, number> | undefined, names: Iterable<string>): number {
  let total = 0;
  for (const name of names) total += sums?.get(name) ?? 0;
  return total;
}

/** Ids and source ids of the same things. */
class Names {
  readonly kept = new Set<string>();
  private readonly others = new Map<string, Set<string>>();

  keep(id: string | null, source_id: string | null): void {
    this.kept.add(keptName(id, source_id));
    if (id === null || source_id === null) return;
    this.others.set(id, (this.others.get(id) ?? new Set()).add(source_id));
    this.others.set(source_id, (this.others.get(source_id) ?? new Set()).add(id));
  }

  of(names: readonly (string | null)[]): Set<string> {
    return new Set(names.flatMap((name) => (name === null ? [] : [name, ...(this.others.get(name) ?? [])])));
  }
}
