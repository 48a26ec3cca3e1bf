import Type, { type Static } from "typebox";
import { listOf, named, pageQuery, text } from "../../../platform/http/schema.js";
import { user_roles } from "../../projects/index.js";

const role = text({
  description: `One of ${user_roles.join(", ")}, or the id of a role that the organization has made.`,
});

/** Body of `POST …/users`: an existing user, by one of the two names. */
export const UserAssigned = named(
  "UserAssigned",
  Type.Object({ id: Type.Optional(text()), login: Type.Optional(text()), role }),
);
export type UserAssigned = Static<typeof UserAssigned>;

/** Body of `POST …/users/invite`. */
export const Invitation = named(
  "Invitation",
  Type.Object({
    email: text({ minLength: 1, description: "Nobody of the organization has it." }),
    first_name: text({ minLength: 1 }),
    last_name: text({ minLength: 1 }),
    projects: Type.Record(Type.String({ maxLength: 255 }), role, {
      maxProperties: 500,
      description: "A role for each project's id.",
    }),
  }),
);
export type Invitation = Static<typeof Invitation>;

/** Body of `PUT …/users/:userId`. */
export const UserUpdate = named("UserUpdate", Type.Object({ role }));

export const UserBody = named(
  "User",
  Type.Object({
    id: Type.String(),
    login: Type.String(),
    email: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    projects: Type.Record(Type.String(), Type.String(), {
      description: "The role in each of the user's projects.",
    }),
    role: Type.String({ description: "In this project." }),
    is_owner: Type.Boolean({ description: "Of the organization." }),
  }),
);
export type UserBody = Static<typeof UserBody>;

export const UserList = named("UserList", listOf("data", UserBody));
export const UserQuery = Type.Object(pageQuery(100));
export type UserQuery = Static<typeof UserQuery>;

export const UserParams = Type.Object({ projectId: text(), userId: text() });
