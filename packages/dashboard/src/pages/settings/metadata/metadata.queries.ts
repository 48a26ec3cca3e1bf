import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../../api/client.js";
import { type Project, useProject } from "../../../api/project.js";
import type { Purged } from "./objects.js";

export type Schema = Schemas["MetadataSchema"];
export type Definition = Schemas["MetadataDefinition"];
export type Properties = Schema["properties"];

const all = "/management/v1/projects/{projectId}/metadata-schemas";
const one = "/management/v1/projects/{projectId}/metadata-schemas/{metadataSchemaId}";
const queryKey = ["metadata-schemas"];

export const schemasQuery = ({ api, id: projectId }: Pick<Project, "api" | "id">) =>
  queryOptions({
    queryKey,
    queryFn: async () => (await bodyOf(api.GET(all, { params: { path: { projectId } } }))).data,
  });

export interface Saved {
  /** Those that are laid down, each whole; the others stay. */
  properties?: Properties;
  allow_defined_only?: boolean;
}

/** What can be done to the schema of an object, of which there may be none yet. */
export function useSchemaDeeds(related_object: string, schema: Schema | undefined) {
  const project = useProject();
  const { api, id: projectId } = project;
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey });
  const of = (metadataSchemaId: string) => ({ params: { path: { projectId, metadataSchemaId } } });
  return {
    save: useMutation({
      mutationFn: ({ properties = {}, ...rest }: Saved) => {
        const body = { properties, ...rest };
        return schema
          ? bodyOf(api.PUT(one, { ...of(schema.id), body }))
          : bodyOf(api.POST(all, { params: { path: { projectId } }, body: { related_object, ...body } }));
      },
      onSuccess,
    }),
    /** Removes a definition, or brings it back as it was left. */
    remove: useMutation({
      mutationFn: async ({ name, deleted }: { name: string; deleted: boolean }) => {
        const schemas = await queries.fetchQuery(schemasQuery(project));
        const now = schemas.find((one) => one.related_object === related_object);
        const definition = now?.properties[name];
        // Somebody else was quicker, and there is nothing left to remove.
        if (!now || !definition) return;
        await bodyOf(api.PUT(one, { ...of(now.id), body: { properties: { [name]: { ...definition, deleted } } } }));
      },
      onSuccess,
    }),
    clear: useMutation({ mutationFn: (id: string) => bodyOf(api.DELETE(one, of(id))), onSuccess }),
  };
}

/** A property of an object's metadata, as far as it is laid down, and the schema that it stands in. */
export interface Defined {
  name: string;
  definition: Definition | undefined;
  schema_id: string | undefined;
}

/** One property read, and laid down whole; the others stay. */
export function useDefinition(related_object: string) {
  const project = useProject();
  const { api, id: projectId, queries } = project;
  return {
    async read(name: string): Promise<Defined> {
      const schemas = await queries.fetchQuery({ ...schemasQuery(project), staleTime: 0 });
      const schema = schemas.find((one) => one.related_object === related_object);
      return { name, definition: schema?.properties[name], schema_id: schema?.id };
    },
    async write({ name, schema_id }: Defined, definition: Definition): Promise<void> {
      const properties = { [name]: definition };
      if (schema_id === undefined) {
        const body = { related_object, properties };
        await bodyOf(api.POST(all, { params: { path: { projectId } }, body }));
      } else {
        const params = { path: { projectId, metadataSchemaId: schema_id } };
        await bodyOf(api.PUT(one, { params, body: { properties } }));
      }
      await queries.invalidateQueries({ queryKey });
    },
  };
}

/** Has a key taken out of everything of a kind, behind the answer. */
export function usePurge(relatedObject: Purged) {
  const { api } = useProject();
  return useMutation({
    mutationFn: (key: string) =>
      bodyOf(
        api.POST("/dashboard/v1/metadata-schemas/{relatedObject}/purges", {
          params: { path: { relatedObject } },
          body: { key },
        }),
      ),
  });
}
