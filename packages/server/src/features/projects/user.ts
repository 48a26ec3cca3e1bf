import type { Instant } from "../../platform/clock.js";

/** A person of the organization. */
export interface User {
  id: string;
  login: string;
  email: string;
  first_name: string;
  last_name: string;
  /** A status and no role: it opens the organization's settings (platform.md §2). */
  is_owner: boolean;
  created_at: Instant;
}

/** A person as one project sees them. */
export interface Member extends User {
  role: Role;
  /** Their role in each of their projects. */
  projects: Record<string, Role>;
}

/** Roles that there always are; restricted users are not there yet. */
export const user_roles = ["ADMIN", "USER", "VIEWER", "MERCHANT"] as const;
export type BuiltInRole = (typeof user_roles)[number];

/** One of those, or the id of one that the organization has made (ADR 99). */
export type Role = string;

/** What ids of roles begin with that the organization has made. */
export const role_prefix = "role";
export const isCustom = (role: Role): boolean => role.startsWith(`${role_prefix}_`);
