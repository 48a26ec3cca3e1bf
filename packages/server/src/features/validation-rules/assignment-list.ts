import Type, { type Static } from "typebox";
import { isoOf } from "../../platform/clock.js";
import { dateTime, integer, listOf, named, oneOf } from "../../platform/http/schema.js";
import { type Assignment, assignable } from "./validation-rule.js";

/** What every answer shows of an assignment. */
export const assignment_fields = {
  id: Type.String(),
  rule_id: Type.String(),
  related_object_id: Type.String(),
  related_object_type: oneOf(assignable),
  created_at: dateTime(),
  object: Type.Literal("validation_rules_assignment"),
};

const Shown = named(
  "RuleAssignmentShown",
  Type.Object({
    ...assignment_fields,
    validation_status: oneOf(["VALID", "PARTIALLY_VALID", "INVALID"]),
    validation_omitted_rules: Type.Array(Type.String()),
  }),
);

/** The rules of an object inside its answer (rules.md §10, §12). */
export const RuleAssignments = named(
  "RuleAssignments",
  Type.Object({
    object: Type.Literal("list"),
    data_ref: Type.Literal("data"),
    data: Type.Array(Shown),
    total: integer({ minimum: 0 }),
  }),
);
export type RuleAssignments = Static<typeof RuleAssignments>;

/** The same as a list of its own, which is paged. */
export const RuleAssignmentList = named("RuleAssignmentList", listOf("data", Shown));

/**
 * Assignments as an object shows them; a plain read judges nothing, so all are valid.
 * @param omittedOf the leaves of a rule that a qualification has left out
 */
export function ruleAssignments(
  assignments: readonly Assignment[],
  omittedOf: (rule_id: string) => readonly string[] = () => [],
): RuleAssignments {
  const data = assignments.map((assignment) => {
    const validation_omitted_rules = [...omittedOf(assignment.rule_id)];
    return {
      ...assignment,
      created_at: isoOf(assignment.created_at),
      object: "validation_rules_assignment" as const,
      validation_status: validation_omitted_rules.length > 0 ? ("PARTIALLY_VALID" as const) : ("VALID" as const),
      validation_omitted_rules,
    };
  });
  return { object: "list", data_ref: "data", data, total: data.length };
}
