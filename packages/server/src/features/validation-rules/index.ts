export { assignment_fields, RuleAssignmentList, RuleAssignments, ruleAssignments } from "./assignment-list.js";
export { unsavedRule } from "./validation-rule.definition.js";
export { assignmentEvent } from "./validation-rule.events.js";
export { type Assignable, type Assignment, assignable, type ValidationRuleRow } from "./validation-rule.js";
export { validationRuleRoutes as routes } from "./validation-rule.routes.js";
export { ValidationRuleUpdate } from "./validation-rule.schemas.js";
export {
  assignEach,
  assignRules,
  dropAssignments,
  makeRule,
  setRules,
  toRuleBodies,
} from "./validation-rule.service.js";
export { assignedRules, ruleShelf, shelves } from "./validation-rule.shelf.js";
export {
  findAssignment,
  findAssignmentsTo,
  findRulesByIds,
  findRulesReferringTo,
  insertAssignments,
  listAssignments,
} from "./validation-rule.store.js";
