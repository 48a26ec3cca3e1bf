export { inviteUser } from "./invitation.service.js";
export { userRoutes as routes } from "./user.routes.js";
export { assignUser, changeUser, readUser, readUsers, unassignUser } from "./user.service.js";
