import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import { problems } from "../../platform/http/problems.js";
import { assignUser, changeUser, inviteUser, readUser, readUsers, unassignUser } from "../management/users/index.js";
import { findWithPassword, makeLink } from "../people/index.js";
import {
  type Call,
  findCustomRoles,
  findUser,
  findUserByEmail,
  listCustomRoles,
  type Member,
  type Role,
} from "../projects/index.js";
import type { MemberBody, MemberInvited } from "./member.schemas.js";

export async function readMembers(context: Context, { project_id }: Call, page: { limit?: number; page?: number }) {
  const [{ data, total }, roles] = await Promise.all([
    readUsers(context, project_id, page),
    listCustomRoles(context.db),
  ]);
  const own_roles = roles.map(({ id, name }) => ({ id, name }));
  return { members: await toBodies(context.db, data), total, own_roles };
}

/** Somebody of the organization is assigned, anybody else is invited. */
export async function addMember(context: Context, call: Call, { role, ...person }: MemberInvited): Promise<MemberBody> {
  const known = await findUserByEmail(context.db, person.email);
  if (known) return toBody(context, await assignUser(context, call, { id: known.id, role }));
  await inviteUser(context, call, { ...person, projects: { [call.project_id]: role } });
  const invited = await findUserByEmail(context.db, person.email);
  return toBody(context, await readUser(context, call.project_id, invited?.id ?? ""));
}

export const changeMember = async (context: Context, call: Call, user_id: string, role: Role): Promise<MemberBody> =>
  toBody(context, await changeUser(context, call, user_id, role));

export const removeMember = (context: Context, call: Call, user_id: string): Promise<void> =>
  unassignUser(context, call, user_id);

/** An owner's word for that somebody is who they say: where no mail goes out, the link is handed over by them. */
export async function linkForMember(context: Context, { project_id, caller }: Call, user_id: string) {
  const person = caller.kind === "user_session" ? await findUser(context.db, { id: caller.user.id }) : undefined;
  if (!person?.is_owner) throw problems.missingPermission();
  const { id } = await readUser(context, project_id, user_id);
  const { path, expires_at } = await makeLink(context, context.db, id);
  return { url: `${context.public_url()}${path}`, expires_at: isoOf(expires_at) };
}

type Shown = Omit<Member, "created_at" | "projects">;

async function toBodies(db: Queries, members: readonly Shown[]): Promise<MemberBody[]> {
  const [can, roles] = await Promise.all([
    findWithPassword(
      db,
      members.map(({ id }) => id),
    ),
    findCustomRoles(
      db,
      members.map(({ role }) => role),
    ),
  ]);
  const names = new Map(roles.map(({ id, name }) => [id, name]));
  return members.map(({ id, login, email, first_name, last_name, role, is_owner }) => ({
    ...{ id, login, email, first_name, last_name, role, is_owner },
    role_name: names.get(role) ?? null,
    can_sign_in: can.has(id),
  }));
}

async function toBody({ db }: Context, member: Shown): Promise<MemberBody> {
  const [body] = await toBodies(db, [member]);
  if (!body) throw new Error("one member in, one out");
  return body;
}
