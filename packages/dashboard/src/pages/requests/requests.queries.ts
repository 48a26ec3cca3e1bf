import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import { valuesOf } from "../../api/filters.js";
import type { Project } from "../../api/project.js";

type Calls = Pick<Project, "api">;
export type Line = Schemas["LoggedRequestLine"];
export type Request = Schemas["LoggedRequest"];
type Slice = Schemas["RequestSlice"];

export const requestSearch = valuesOf(["time", "status", "method", "path", "key"]);
export type RequestSearch = ReturnType<typeof requestSearch>;

const hour_ms = 3_600_000;
export const times: Record<string, number> = { "1h": hour_ms, "24h": 24 * hour_ms, "7d": 168 * hour_ms };
export const methods = ["GET", "POST", "PUT", "DELETE"] as const;
const statuses = ["success", "failure"] as const;

const rows_at_once = 50;

/** Newest first; what is older comes slice by slice. */
export const requestsQuery = ({ api }: Calls, search: RequestSearch) =>
  infiniteQueryOptions({
    queryKey: ["requests", "list", search],
    queryFn: ({ pageParam: after }): Promise<Slice> => {
      const { path, key, time = "" } = search;
      const long = times[time];
      const since = long && new Date(Date.now() - long).toISOString();
      const status = statuses.find((one) => one === search.status);
      const method = methods.find((one) => one === search.method);
      const query = { limit: rows_at_once, status, method, path, key, after, ...(since ? { since } : {}) };
      return bodyOf(api.GET("/dashboard/v1/requests", { params: { query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: Slice) => next ?? undefined,
  });

export const requestQuery = ({ api }: Calls, requestId: string) =>
  queryOptions({
    queryKey: ["requests", "one", requestId],
    // It happened: nothing about it changes, but what it caused may be told a moment later.
    staleTime: 60_000,
    queryFn: () => bodyOf(api.GET("/dashboard/v1/requests/{requestId}", { params: { path: { requestId } } })),
  });
