import Type, { type Static } from "typebox";
import { listQuery, named, oneOf, text } from "../../platform/http/schema.js";
import { assignable, assignment_fields } from "../validation-rules/index.js";

export const AssignmentInput = named(
  "RuleAssignmentInput",
  Type.Object({
    related_object_id: Type.Optional(
      text({ minLength: 1, description: "Id; a voucher's code or a campaign's name too." }),
    ),
    related_object_type: Type.Optional(oneOf(assignable, { description: "A voucher unless said otherwise." })),
    voucher: Type.Optional(text({ minLength: 1, description: "Older form: the code of a voucher." })),
  }),
);
export type AssignmentInput = Static<typeof AssignmentInput>;

export const AssignmentBody = named("RuleAssignment", Type.Object(assignment_fields));
export type AssignmentBody = Static<typeof AssignmentBody>;

const order = Type.Optional(oneOf(["created_at", "-created_at"]));
export const RuleAssignmentQuery = Type.Object({ ...listQuery(100), order });
export type RuleAssignmentQuery = Static<typeof RuleAssignmentQuery>;
export const AssignmentQuery = Type.Object({
  ...listQuery(100),
  order,
  rule: Type.Optional(text()),
  related_object_id: Type.Optional(text()),
});
export type AssignmentQuery = Static<typeof AssignmentQuery>;

export const RuleParams = Type.Object({ validationRuleId: text() });
export const AssignmentParams = Type.Object({ validationRuleId: text(), assignmentId: text() });
export const ForceQuery = Type.Object({ force: Type.Optional(Type.Boolean()) });
