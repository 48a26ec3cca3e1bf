export { night_steps } from "./books.nights.js";
export { liabilityRoutes as routes } from "./liability.routes.js";
