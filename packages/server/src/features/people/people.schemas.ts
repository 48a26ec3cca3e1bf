import Type, { type Static } from "typebox";
import { dateTime, named, text } from "../../platform/http/schema.js";
import { password_length } from "../../platform/sign-in.js";

const password = () =>
  Type.String({
    minLength: password_length.min,
    maxLength: password_length.max,
    description: `At least ${password_length.min} characters.`,
  });
/** As it is shown at a sign-in: whatever it is, it is wrong or right. */
const shown_password = () => Type.String({ maxLength: password_length.max });
const token = () => Type.String({ minLength: 1, maxLength: 128, description: "What stands behind `#` in the link." });
const email = () => text({ minLength: 3, description: "An e-mail address; one signs in by it." });
const name = () => text({ minLength: 1 });

export const OwnerBody = named(
  "Owner",
  Type.Object({ exists: Type.Boolean({ description: "Whether an owner of the organization can sign in." }) }),
);

/** Body of `POST /dashboard/v1/owner`. */
export const NewOwner = named(
  "NewOwner",
  Type.Object({ token: token(), email: email(), first_name: name(), last_name: name(), password: password() }),
);
export type NewOwner = Static<typeof NewOwner>;

export const LinkShown = named("LinkShown", Type.Object({ token: token() }));

/** Whose a link is. */
export const LinkBody = named(
  "Link",
  Type.Object({
    is_owner: Type.Boolean({ description: "An owner's is followed by `POST /dashboard/v1/owner`." }),
    email: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    expires_at: dateTime(),
  }),
);

export const SignIn = named("SignIn", Type.Object({ email: text(), password: shown_password() }));

export const PasswordByLink = named("PasswordByLink", Type.Object({ token: token(), password: password() }));

export const PasswordChange = named(
  "PasswordChange",
  Type.Object({ current_password: shown_password(), password: password() }),
);

export const Names = named("Names", Type.Object({ first_name: name(), last_name: name() }));

const OwnProjectBody = named(
  "OwnProject",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    timezone: Type.String(),
    currency: Type.String(),
    is_sandbox: Type.Boolean(),
    is_sample: Type.Boolean({ description: "A sample shop, which can be taken away again." }),
    role: Type.String({ description: "One that there always is, or the id of one that the organization has made." }),
  }),
);

export const MeBody = named(
  "Me",
  Type.Object({
    id: Type.String(),
    login: Type.String(),
    email: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    is_owner: Type.Boolean({ description: "Of the organization." }),
    session: Type.Object({
      created_at: dateTime(),
      expires_at: dateTime("However much it is used; twelve hours after its last use if that is earlier."),
    }),
    projects: Type.Array(OwnProjectBody, { description: "The first thousand by name." }),
    permissions: Type.Record(Type.String(), Type.Array(Type.String()), {
      description:
        "What each role in these projects may do: the words of an operation's path, and what it does: `vouchers.delete`.",
    }),
  }),
);
export type MeBody = Static<typeof MeBody>;
