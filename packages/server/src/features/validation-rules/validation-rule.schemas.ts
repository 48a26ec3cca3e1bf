import Type, { type Static } from "typebox";
import {
  dateTime,
  document,
  integer,
  listOf,
  listQuery,
  named,
  nullable,
  oneOf,
  text,
} from "../../platform/http/schema.js";
import { context_types } from "./validation-rule.js";

const open = () => Type.Record(Type.String(), Type.Unknown());
const written = () => Type.Optional(nullable(document("GUERDON_RULE_BYTES")));
const Message = Type.Object({ message: Type.Optional(nullable(Type.String({ maxLength: 4096 }))) });

const definition = {
  rules: written(),
  bundle_rules: written(),
  applicable_to: written(),
  error: Type.Optional(nullable(Message)),
  type: Type.Optional(oneOf(["expression", "basic", "advanced", "complex"])),
  context_type: Type.Optional(oneOf(context_types)),
};

export const ValidationRuleCreate = named(
  "ValidationRuleCreate",
  Type.Object({ name: text({ minLength: 1 }), ...definition }),
);
export type ValidationRuleCreate = Static<typeof ValidationRuleCreate>;

export const ValidationRuleUpdate = named(
  "ValidationRuleUpdate",
  Type.Object({ name: Type.Optional(text({ minLength: 1 })), ...definition }),
);
export type ValidationRuleUpdate = Static<typeof ValidationRuleUpdate>;

/** A rule as answered (rules.md §1). */
export const ValidationRuleBody = named(
  "ValidationRule",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    rules: open(),
    bundle_rules: open(),
    applicable_to: Type.Object({
      included: Type.Array(open()),
      excluded: Type.Array(open()),
      included_all: Type.Boolean(),
    }),
    error: Type.Optional(open()),
    type: Type.String(),
    context_type: Type.String(),
    assignments_count: Type.Optional(integer({ minimum: 1 })),
    created_at: dateTime(),
    updated_at: nullable(dateTime()),
    object: Type.Literal("validation_rules"),
  }),
);
export type ValidationRuleBody = Static<typeof ValidationRuleBody>;

export const ValidationRuleList = named("ValidationRuleList", listOf("data", ValidationRuleBody));

export const ValidationRuleQuery = Type.Object({
  ...listQuery(100),
  order: Type.Optional(oneOf(["created_at", "-created_at", "updated_at", "-updated_at", "name", "-name"])),
  start_date: Type.Optional(dateTime("Rules created since.")),
  end_date: Type.Optional(dateTime("Rules created until.")),
});
export type ValidationRuleQuery = Static<typeof ValidationRuleQuery>;

export const ValidationRuleParams = Type.Object({ validationRuleId: text() });
