export { memberRoutes as routes } from "./member.routes.js";
export { CardParams, MemberParams } from "./member.schemas.js";
export { knownCard } from "./member.service.js";
