import Type, { type Static } from "typebox";
import { dateTime, listOf, named, nullable, text } from "../../../platform/http/schema.js";

const name = text({ minLength: 1, description: "No other role of the organization has it." });
const permissions = Type.Array(text(), {
  maxItems: 1_000,
  description: "What it may call: the words of an operation's path, and what it does, such as `vouchers.delete`.",
});

/** Body of `POST /management/v1/roles`. */
export const RoleCreate = named(
  "RoleCreate",
  Type.Object({
    name,
    duplicate_of: text({ description: "The role that it begins as: one that there always is, or the id of another." }),
    permissions: Type.Optional(permissions),
  }),
);
export type RoleCreate = Static<typeof RoleCreate>;

/** Body of `PUT /management/v1/roles/:roleId`. */
export const RoleUpdate = named("RoleUpdate", Type.Partial(Type.Object({ name, permissions })));
export type RoleUpdate = Static<typeof RoleUpdate>;

export const RoleBody = named(
  "Role",
  Type.Object({
    id: Type.String({ description: "What people and keys are given: a code, or `role_…`." }),
    name: Type.String(),
    permissions: Type.Array(Type.String()),
    is_custom: Type.Boolean({ description: "Made by the organization, which may change it." }),
    created_at: nullable(dateTime()),
    updated_at: nullable(dateTime()),
    object: Type.Literal("role"),
  }),
);
export type RoleBody = Static<typeof RoleBody>;

export const RoleList = named("RoleList", listOf("data", RoleBody));
export const RoleParams = Type.Object({ roleId: text({ minLength: 1 }) });
