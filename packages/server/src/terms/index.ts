export {
  readWindow,
  toWindowBody,
  type WindowInput,
  window_body,
  window_columns,
  window_input,
  window_names,
  windowOf,
} from "./activity-window.js";
export {
  apiKeyIdOf,
  type Caller,
  countedChannelOf,
  eventSourceOf,
  isIntegration,
  originOf,
  type RedemptionChannel,
  redemptionChannelOf,
  rightsOf,
  type Side,
  the_service,
  userLoginOf,
} from "./caller.js";
export { customersNamedIn } from "./customers-named.js";
export {
  DiscountBody,
  DiscountInput,
  readDiscount,
  toDiscountBody,
  unitTypesOf,
  withoutEmptyFormulas,
} from "./discount.js";
export { faultProblem, invalid } from "./input-faults.js";
export {
  isMetadataObject,
  type MetadataDefinition,
  type MetadataObject,
  type MetadataSchema,
  type MetadataType,
  metadata_types,
  optionsOf,
} from "./metadata/definition.js";
export { MetadataSchemas } from "./metadata/metadata-schemas.js";
export { refusalBody, refusals, refusedFor, skip_messages } from "./refusals.js";
export { type StoredWindow, storedWindow, windowOfStored } from "./stored-window.js";
