import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { bodyOf, type Schemas } from "../../api/client.js";
import { type Project, useProject } from "../../api/project.js";
import { sliceOf } from "../../api/slices.js";
import type { Choice } from "../conditions/value-field.js";
import type { Names } from "./sentence.js";

type Calls = Pick<Project, "api">;
export type Rule = Schemas["ValidationRule"];

const orders = ["-created_at", "created_at", "name", "-updated_at"] as const;

export const rulesQuery = ({ api }: Calls, { sort, after }: { sort?: string; after?: string }) =>
  queryOptions({
    queryKey: ["rules", "list", sort, after],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const order = orders.find((one) => one === sort) ?? "-created_at";
      const query = { limit: 50, order, starting_after_id: after };
      return sliceOf(await bodyOf(api.GET("/v1/validation-rules", { params: { query } })));
    },
  });

export const ruleQuery = ({ api }: Calls, id: string) =>
  queryOptions({
    queryKey: ["rules", "one", id],
    queryFn: () =>
      bodyOf(api.GET("/v1/validation-rules/{validationRuleId}", { params: { path: { validationRuleId: id } } })),
  });

/** What rules name by its id: as many as one list of the service holds. */
export interface Nameable {
  segment: readonly Choice[];
  collection: readonly Choice[];
  key: readonly Choice[];
}

const nothing: Nameable = { segment: [], collection: [], key: [] };
const query = { limit: 100, order: "-created_at" as const };

const nameableQuery = ({ api, may }: Pick<Project, "api" | "may">) =>
  queryOptions({
    queryKey: ["rules", "nameable"],
    queryFn: async (): Promise<Nameable> => {
      const [segments, collections, keys] = await Promise.all([
        may("segments.read") ? bodyOf(api.GET("/v1/segments", { params: { query } })) : null,
        may("product-collections.read") ? bodyOf(api.GET("/v1/product-collections", { params: { query } })) : null,
        may("keys.read") ? bodyOf(api.GET("/dashboard/v1/keys")) : null,
      ]);
      return {
        segment: (segments?.data ?? []).map(named),
        collection: (collections?.data ?? []).map(named),
        key: (keys?.keys ?? []).map(named),
      };
    },
  });

const named = ({ id, name }: { id: string; name?: string | null }): Choice => ({ id, name: name || id });

/** What may be chosen in a rule, and what it is called. */
export function useNameable(): { nameable: Nameable; names: Names } {
  const { data: nameable = nothing } = useQuery(nameableQuery(useProject()));
  return useMemo(() => {
    const by_id = new Map(
      [...nameable.segment, ...nameable.collection, ...nameable.key].map(({ id, name }) => [id, name]),
    );
    return { nameable, names: (id) => by_id.get(id) };
  }, [nameable]);
}
