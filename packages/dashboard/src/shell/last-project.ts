import type { Me, OwnProject } from "../api/me.js";

const kept_as = "guerdon.project";

export function rememberProject(id: string): void {
  try {
    localStorage.setItem(kept_as, id);
  } catch {
    // A browser that keeps nothing begins with the first project again.
  }
}

/** Where somebody was last, if they still are in it, else the first by name. */
export function lastProject(me: Me): OwnProject | undefined {
  let id: string | null = null;
  try {
    id = localStorage.getItem(kept_as);
  } catch {
    // As above.
  }
  return me.projects.find((project) => project.id === id) ?? me.projects[0];
}
