import Type, { type Static } from "typebox";
import { dateTime, integer, named, nullable, pageQuery, text } from "../../platform/http/schema.js";
import { user_roles } from "../projects/index.js";

const role = text({
  description: `One of ${user_roles.join(", ")}, or the id of a role that the organization has made.`,
});

export const MemberInvited = named(
  "MemberInvited",
  Type.Object({
    email: text({ minLength: 3 }),
    first_name: text({ minLength: 1 }),
    last_name: text({ minLength: 1 }),
    role,
  }),
);
export type MemberInvited = Static<typeof MemberInvited>;

export const MemberUpdate = named("MemberUpdate", Type.Object({ role }));

export const MemberBody = named(
  "ProjectMember",
  Type.Object({
    id: Type.String(),
    login: Type.String(),
    email: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    role: Type.String(),
    role_name: nullable(Type.String({ description: "Of a role that the organization has made." })),
    is_owner: Type.Boolean({ description: "Of the organization." }),
    can_sign_in: Type.Boolean({ description: "Whether they have chosen a password." }),
  }),
);
export type MemberBody = Static<typeof MemberBody>;

export const MemberList = named(
  "ProjectMemberList",
  Type.Object({
    members: Type.Array(MemberBody),
    total: integer({ minimum: 0 }),
    own_roles: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
      description:
        "The roles that the organization has made, which people may be given beside those that there always are.",
    }),
  }),
);
export const MemberQuery = Type.Object(pageQuery(100));
export const MemberParams = Type.Object({ userId: text() });
export const MemberLink = named("MemberLink", Type.Object({ url: Type.String(), expires_at: dateTime() }));
