import type { NewEvent } from "../../events/index.js";
import type { Assignment, ValidationRuleRow } from "./validation-rule.js";

declare module "../../events/event.js" {
  interface EventData {
    "business_validation_rule.created": { rule: ValidationRuleRow };
    "business_validation_rule.updated": { rule: ValidationRuleRow };
    "business_validation_rule.deleted": { rule: ValidationRuleRow };
    "business_validation_rule.assignment.created": { rule: ValidationRuleRow; assignment: Assignment };
    "business_validation_rule.assignment.deleted": { rule: ValidationRuleRow; assignment: Assignment };
  }
}

/** What happened to a rule, with the rule as it was. */
export const ruleEvent = (rule: ValidationRuleRow, verb: "created" | "updated" | "deleted"): NewEvent => ({
  type: `business_validation_rule.${verb}`,
  entity_id: rule.id,
  data: { rule },
});

/** A rule counts for an object from now on, or no more. */
export const assignmentEvent = (
  rule: ValidationRuleRow,
  assignment: Assignment,
  verb: "created" | "deleted",
): NewEvent => ({
  type: `business_validation_rule.assignment.${verb}`,
  entity_id: assignment.rule_id,
  data: { rule, assignment },
});
