export {
  readWindow,
  toWindowBody,
  type WindowInput,
  window_body,
  window_input,
  windowColumns,
  windowOf,
} from "./activity-window.js";
export { DiscountBody, DiscountInput, readDiscount, toDiscountBody, unitTypesOf } from "./discount.js";
export { faultProblem, invalid } from "./refusals.js";
