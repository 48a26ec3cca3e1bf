import { queryOptions } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import type { Project } from "../../api/project.js";

export type Key = Schemas["Key"];

export const keysQuery = ({ api }: Project) =>
  queryOptions({
    queryKey: ["keys"],
    queryFn: async () => (await bodyOf(api.GET("/dashboard/v1/keys"))).keys,
  });
