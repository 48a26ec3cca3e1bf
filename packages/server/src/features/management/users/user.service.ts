import type { Context } from "../../../platform/context.js";
import type { Tx } from "../../../platform/db/database.js";
import { listBody } from "../../../platform/http/lists.js";
import { pageOf } from "../../../platform/listing/index.js";
import { type Change, change, type Requested } from "../../../recording/index.js";
import { refusals } from "../../../terms/index.js";
import { signOut } from "../../people/index.js";
import {
  assertAdministrated,
  countMembers,
  deleteMember,
  findMember,
  knownProject,
  knownRole,
  knownUser,
  listMembers,
  type Member,
  putMember,
  type Role,
  underProjectKey,
  userNamed,
} from "../../projects/index.js";
import type { UserAssigned, UserBody, UserQuery } from "./user.schemas.js";

/** `POST …/users`: somebody who is there already gets the new role (platform.md §7). */
export async function assignUser(context: Context, cause: Requested, input: UserAssigned): Promise<UserBody> {
  const named = userNamed(input, "Payload");
  return editPeople(context, cause, async ({ tx }) => {
    const role = await knownRole(tx, input.role);
    const { id } = await knownUser(tx, named);
    return withRole(tx, cause, id, role);
  });
}

export async function readUsers({ db }: Context, project_id: string, query: UserQuery) {
  await knownProject(db, project_id);
  const [rows, { total }] = await Promise.all([
    listMembers(db, project_id, pageOf(query)),
    countMembers(db, project_id),
  ]);
  return listBody("data", rows.map(toBody), total);
}

export async function readUser({ db }: Context, project_id: string, user_id: string): Promise<UserBody> {
  await knownProject(db, project_id);
  return toBody(assigned(await findMember(db, project_id, user_id), project_id, user_id));
}

export async function changeUser(context: Context, cause: Requested, user_id: string, role: string): Promise<UserBody> {
  return editPeople(context, cause, async ({ tx }) => {
    const wanted = await knownRole(tx, role);
    assigned(await findMember(tx, cause.project_id, user_id), cause.project_id, user_id);
    return withRole(tx, cause, user_id, wanted);
  });
}

/** `DELETE …/users/:userId`: nobody is left without a project, and no project without an administrator. */
export async function unassignUser(context: Context, cause: Requested, user_id: string): Promise<void> {
  const { project_id } = cause;
  await editPeople(context, cause, async ({ tx }) => {
    await knownUser(tx, { id: user_id });
    const member = await findMember(tx, project_id, user_id);
    if (!member) throw refusals.userNotAssigned();
    if (Object.keys(member.projects).length < 2) throw refusals.onlyProject();
    await deleteMember(tx, project_id, user_id);
    await assertAdministrated(tx, project_id);
    await signOut(tx, user_id);
  });
}

/** People of one project change one after the other: whoever is the last administrator is known. */
const editPeople = <Answer>(
  context: Context,
  cause: Requested,
  work: (change: Change) => Promise<Answer>,
): Promise<Answer> =>
  change(context, cause, (change) => underProjectKey(change, () => work(change))) as Promise<Answer>;

async function withRole(tx: Tx, { project_id, instant }: Requested, user_id: string, role: Role): Promise<UserBody> {
  await putMember(tx, project_id, user_id, role, instant);
  await assertAdministrated(tx, project_id);
  return toBody(assigned(await findMember(tx, project_id, user_id), project_id, user_id));
}

function assigned(member: Member | undefined, project_id: string, user_id: string): Member {
  if (!member) throw refusals.userNotInProject(user_id, project_id);
  return member;
}

const toBody = ({ created_at: _, ...member }: Member): UserBody => member;
