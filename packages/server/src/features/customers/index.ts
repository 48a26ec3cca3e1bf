export { changedUntold } from "./customer.events.js";
export { customerField, exportedWith } from "./customer.export.js";
export { customerJobs as jobs } from "./customer.jobs.js";
export { type Customer, type CustomerInput, changed, newCustomer, toSimpleCustomer } from "./customer.js";
export { customerRoutes as routes } from "./customer.routes.js";
export {
  CustomerBody,
  CustomerInputSchema,
  CustomerParams,
  CustomerQuery,
  SimpleCustomer,
} from "./customer.schemas.js";
export { toCustomerBody } from "./customer.service.js";
export {
  findCustomer,
  findCustomerIdsAfter,
  findCustomerIdsBefore,
  findCustomerNames,
  findCustomersByIds,
  findCustomersToRecord,
  keysOfCustomers,
} from "./customer.store.js";
export { type HeldBySegment, readCustomers } from "./customer-list.service.js";
export { type CustomerSummary, summariesOf } from "./customer-summary.store.js";
export {
  customerBesideKey,
  customerKeys,
  findKnownCustomer,
  findNamedCustomers,
  upsertNamed,
} from "./named-customer.js";
export { type LateTraces, lateTraces } from "./traces.js";
