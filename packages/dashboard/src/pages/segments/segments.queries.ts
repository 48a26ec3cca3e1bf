import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import { listOf } from "../../api/filters.js";
import type { Project } from "../../api/project.js";
import { filtersOf, sliceOf } from "../../api/slices.js";
import type { Filter } from "./filter-form.js";

type Calls = Pick<Project, "api">;
export type Segment = Schemas["Segment"];
export type SegmentType = Segment["type"];

export const segment_types = ["static", "passive", "auto-update"] as const satisfies readonly SegmentType[];

export const segmentSearch = listOf(["find", "type", "sort", "after"]);
export type SegmentSearch = ReturnType<typeof segmentSearch>;

export const segmentsQuery = ({ api }: Calls, { find, type, sort, after }: SegmentSearch) =>
  queryOptions({
    queryKey: ["segments", "list", find, type, sort, after],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const of_type = segment_types.find((one) => one === type);
      const order = sort === "created_at" ? sort : "-created_at";
      const filters = filtersOf({ name: ["$contains", find], type: ["$is", of_type] });
      const query = { limit: 50, order, starting_after_id: after, filters } as const;
      return sliceOf(await bodyOf(api.GET("/v1/segments", { params: { query } })));
    },
  });

export const segmentQuery = ({ api }: Calls, id: string) =>
  queryOptions({
    queryKey: ["segments", "one", id],
    queryFn: () => bodyOf(api.GET("/v1/segments/{segmentId}", { params: { path: { segmentId: id } } })),
  });

type Customers = Schemas["CustomerSlice"];

export const membersQuery = ({ api }: Calls, segment_id: string) =>
  infiniteQueryOptions({
    queryKey: ["segments", "members", segment_id],
    queryFn: ({ pageParam: starting_after_id }): Promise<Customers> => {
      const query = { limit: 50, order: "-created_at" as const, segment_id, starting_after_id };
      return bodyOf(api.GET("/dashboard/v1/customers", { params: { query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data, has_more }: Customers) => (has_more ? data.at(-1)?.id : undefined),
  });

/** Whom a filter holds that nobody has saved. */
export const countQuery = ({ api }: Calls, filter: Filter | null) =>
  queryOptions({
    queryKey: ["segments", "count", filter],
    enabled: filter !== null,
    placeholderData: keepPreviousData,
    queryFn: () => bodyOf(api.POST("/dashboard/v1/segments/count", { body: { filter: filter ?? {} } })),
  });

/** Whom the names are of that somebody lists. */
export const namedQuery = ({ api }: Calls, names: readonly string[]) =>
  queryOptions({
    queryKey: ["segments", "named", names],
    enabled: names.length > 0,
    placeholderData: keepPreviousData,
    queryFn: () => bodyOf(api.POST("/dashboard/v1/segments/customers", { body: { names: [...names] } })),
  });
