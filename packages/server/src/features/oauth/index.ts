export { createBearerTokens } from "./bearer-tokens.js";
export { oauthRoutes } from "./oauth.routes.js";
export { schedules } from "./oauth.schedules.js";
