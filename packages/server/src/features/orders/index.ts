export { orderEvents } from "./order.events.js";
export { exported } from "./order.export.js";
export { orderJobs as jobs } from "./order.jobs.js";
export { moneyOf, type Order, type OrderItem, type OrderMoney, paidAt } from "./order.js";
export { orderAmounts, orderIdentity, orderPeople, toOrderBodies, toOrderBody } from "./order.render.js";
export { orderRoutes as routes } from "./order.routes.js";
export {
  OrderBody,
  OrderFilter,
  type OrderInputBody,
  OrderInputSchema,
  OrderItemBody,
  type OrderItemInput,
  OrderItemInputSchema,
  OrderQuery,
  type OrderStatus,
  order_amounts,
} from "./order.schemas.js";
export { orderKeys, readOrders } from "./order.service.js";
export {
  deleteOrdersOf,
  findOrderNames,
  findOrderStates,
  findOrders,
  forgetOrdersOf,
  keysOfOrders,
  type OrderRef,
  type OrderState,
  order_rows,
  saveOrders,
} from "./order.store.js";
export { assertOverrides, itemsOf, laidOver, lineInputOf, overrideSaid, toOrderInput } from "./order-lines.js";
export { referrerIn } from "./order-people.js";
export { findOrderRedemptions, type OrderRedemption } from "./order-redemptions.store.js";
