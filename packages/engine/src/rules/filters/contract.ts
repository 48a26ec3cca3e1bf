import type { Work } from "../../work.js";
import type { Clock } from "../moments.js";
import type { JsonObject } from "../properties.js";
import type { ValueType } from "../scalars.js";

/** What a filter needs to know of the world besides the object it looks at. */
export interface FilterClock extends Clock {
  /** A filter is as long as whoever wrote it made it, and so is what it looks at: nobody asks one unbounded. */
  readonly work: Work;
  /** First day of the project's week, 0 Sunday … 6 Saturday; Monday when absent. */
  readonly week_start?: number;
  /** The location of an id; one that is not known holds nothing. */
  location?: ((id: string) => Location | undefined) | undefined;
}

/** A place on the globe, compiled. */
export interface Location {
  /** What asking it costs: the edges of its border. */
  readonly work: number;
  /** Whether it holds a point, its border included. */
  holds(point: GeoPoint): boolean;
}

/** Degrees. */
export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** A field of the object a filter looks at. Dates are ISO 8601 texts. */
export interface FilterField {
  readonly type: ValueType | null;
  /** A birthday: what says "next month" means next month's anniversaries (rules.md §15). */
  readonly recurs_yearly?: boolean;
  /** Metadata, whose values may be objects and lists. */
  readonly is_free?: boolean;
  read(subject: JsonObject): unknown;
}

/** Knows the fields of one kind of object by their paths; null: there is none such. */
export type FilterFields = (path: string) => FilterField | null;

/** A filter of rules.md §15, compiled. */
export type Filter = (subject: JsonObject, at: FilterClock) => boolean;

/** Why a definition is no filter; the server answers 400. */
export interface FilterFault {
  readonly key: "invalid_payload";
  /** Of the field that is wrong, e.g. `filter.metadata.plan.conditions.$is`. */
  readonly path: string;
  readonly details: string;
}
