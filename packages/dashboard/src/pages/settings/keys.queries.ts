import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import { type Project, useProject } from "../../api/project.js";

export type Key = Schemas["Key"];
export type Made = Schemas["KeyCreated"];

export const keysQuery = ({ api }: Pick<Project, "api">) =>
  queryOptions({
    queryKey: ["keys"],
    queryFn: async () => (await bodyOf(api.GET("/dashboard/v1/keys"))).keys,
  });

/** What can be done to keys. A secret is in the answer that makes it and nowhere after. */
export function useKeyDeeds() {
  const { api } = useProject();
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ["keys"] });
  const of = (id: string) => ({ params: { path: { keyId: id } } });
  return {
    create: useMutation({
      mutationFn: (body: Schemas["KeyCreate"]) => bodyOf(api.POST("/dashboard/v1/keys", { body })),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: ({ id, ...body }: Schemas["KeyUpdate"] & { id: string }) =>
        bodyOf(api.PUT("/dashboard/v1/keys/{keyId}", { ...of(id), body })),
      onSuccess,
    }),
    renew: useMutation({
      mutationFn: (id: string) => bodyOf(api.POST("/dashboard/v1/keys/{keyId}/token", of(id))),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => bodyOf(api.DELETE("/dashboard/v1/keys/{keyId}", of(id))),
      onSuccess,
    }),
  };
}
