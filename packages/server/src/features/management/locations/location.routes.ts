import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { LocationBody } from "../../locations/index.js";
import { causedByManagement, ProjectParams } from "../../projects/index.js";
import { LocationCreate, LocationParams, LocationUpdate } from "./location.schemas.js";
import { changeLocation, createLocation, type LocationMoved, removeLocation } from "./location.service.js";

/**
 * `/management/v1/projects/:projectId/locations`: ours, the reference makes locations in its dashboard alone. They are read by
 * the project's own keys.
 */
export function locationRoutes(app: App, context: Context, moved: LocationMoved): void {
  const tags = ["management"];
  const all = "/management/v1/projects/:projectId/locations";
  const one = `${all}/:locationId` as const;
  const params = LocationParams;
  const response = withProblems({ 200: LocationBody });

  app.post(
    all,
    { schema: { operationId: "create-location", tags, params: ProjectParams, body: LocationCreate, response } },
    (request) => createLocation(context, causedByManagement(context, request, request.params.projectId), request.body),
  );

  app.put(
    one,
    { schema: { operationId: "update-location", tags, params, body: LocationUpdate, response } },
    (request) => {
      const { projectId, locationId } = request.params;
      return changeLocation(context, causedByManagement(context, request, projectId), locationId, request.body, moved);
    },
  );

  app.delete(
    one,
    { schema: { operationId: "delete-location", tags, params, response: withProblems({ 204: NoContent }) } },
    async (request, reply) => {
      const { projectId, locationId } = request.params;
      await removeLocation(context, causedByManagement(context, request, projectId), locationId, moved);
      return reply.code(204).send(null);
    },
  );
}
