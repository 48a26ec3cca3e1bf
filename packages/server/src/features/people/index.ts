export { addMail, works } from "./mail/index.js";
export { peopleRoutes as routes } from "./people.routes.js";
export { schedules } from "./people.schedules.js";
export {
  hasOwner,
  makeFirstOwnerLink,
  makeLink,
  makeOwnerLink,
  people_key,
  setOwner,
  signOut,
} from "./people.service.js";
export { createSessions } from "./sessions.js";
export { findWithPassword } from "./sign-in.store.js";
