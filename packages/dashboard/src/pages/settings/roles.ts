import { t } from "../../text/index.js";

/** What one may be in a project, the most first; beside these there are what the organization has made. */
export const roles = ["ADMIN", "USER", "VIEWER", "MERCHANT"] as const;
export type BuiltInRole = (typeof roles)[number];

/** A role that may be given, with what it is called. */
export interface NamedRole {
  id: string;
  name: string;
}

const words: Readonly<Record<string, string>> = t.members.roles;
const hints: Readonly<Record<string, string>> = t.members.role_hints;

/** Those that there always are. */
export const built_in_roles: readonly NamedRole[] = roles.map((id) => ({ id, name: t.members.roles[id] }));

/** What somebody of the role may do, in a sentence. */
export const hintOfRole = (role: string): string => hints[role] ?? t.members.own_role_hint;

/** What a role is called; one that the organization has made has a name of its own. */
export const nameOfRole = (role: string, name: string | null): string => name ?? words[role] ?? role;
