export { orderPointsKey } from "./order-points.js";
export { consumers } from "./pending-points.consumers.js";
export { pendingEvent } from "./pending-points.events.js";
export { night_steps } from "./pending-points.night.js";
export { pendingPointsRoutes as routes } from "./pending-points.routes.js";
export { toPendingPointsBody } from "./pending-points.schemas.js";
