export {
  type CustomerCounts,
  customerToFilter,
  readCustomerCounts,
} from "./customer-to-filter.js";
export { pathsOf, type SegmentRow } from "./segment.js";
export { segmentRoutes } from "./segment.routes.js";
export { findSegments, findSegmentsByIds, findStaticMemberships } from "./segment.store.js";
