/** What one may be in a project, the most first. */
export const roles = ["ADMIN", "USER", "VIEWER", "MERCHANT"] as const;
