import { t } from "../../text/index.js";

/** What one may be in a project, the most first; beside these there are what the organization has made. */
export const roles = ["ADMIN", "USER", "VIEWER", "MERCHANT"] as const;
export type BuiltInRole = (typeof roles)[number];

const words: Readonly<Record<string, string>> = t.members.roles;

/** What a role is called; one that the organization has made has a name of its own. */
export const nameOfRole = (role: string, name: string | null): string => name ?? words[role] ?? role;
