import type { Context } from "../../../platform/context.js";
import type { App } from "../../../platform/http/app.js";
import { NoContent, withProblems } from "../../../platform/http/schema.js";
import { causedByManagement, ProjectParams } from "../../projects/index.js";
import {
  MetadataSchemaBody,
  MetadataSchemaCreate,
  MetadataSchemaList,
  MetadataSchemaParams,
  MetadataSchemaUpdate,
} from "./metadata-schema.schemas.js";
import {
  changeMetadataSchema,
  createMetadataSchema,
  readMetadataSchema,
  readMetadataSchemas,
  removeMetadataSchema,
} from "./metadata-schema.service.js";

/** `/management/v1/projects/:projectId/metadata-schemas` (platform.md §9.2). */
export function metadataSchemaRoutes(app: App, context: Context): void {
  const tags = ["management"];
  const all = "/management/v1/projects/:projectId/metadata-schemas";
  const one = `${all}/:metadataSchemaId` as const;
  const params = MetadataSchemaParams;
  const response = withProblems({ 200: MetadataSchemaBody });

  app.post(
    all,
    {
      schema: {
        operationId: "create-metadata-schema",
        tags,
        params: ProjectParams,
        body: MetadataSchemaCreate,
        response,
      },
    },
    (request) =>
      createMetadataSchema(context, causedByManagement(context, request, request.params.projectId), request.body),
  );

  app.get(
    all,
    {
      schema: {
        operationId: "list-metadata-schemas-1",
        tags,
        params: ProjectParams,
        response: withProblems({ 200: MetadataSchemaList }),
      },
    },
    ({ params }) => readMetadataSchemas(context, params.projectId),
  );

  app.get(one, { schema: { operationId: "get-metadata-schema-1", tags, params, response } }, ({ params }) =>
    readMetadataSchema(context, params.projectId, params.metadataSchemaId),
  );

  app.put(
    one,
    { schema: { operationId: "update-metadata-schema", tags, params, body: MetadataSchemaUpdate, response } },
    (request) => {
      const { projectId, metadataSchemaId } = request.params;
      return changeMetadataSchema(
        context,
        causedByManagement(context, request, projectId),
        metadataSchemaId,
        request.body,
      );
    },
  );

  app.delete(
    one,
    {
      schema: {
        operationId: "delete-metadata-schema",
        tags,
        params,
        response: withProblems({ 204: NoContent }),
      },
    },
    async (request, reply) => {
      const { projectId, metadataSchemaId } = request.params;
      await removeMetadataSchema(context, causedByManagement(context, request, projectId), metadataSchemaId);
      return reply.code(204).send(null);
    },
  );
}
