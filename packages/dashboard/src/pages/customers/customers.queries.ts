import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import { askedBy, listOf } from "../../api/filters.js";
import type { Project } from "../../api/project.js";

type Calls = Pick<Project, "api">;

export const customerSearch = listOf(["find", "segment", "city", "sort", "after"]);
export type CustomerSearch = ReturnType<typeof customerSearch>;

const orders = ["-created_at", "created_at", "-updated_at"] as const;

export const customersQuery = ({ api }: Calls, search: CustomerSearch) =>
  queryOptions({
    queryKey: ["customers", "list", askedBy(search)],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const { find, segment, city, sort, after } = search;
      const named = find === undefined ? {} : find.includes("@") ? { email: find } : { name: find };
      const order = orders.find((one) => one === sort) ?? "-created_at";
      const query = { limit: 50, order, ...named, city, segment_id: segment, starting_after_id: after };
      return bodyOf(api.GET("/dashboard/v1/customers", { params: { query } }));
    },
  });

/** Those that a list of customers can be narrowed to. */
export const segmentsQuery = ({ api }: Calls) =>
  queryOptions({
    queryKey: ["segments", "all"],
    staleTime: 60_000,
    queryFn: async () => (await bodyOf(api.GET("/v1/segments", { params: { query: { limit: 100 } } }))).data,
  });

const at = (customerId: string) => ({ customerId });

export const segmentsOfQuery = ({ api }: Calls, id: string) =>
  queryOptions({
    queryKey: ["customers", "segments", id],
    queryFn: async () =>
      (
        await bodyOf(
          api.GET("/v1/customers/{customerId}/segments", { params: { path: at(id), query: { limit: 100 } } }),
        )
      ).data,
  });

const rows_at_once = 50;
type Redeemables = Schemas["CustomerRedeemableList"];
export type Held = Redeemables["data"][number];

/** What belongs to somebody, newest first. */
export const walletQuery = ({ api }: Calls, id: string) =>
  infiniteQueryOptions({
    queryKey: ["customers", "wallet", id],
    queryFn: async ({ pageParam: starting_after_id }): Promise<Redeemables> => {
      const query = { limit: rows_at_once, order: "-id" as const, starting_after_id };
      return bodyOf(api.GET("/v1/customers/{customerId}/redeemables", { params: { path: at(id), query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ more_starting_after }: Redeemables) => more_starting_after,
  });

type Redemptions = Schemas["RedemptionSlice"];

export const redemptionsOfQuery = ({ api }: Calls, customer: string) =>
  infiniteQueryOptions({
    queryKey: ["customers", "redemptions", customer],
    queryFn: ({ pageParam: starting_after_id }): Promise<Redemptions> => {
      const query = { limit: rows_at_once, customer, starting_after_id };
      return bodyOf(api.GET("/dashboard/v1/redemptions", { params: { query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data, has_more }: Redemptions) => (has_more ? data.at(-1)?.id : undefined),
  });

type Orders = Schemas["OrderSlice"];

export const ordersOfQuery = ({ api }: Calls, customer: string) =>
  infiniteQueryOptions({
    queryKey: ["customers", "orders", customer],
    queryFn: ({ pageParam: starting_after_id }): Promise<Orders> => {
      const query = { limit: rows_at_once, order: "-created_at" as const, customer, starting_after_id };
      return bodyOf(api.GET("/dashboard/v1/orders", { params: { query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data, has_more }: Orders) => (has_more ? data.at(-1)?.id : undefined),
  });

export const customerTimelineQuery = ({ api }: Calls, customer: string) =>
  infiniteQueryOptions({
    queryKey: ["customers", "timeline", customer],
    queryFn: ({ pageParam: after }): Promise<Schemas["TimelineSlice"]> =>
      bodyOf(api.GET("/dashboard/v1/timeline", { params: { query: { customer, limit: 50, after } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: Schemas["TimelineSlice"]) => next ?? undefined,
  });

/** The tiers that a card is in: one, or none. */
export const tiersOfQuery = ({ api }: Calls, memberId: string) =>
  queryOptions({
    queryKey: ["customers", "tiers", memberId],
    queryFn: async () =>
      (await bodyOf(api.GET("/v1/loyalties/members/{memberId}/tiers", { params: { path: { memberId } } }))).data,
  });
