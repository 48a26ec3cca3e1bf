export { type CollectionSource, compileCollection, type ProductCollection } from "./collections.js";
export type { Filter, FilterClock, FilterFault, FilterField, FilterFields, GeoPoint, Location } from "./contract.js";
export { dayTest } from "./date-operators.js";
export { type CollectionDirectory, createCollectionDirectory } from "./directory.js";
export { customerFields, productFields, SUMMARY_FIELD } from "./fields.js";
export { compileFilter, plainField } from "./filter.js";
export { compileLocation, locationFault } from "./locations.js";
export { compileSegment, type Segment, type SegmentSource } from "./segments.js";
