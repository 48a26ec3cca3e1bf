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

/** Roles that somebody may have in a project; custom ones and restricted users are not there yet. */
export const user_roles = ["ADMIN", "USER", "VIEWER", "MERCHANT"] as const;
export type Role = (typeof user_roles)[number];
