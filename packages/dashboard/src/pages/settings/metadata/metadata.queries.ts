import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../../api/client.js";
import { type Project, useProject } from "../../../api/project.js";

export type Schema = Schemas["MetadataSchema"];
export type Definition = Schemas["MetadataDefinition"];
export type Properties = Schema["properties"];

/** What has metadata of its own; a schema of any other name is nested in one of these. */
export const objects = [
  "campaign",
  "customer",
  "earning_rule",
  "loyalty_tier",
  "order",
  "order_item",
  "product",
  "promotion_tier",
  "publication",
  "redemption",
  "reward",
  "voucher",
] as const;
export type MetadataObject = (typeof objects)[number];
export const isObject = (name: string): name is MetadataObject => objects.some((one) => one === name);

/** Of what a key can be taken out again; what happened stays as it was told. */
const purged = ["campaign", "customer", "product", "voucher", "order"] as const;
export type Purged = (typeof purged)[number];
export const isPurged = (name: string): name is Purged => purged.some((one) => one === name);

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
  const { api, id: projectId } = useProject();
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
    clear: useMutation({ mutationFn: (id: string) => bodyOf(api.DELETE(one, of(id))), onSuccess }),
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
