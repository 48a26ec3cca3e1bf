import { compileSegment, type Segment } from "@guerdon/engine";
import { shelf } from "../../catalogue/index.js";
import { pathsOf, type SegmentRow } from "./segment.js";
import { segmentTextsAfter, segmentTextsOfIds } from "./segment.store.js";

/** A segment as decisions see it: of a static one only that it is, since its members are read per customer. */
export interface CustomerSegment {
  id: string;
  /** Null: static. */
  filter: Segment | null;
  /** The customer's fields that the filter looks at. */
  paths: readonly string[];
}

type Stored = [type: SegmentRow["type"], filter: SegmentRow["filter"]];

/** Segments, compiled. A filter that another version has stored and this one cannot read holds nobody. */
export const segmentShelf = shelf<Stored, CustomerSegment>({
  kind: "segment",
  page: segmentTextsAfter,
  byIds: segmentTextsOfIds,
  compile(id, [type, filter], environment) {
    if (type === "static") return { id, filter: null, paths: [] };
    const compiled = compileSegment({ id, type, filter }, environment);
    return "segment" in compiled ? { id, filter: compiled.segment, paths: pathsOf(filter) } : null;
  },
});

export const shelves = [segmentShelf];
