import { every, type Schedule } from "../../platform/jobs/schedules.js";
import { deleteLeftovers } from "./leftovers.store.js";
import { deleteProject, findDeletedProjects } from "./project.store.js";

/** Longer than any request or job that began before the project was deleted: until then one may still write. */
const settled_ms = 60_000;
/** Well within the lease of a schedule. */
const slice_ms = 2_000;

/** What deleted projects have left is deleted slice by slice, and at last the project itself. */
export const schedules: readonly Schedule[] = [
  {
    name: "deleted projects",
    of: "project",
    next: every({ minutes: 1 }),
    async runDue({ db }, instant, project_ids) {
      const [project, next] = await findDeletedProjects(db, project_ids);
      if (!project) return false;
      const is_clean = await deleteLeftovers(db, project.id, ["projects"], slice_ms);
      if (!is_clean) return true;
      if (instant - project.deleted_at < settled_ms) return false;
      await deleteProject(db, project.id);
      return next !== undefined;
    },
  },
];
