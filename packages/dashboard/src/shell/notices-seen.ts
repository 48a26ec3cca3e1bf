const keptAs = (project_id: string) => `guerdon.notices.${project_id}`;

/** The newest notice that somebody has read here; ids grow with time. */
export function seenNotice(project_id: string): string {
  try {
    return localStorage.getItem(keptAs(project_id)) ?? "";
  } catch {
    // A browser that keeps nothing shows them as new once more.
    return "";
  }
}

export function rememberNotice(project_id: string, id: string): void {
  try {
    localStorage.setItem(keptAs(project_id), id);
  } catch {
    // As above.
  }
}
