import Type, { type Static } from "typebox";
import {
  dateTime,
  document,
  filtersQuery,
  integer,
  listOf,
  named,
  nullable,
  oneOf,
  text,
} from "../../platform/http/schema.js";
import { location_filter_fields } from "./location.filters.js";

/** Read by `locationFault` of the engine, which says what is wrong with it. */
export const LocationShape = named(
  "LocationShape",
  document("GUERDON_RULE_BYTES", {
    description:
      '`{"type":"circle","format":"distance","distance":{"center":"geo:LAT,LNG","radius":"1.5 km"}}`, or `{"type":"polygon","format":"geojson","geojson":{"type":"Polygon","coordinates":[[[LNG,LAT],…]]}}`, also a MultiPolygon.',
  }),
);

export const LocationBody = named(
  "Location",
  Type.Object({
    id: Type.String(),
    object: Type.Literal("location"),
    name: Type.String(),
    shape: LocationShape,
    created_at: dateTime(),
    updated_at: nullable(dateTime()),
  }),
);
export type LocationBody = Static<typeof LocationBody>;

export const LocationList = named(
  "LocationList",
  Type.Object({ ...listOf("data", LocationBody).properties, has_more: Type.Boolean() }),
);
export type LocationList = Static<typeof LocationList>;

export const LocationQuery = Type.Object({
  limit: Type.Optional(integer({ minimum: 1, maximum: 100, description: "Rows on a page; 10 unless given." })),
  order: Type.Optional(
    oneOf(["created_at", "-created_at", "updated_at", "-updated_at"] as const, {
      description: "Newest first unless given.",
    }),
  ),
  end_date: Type.Optional(dateTime("Only locations before it, by the date that the list is ordered by.")),
  filters: filtersQuery(location_filter_fields),
});
export type LocationQuery = Static<typeof LocationQuery>;

export const LocationParams = Type.Object({ locationId: text() });
