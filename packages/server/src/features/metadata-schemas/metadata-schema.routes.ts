import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { withProblems } from "../../platform/http/schema.js";
import type { MetadataDefinition, MetadataSchema } from "../../terms/index.js";
import { callOf, contextOf, listMetadataSchemas } from "../projects/index.js";
import {
  type DefinitionOfProject,
  MetadataSchemaOfProject,
  MetadataSchemaParams,
  MetadataSchemasOfProject,
} from "./metadata-schema.schemas.js";

/** `/v1/metadata-schemas`: what the management side has written, for a project's own keys (platform.md §9.3). */
export function metadataSchemaRoutes(app: App, context: Context): void {
  const tags = ["metadata-schemas"];

  app.get(
    "/v1/metadata-schemas",
    {
      schema: { operationId: "list-metadata-schemas", tags, response: withProblems({ 200: MetadataSchemasOfProject }) },
    },
    async (request) => {
      const schemas = await listMetadataSchemas(contextOf(context, request).db, callOf(request).project_id);
      const data = schemas.map(toBody);
      return { ...listBody("schemas", data, schemas.length), data };
    },
  );

  app.get(
    "/v1/metadata-schemas/:resource",
    {
      schema: {
        operationId: "get-metadata-schema",
        tags,
        params: MetadataSchemaParams,
        response: withProblems({ 200: MetadataSchemaOfProject }),
      },
    },
    async (request) => {
      const { resource } = request.params;
      const schemas = await listMetadataSchemas(contextOf(context, request).db, callOf(request).project_id);
      const schema = schemas.find(({ related_object }) => related_object === resource);
      if (!schema) throw problems.notFound("metadata schema", resource);
      return toBody(schema);
    },
  );
}

const toBody = ({ properties, created_at, updated_at, ...schema }: MetadataSchema): MetadataSchemaOfProject => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, definition]) => [name, olderNames(definition)]),
  ),
  created_at: isoOf(created_at),
  updated_at: isoOf(updated_at),
  object: "metadata_schema",
});

const older_names: Partial<Record<keyof MetadataDefinition, keyof DefinitionOfProject>> = {
  object_type: "objectType",
  min_length: "minLength",
  max_length: "maxLength",
  exact_length: "exactLength",
};

const olderNames = (definition: MetadataDefinition) =>
  Object.fromEntries(
    Object.entries(definition).map(([option, value]) => [
      older_names[option as keyof MetadataDefinition] ?? option,
      value,
    ]),
  ) as DefinitionOfProject;
