import { type Instant, isoOf } from "../../platform/clock.js";

/** A product as stored (rules.md §17.1). Money in minor units. */
export interface Product {
  id: string;
  source_id: string | null;
  name: string | null;
  price: number | null;
  /** Names; the values are the SKUs'. */
  attributes: string[];
  metadata: Record<string, unknown>;
  image_url: string | null;
  created_at: Instant;
  updated_at: Instant | null;
  /** In the bin: it is nowhere to be seen, but its source id stays taken. */
  deleted_at: Instant | null;
}

/** What a caller says of a product: absent fields stay, null empties, metadata merges key by key (rules.md §16). */
export interface ProductInput {
  name?: string | null;
  price?: number | null;
  attributes?: string[] | null;
  metadata?: Record<string, unknown> | null;
  image_url?: string | null;
}

/** A change of a product as the store takes it; only a creation by `id` may also give a source id. */
export interface ProductPatch extends ProductInput {
  source_id?: string;
}

/** The product that stands for free shipping; every project owns it (discounts.md §6). */
export const shipping = { id: "prod_5h1pp1ng", source_id: "5h1pp1ng", name: "Shipping" };

export const isShipping = (id_or_source_id: string) =>
  id_or_source_id === shipping.id || id_or_source_id === shipping.source_id;

/** Shipping as it is while nobody has changed it: without a row, a price or metadata. */
export function untouchedShipping(created_at: Instant): Product {
  return {
    ...shipping,
    price: null,
    attributes: [],
    metadata: {},
    image_url: null,
    created_at,
    updated_at: null,
    deleted_at: null,
  };
}

/** A product nobody has stored yet. */
export function newProduct(id: string, source_id: string | null, input: ProductInput, instant: Instant): Product {
  return {
    id,
    source_id,
    name: input.name ?? null,
    price: input.price ?? null,
    attributes: input.attributes ?? [],
    metadata: input.metadata ?? {},
    image_url: input.image_url ?? null,
    created_at: instant,
    updated_at: null,
    deleted_at: null,
  };
}

/** One change after another, as a single one. */
export function patchedTwice<Patch extends { metadata?: Product["metadata"] | null }>(
  first: Patch,
  second: Patch,
): Patch {
  return { ...first, ...second, metadata: { ...first.metadata, ...second.metadata } };
}

/** Of several patches of one thing one, in the order of their names. */
export function mergedByName<
  Patched extends { made: { id: string; source_id: string | null }; patch: { metadata?: Product["metadata"] | null } },
>(said: readonly Patched[]): Patched[] {
  const by_name = new Map<string, Patched>();
  for (const one of said) {
    const name = one.made.source_id ?? one.made.id;
    const before = by_name.get(name);
    by_name.set(name, before ? { ...before, patch: patchedTwice(before.patch, one.patch) } : one);
  }
  return [...by_name].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** The fields of the input that were said: a patch knows absent and null apart. */
export function patchOf({ name, price, attributes, metadata, image_url }: ProductInput): ProductPatch {
  return said({ name, price, attributes, metadata, image_url });
}

export function said<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

/** A product as every answer shows it. */
export function toProductBody({ deleted_at, created_at, updated_at, ...shown }: Product) {
  return { ...shown, created_at: isoOf(created_at), updated_at: isoOf(updated_at), object: "product" as const };
}
