export { createBearerTokens } from "./bearer-tokens.js";
export { oauthRoutes as routes } from "./oauth.routes.js";
export { schedules } from "./oauth.schedules.js";
