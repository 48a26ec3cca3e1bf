export {
  type CustomerCounts,
  customerToFilter,
  readCustomerCounts,
} from "./customer-to-filter.js";
export { segmentRoutes } from "./segment.routes.js";
export { type CustomerSegment, segmentShelf } from "./segment.shelf.js";
export { findStaticMemberships } from "./segment.store.js";
