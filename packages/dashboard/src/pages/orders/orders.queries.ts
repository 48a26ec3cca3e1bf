import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import { askedBy, listOf } from "../../api/filters.js";
import type { Project } from "../../api/project.js";

type Calls = Pick<Project, "api">;
export type Order = Schemas["Order"];

export const orderSearch = listOf(["find", "status", "customer", "sort", "after"]);
export type OrderSearch = ReturnType<typeof orderSearch>;

export const order_statuses = ["CREATED", "PAID", "FULFILLED", "CANCELED"] as const;
const orders = ["-created_at", "created_at", "-updated_at"] as const;

export const ordersQuery = ({ api }: Calls, search: OrderSearch) =>
  queryOptions({
    queryKey: ["orders", "list", askedBy(search)],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const { find: source_id, customer, sort, after } = search;
      const status = order_statuses.find((one) => one === search.status);
      const order = orders.find((one) => one === sort) ?? "-created_at";
      const query = { limit: 50, order, status, customer, source_id, starting_after_id: after };
      return bodyOf(api.GET("/dashboard/v1/orders", { params: { query } }));
    },
  });

export const orderQuery = ({ api }: Calls, id: string) =>
  queryOptions({
    queryKey: ["orders", "one", id],
    queryFn: () => bodyOf(api.GET("/v1/orders/{orderId}", { params: { path: { orderId: id } } })),
  });

const ids_max = 100;

/** What was redeemed on an order, undone or not; the order names them, its stacks with their parts. */
export const redemptionsOnQuery = ({ api }: Calls, { id, redemptions }: Order) => {
  const ids = Object.entries(redemptions)
    .flatMap(([id, { stacked = [], rollback_id }]) => [id, ...stacked, ...(rollback_id ? [rollback_id] : [])])
    .slice(0, ids_max);
  return queryOptions({
    queryKey: ["orders", "redemptions", id, ids],
    enabled: ids.length > 0,
    queryFn: async () => {
      const filters = { id: { conditions: { $in: ids } } } as unknown as Record<string, never>;
      const query = { limit: ids_max, filters };
      return (await bodyOf(api.GET("/dashboard/v1/redemptions", { params: { query } }))).data;
    },
  });
};

export const orderTimelineQuery = ({ api }: Calls, order: string) =>
  infiniteQueryOptions({
    queryKey: ["orders", "timeline", order],
    queryFn: ({ pageParam: after }): Promise<Schemas["TimelineSlice"]> =>
      bodyOf(api.GET("/dashboard/v1/timeline", { params: { query: { order, limit: 50, after } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: Schemas["TimelineSlice"]) => next ?? undefined,
  });
