import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { bodyOf } from "../../api/client.js";
import { type Project, useProject } from "../../api/project.js";

const asked_again_ms = 1_000;
const url = "/management/v1/projects/{projectId}/sample-shop";
const here = (projectId: string) => ({ params: { path: { projectId } } });

/** The project's sample shop, or the one that it is; asked again while it is being made. */
export const sampleQuery = ({ api, id }: Pick<Project, "api" | "id">) =>
  queryOptions({
    queryKey: ["sample-shop"],
    queryFn: () => bodyOf(api.GET(url, here(id))),
    refetchInterval: ({ state }) => (state.data?.status === "making" ? asked_again_ms : false),
  });

export function useSampleDeeds() {
  const project = useProject();
  const queries = useQueryClient();
  return {
    make: useMutation({
      mutationFn: () => bodyOf(project.api.POST(url, here(project.id))),
      onSuccess: (shop) => queries.setQueryData(sampleQuery(project).queryKey, shop),
    }),
    remove: useMutation({ mutationFn: () => bodyOf(project.api.DELETE(url, here(project.id))) }),
  };
}
