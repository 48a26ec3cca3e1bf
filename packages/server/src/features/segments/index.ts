export {
  type CustomerCounts,
  customerToFilter,
  readCustomerCounts,
} from "./customer-to-filter.js";
export { judged_customers } from "./exported-customers.js";
export { countHeld } from "./held-count.js";
export { heldBySegment } from "./held-customers.js";
export { consumers } from "./memberships/membership.consumer.js";
export { schedules } from "./memberships/membership.schedules.js";
export { deleteMembershipsOfOne } from "./memberships/membership.store.js";
export { lookAgain, lookAgainAt } from "./memberships/walk.js";
export { pathsOf, type SegmentRow } from "./segment.js";
export { segmentRoutes as routes } from "./segment.routes.js";
export { SegmentBody, SegmentParams, SegmentUpdate } from "./segment.schemas.js";
export type { SegmentUse } from "./segment.service.js";
export { changeSegment, makeSegment, useSegment, waitForEntries } from "./segment.service.js";
export { type CustomerSegment, segmentShelf, shelves } from "./segment.shelf.js";
export { findSegmentsByIds, findStaticMemberships } from "./segment.store.js";
export { whoIsIn } from "./who-is-in.js";
