export { networkOf } from "./allowed-addresses.js";
export { deleteKey, findKey, listKeys, putKeyToken, type ShownKey, updateKey } from "./api-keys.store.js";
export { addAuthentication, callOf, contextOf, personOf } from "./authentication.js";
export type { BearerToken, BearerTokens } from "./bearer.js";
export { beginAnew, confirmed, disbelieved } from "./belief.js";
export { assertLets } from "./client-side.js";
export {
  type CustomRole,
  deleteCustomRole,
  findCustomRoles,
  findHoldersOfRole,
  insertCustomRole,
  isNameTaken,
  listCustomRoles,
  lockCustomRole,
  updateCustomRole,
} from "./custom-role.store.js";
export { type FirstProject, makeFirstProject, SecretKeyDiffers } from "./first-project.js";
export { openKeyUses } from "./key-uses.js";
export { assertAdministrated, knownRole, knownUser, userNamed } from "./known-user.js";
export { assertMetadata, checkMetadata } from "./metadata-check.js";
export {
  deleteMetadataSchema,
  insertMetadataSchema,
  isRemovedKey,
  listMetadataSchemas,
  readMetadataSchemas,
  updateMetadataSchema,
} from "./metadata-schemas.store.js";
export { causedByManagement, keyOwnerBy } from "./owner.js";
export type { Call, Project } from "./project.js";
export { projectRoutes as routes } from "./project.routes.js";
export { schedules } from "./project.schedules.js";
export { ProjectParams } from "./project.schemas.js";
export { changeProject, knownProject, makeProject, renewWebhookToken } from "./project.service.js";
export { projectSettings } from "./project.settings.js";
export { findProject, insertApiKeys, markDeleted } from "./project.store.js";
export { assertMayChange, mayRead } from "./roles.js";
export type { Person, Sessions } from "./sessions.js";
export {
  deleteStackingRules,
  findStackingRules,
  insertStackingRules,
  type StoredStackingRules,
  updateStackingRules,
} from "./stacking-rules.store.js";
export { underProjectKey } from "./under-project-key.js";
export type { CountUse } from "./use.js";
export {
  type BuiltInRole,
  isCustom,
  type Member,
  type Role,
  role_prefix,
  type User,
  user_roles,
} from "./user.js";
export {
  copyMembers,
  countMembers,
  deleteMember,
  findFirstOwner,
  findMember,
  findUser,
  findUserByEmail,
  insertUser,
  listMembers,
  listProjectsOf,
  putMember,
  updateUser,
} from "./user.store.js";
