import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { newId } from "../../platform/ids.js";
import { causedByManagement } from "./owner.js";
import {
  ProjectBody,
  ProjectCreate,
  ProjectCreated,
  ProjectLimits,
  ProjectList,
  ProjectParams,
  ProjectUpdate,
} from "./project.schemas.js";
import {
  changeLimits,
  changeProject,
  createProject,
  readProject,
  readProjects,
  removeProject,
} from "./project.service.js";

/** `/management/v1/projects` (platform.md §7). */
export function projectRoutes(app: App, context: Context): void {
  const tags = ["management"];

  app.post(
    "/management/v1/projects",
    {
      config: { secret_answer: true },
      schema: {
        operationId: "create-project",
        tags,
        body: ProjectCreate,
        response: withProblems({ 200: ProjectCreated }),
      },
    },
    (request) => createProject(context, causedByManagement(context, request, newId("proj")), request.body),
  );

  app.get(
    "/management/v1/projects",
    { schema: { operationId: "list-projects", tags, response: withProblems({ 200: ProjectList }) } },
    async () => {
      const data = await readProjects(context);
      return { object: "list" as const, data_ref: "data" as const, data, total: data.length };
    },
  );

  app.get(
    "/management/v1/projects/:projectId",
    {
      schema: { operationId: "get-project", tags, params: ProjectParams, response: withProblems({ 200: ProjectBody }) },
    },
    ({ params }) => readProject(context, params.projectId),
  );

  app.put(
    "/management/v1/projects/:projectId",
    {
      schema: {
        operationId: "update-project",
        tags,
        params: ProjectParams,
        body: ProjectUpdate,
        response: withProblems({ 200: ProjectBody }),
      },
    },
    (request) => changeProject(context, causedByManagement(context, request, request.params.projectId), request.body),
  );

  app.delete(
    "/management/v1/projects/:projectId",
    {
      schema: {
        operationId: "delete-project",
        tags,
        params: ProjectParams,
        response: withProblems({ 204: NoContent }),
      },
    },
    async (request, reply) => {
      await removeProject(context, causedByManagement(context, request, request.params.projectId));
      return reply.code(204).send(null);
    },
  );

  addLimitRoutes(app, context);
}

/** Ours: the reference shows a project's limits, and its vendor sets them. People have neither; the organization's key has both. */
function addLimitRoutes(app: App, context: Context): void {
  const tags = ["management"];
  const params = ProjectParams;

  app.put(
    "/management/v1/projects/:projectId/limits",
    {
      schema: {
        operationId: "set-project-limits",
        tags,
        params,
        body: ProjectLimits,
        response: withProblems({ 200: ProjectBody }),
      },
    },
    (request) => changeLimits(context, causedByManagement(context, request, request.params.projectId), request.body),
  );

  app.delete(
    "/management/v1/projects/:projectId/limits",
    { schema: { operationId: "delete-project-limits", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      await changeLimits(context, causedByManagement(context, request, request.params.projectId), null);
      return reply.code(204).send(null);
    },
  );
}
