import type { Context } from "../../../platform/context.js";
import type { Tx } from "../../../platform/db/database.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { isEmail } from "../../../platform/sign-in.js";
import { change, holding, type Requested } from "../../../recording/index.js";
import { addMail, makeLink, people_key } from "../../people/index.js";
import {
  findUserByEmail,
  insertUser,
  knownProject,
  knownRole,
  type Project,
  putMember,
  type Role,
} from "../../projects/index.js";
import type { Invitation } from "./user.schemas.js";

export const projects_max = 100;

/**
 * `POST …/users/invite`: makes somebody a person of the organization, in roles, and has a link sent to them by which they choose a
 * password. Whoever is one already is assigned and not invited. All of it or nothing (platform.md §7).
 */
export async function inviteUser(context: Context, cause: Requested, invitation: Invitation): Promise<null> {
  const wanted = Object.entries(invitation.projects).map(([project_id, role]) => ({ project_id, role }));
  if (!isEmail(invitation.email)) throw problems.invalidPayload("Property .email must be an e-mail address");
  const [first] = wanted;
  if (!first) throw problems.invalidPayload("Property .projects must name at least one project");
  if (wanted.length > projects_max)
    throw problems.invalidPayload(`Property .projects must not name more than ${projects_max} projects`);
  const keys = wanted.map(({ project_id }) => ({ project_id, kind: "project" as const, id: project_id }));
  return change(context, { ...cause, project_id: first.project_id }, ({ tx, ring }) =>
    holding(tx, [people_key, ...keys], async () => {
      for (const { role } of wanted) await knownRole(tx, role);
      const projects: Project[] = [];
      for (const { project_id } of wanted) projects.push(await knownProject(tx, project_id));
      await addPerson(context, tx, { ...cause, project_id: first.project_id }, invitation, wanted, projects);
      ring("mails");
      return null;
    }),
  );
}

interface Wanted {
  project_id: string;
  role: Role;
}

async function addPerson(
  context: Context,
  tx: Tx,
  { project_id, instant }: Requested,
  { email, first_name, last_name }: Invitation,
  wanted: readonly Wanted[],
  projects: readonly Project[],
): Promise<void> {
  if (await findUserByEmail(tx, email)) throw problems.duplicate("user", email, "email");
  const user = { id: newId("user"), login: email, email, first_name, last_name, is_owner: false, created_at: instant };
  await insertUser(tx, user);
  for (const one of wanted) await putMember(tx, one.project_id, user.id, one.role, instant);
  const { path } = await makeLink(context, tx, user.id);
  const names = projects.map(({ name }) => name).join(", ");
  await addMail(context, tx, project_id, {
    to: email,
    subject: "You are invited to Guerdon",
    text:
      `${first_name} ${last_name},\n\nyou are invited to work in: ${names}.\n\n` +
      `Choose your password here within 24 hours:\n\n${context.public_url()}${path}\n`,
  });
}
