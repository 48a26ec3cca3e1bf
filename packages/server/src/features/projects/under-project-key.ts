import { type Change, holding } from "../../recording/index.js";
import type { Project } from "./project.js";
import { knownProject } from "./project.service.js";

/**
 * Edits of what a project has few of come one after the other: what is counted, named or compared under its key is what
 * the edit before left. 404 `not_found` where there is no such project.
 */
export const underProjectKey = <Answer>(
  { tx, cause: { project_id } }: Pick<Change, "tx" | "cause">,
  work: (project: Project) => Promise<Answer>,
): Promise<Answer> =>
  holding(tx, [{ project_id, kind: "project", id: project_id }], async () => work(await knownProject(tx, project_id)));
