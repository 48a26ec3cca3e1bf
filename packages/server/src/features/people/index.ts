export { peopleRoutes as routes } from "./people.routes.js";
export { schedules } from "./people.schedules.js";
export { hasOwner, makeFirstOwnerLink, makeLink, makeOwnerLink, setOwner, underUserKeys } from "./people.service.js";
export { createSessions } from "./sessions.js";
export { findWithPassword } from "./sign-in.store.js";
