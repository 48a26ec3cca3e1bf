import { compileSegment, type Segment } from "@guerdon/engine";
import { pathsOf, type SegmentRow } from "../features/segments/index.js";

/** A segment as the catalogue keeps it: of a static one only that it is, since its members are read per customer. */
export interface CustomerSegment {
  id: string;
  /** Null: static. */
  filter: Segment | null;
  /** The customer's fields that the filter looks at. */
  paths: readonly string[];
}

/** Null for a filter that another version has stored and this one cannot read: nobody belongs. */
export function customerSegment(row: SegmentRow): CustomerSegment | null {
  if (row.type === "static") return { id: row.id, filter: null, paths: [] };
  const compiled = compileSegment(row);
  return "segment" in compiled ? { id: row.id, filter: compiled.segment, paths: pathsOf(row.filter) } : null;
}
