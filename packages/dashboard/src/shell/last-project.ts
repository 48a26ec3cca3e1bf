import type { Me, OwnProject } from "../api/me.js";
import { keep, kept } from "./kept.js";

export const rememberProject = (id: string): void => keep("project", id);

/** Where somebody was last, if they still are in it, else the first by name. */
export function lastProject(me: Me): OwnProject | undefined {
  const id = kept("project");
  return me.projects.find((project) => project.id === id) ?? me.projects[0];
}
