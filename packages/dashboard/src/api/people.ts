import { queryOptions } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "./client.js";
import type { Project } from "./project.js";

export type Customer = Schemas["Customer"];

export const customerQuery = ({ api }: Pick<Project, "api">, id: string) =>
  queryOptions({
    queryKey: ["customers", "one", id],
    queryFn: async () => {
      const path = { customerId: id };
      return (await bodyOf(api.GET("/v1/customers/{customerId}", { params: { path } }))) as Customer;
    },
  });

/** What somebody is called; not everybody has a name. */
export const nameOf = ({
  name,
  source_id,
  email,
  id,
}: Partial<Record<"name" | "source_id" | "email", string | null>> & { id: string }): string =>
  name || source_id || email || id;
