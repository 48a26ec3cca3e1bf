import type { Instant } from "../../platform/clock.js";

/** STATIC lists its members, AUTO_UPDATE finds them by a filter (rules.md §17.2). */
export const collection_types = ["STATIC", "AUTO_UPDATE"] as const;
type CollectionType = (typeof collection_types)[number];

/** What a collection holds; a listed product brings all its SKUs (rules.md §17.2). */
export const member_objects = ["product", "sku"] as const;

export interface MemberRef {
  object: (typeof member_objects)[number];
  id: string;
}

/** A product collection as stored (rules.md §17.2). */
export interface Collection {
  id: string;
  name: string;
  type: CollectionType;
  /** Of an AUTO_UPDATE one. */
  filter: Record<string, unknown> | null;
  created_at: Instant;
  updated_at: Instant | null;
}

/** A collection with what it lists; null where a filter decides. A SKU that is known comes with its product. */
export interface CollectionWithMembers extends Collection {
  products: (MemberRef & { product_id?: string })[] | null;
}

export const byId = <Row extends { id: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));
