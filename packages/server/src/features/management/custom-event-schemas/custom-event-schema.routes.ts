import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { causedByManagement, ProjectParams } from "../../projects/index.js";
import {
  CustomEventSchemaBody,
  CustomEventSchemaCreate,
  CustomEventSchemaList,
  CustomEventSchemaParams,
  CustomEventSchemaUpdate,
} from "./custom-event-schema.schemas.js";
import {
  changeCustomEventSchema,
  createCustomEventSchema,
  readCustomEventSchema,
  readCustomEventSchemas,
  removeCustomEventSchema,
} from "./custom-event-schema.service.js";

/** `/management/v1/projects/:projectId/custom-event-schemas` (platform.md §9.5). */
export function customEventSchemaRoutes(app: App, context: Context): void {
  const tags = ["management"];
  const all = "/management/v1/projects/:projectId/custom-event-schemas";
  const one = `${all}/:customEventSchemaId` as const;
  const params = CustomEventSchemaParams;
  const response = withProblems({ 200: CustomEventSchemaBody });

  app.post(
    all,
    {
      schema: {
        operationId: "create-custom-event-schema",
        tags,
        params: ProjectParams,
        body: CustomEventSchemaCreate,
        response,
      },
    },
    (request) =>
      createCustomEventSchema(context, causedByManagement(context, request, request.params.projectId), request.body),
  );

  app.get(
    all,
    {
      schema: {
        operationId: "list-custom-event-schemas",
        tags,
        params: ProjectParams,
        response: withProblems({ 200: CustomEventSchemaList }),
      },
    },
    ({ params }) => readCustomEventSchemas(context, params.projectId),
  );

  app.get(one, { schema: { operationId: "get-custom-event-schema", tags, params, response } }, ({ params }) =>
    readCustomEventSchema(context, params.projectId, params.customEventSchemaId),
  );

  app.put(
    one,
    { schema: { operationId: "update-custom-event-schema", tags, params, body: CustomEventSchemaUpdate, response } },
    (request) => {
      const { projectId, customEventSchemaId } = request.params;
      return changeCustomEventSchema(
        context,
        causedByManagement(context, request, projectId),
        customEventSchemaId,
        request.body,
      );
    },
  );

  app.delete(
    one,
    {
      schema: {
        operationId: "delete-custom-event-schema",
        tags,
        params,
        response: withProblems({ 204: NoContent }),
      },
    },
    async ({ params }, reply) => {
      await removeCustomEventSchema(context, params.projectId, params.customEventSchemaId);
      return reply.code(204).send(null);
    },
  );
}
