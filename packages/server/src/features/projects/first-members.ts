import type { Instant } from "../../platform/clock.js";
import type { Tx } from "../../platform/db/database.js";
import { problems } from "../../platform/http/problems.js";
import { assertAdministrated, knownRole, knownUser, type UserName, userNamed } from "./known-user.js";
import type { ProjectCreate } from "./project.schemas.js";
import { putMember } from "./user.store.js";

/** Somebody who is in a project from its beginning. */
interface FirstMember {
  named: UserName;
  role: string;
}

/** Whom a new project shall have beside the owners (platform.md §7.1), as they were sent; nobody is looked for yet. */
export const readFirstMembers = ({ users = [] }: Pick<ProjectCreate, "users">): FirstMember[] =>
  users.map(({ role, ...named }, i) => ({
    named: userNamed(named, `Property .users[${i}]`),
    role,
  }));

/** An owner who is named has the role that is sent, as long as an administrator is left. */
export async function addFirstMembers(
  tx: Tx,
  project_id: string,
  wanted: readonly FirstMember[],
  instant: Instant,
): Promise<void> {
  if (wanted.length === 0) return;
  const added = new Set<string>();
  for (const { role } of wanted) await knownRole(tx, role);
  for (const [i, { named, role }] of wanted.entries()) {
    const { id } = await knownUser(tx, named);
    if (added.has(id)) throw problems.invalidPayload(`Property .users[${i}] names somebody who was named before`);
    added.add(id);
    await putMember(tx, project_id, id, role, instant);
  }
  await assertAdministrated(tx, project_id);
}
