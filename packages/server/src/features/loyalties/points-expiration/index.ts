export { bucketRoutes as routes } from "./bucket.routes.js";
export { night_steps } from "./expiry.nights.js";
