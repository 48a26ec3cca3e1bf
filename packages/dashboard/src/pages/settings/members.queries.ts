import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import { type Project, useProject } from "../../api/project.js";

export type Member = Schemas["ProjectMember"];

const members_max = 100;

export const membersQuery = ({ api }: Pick<Project, "api">) =>
  queryOptions({
    queryKey: ["members"],
    queryFn: () => bodyOf(api.GET("/dashboard/v1/members", { params: { query: { limit: members_max } } })),
  });

export function useMemberDeeds() {
  const { api } = useProject();
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ["members"] });
  const of = (id: string) => ({ params: { path: { userId: id } } });
  return {
    add: useMutation({
      mutationFn: (body: Schemas["MemberInvited"]) => bodyOf(api.POST("/dashboard/v1/members", { body })),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: ({ id, role }: Pick<Member, "id" | "role">) =>
        bodyOf(api.PUT("/dashboard/v1/members/{userId}", { ...of(id), body: { role } })),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => bodyOf(api.DELETE("/dashboard/v1/members/{userId}", of(id))),
      onSuccess,
    }),
    link: useMutation({
      mutationFn: (id: string) => bodyOf(api.POST("/dashboard/v1/members/{userId}/link", of(id))),
    }),
  };
}
