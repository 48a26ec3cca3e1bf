import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import { valuesOf } from "../../api/filters.js";
import type { Project } from "../../api/project.js";

type Calls = Pick<Project, "api">;
export type Task = Schemas["AsyncActionListed"];
export type Export = Schemas["Export"];

export const taskSearch = valuesOf(["before"]);
export const exportSearch = valuesOf(["page"]);

const asked_again_ms = 2_000;
const hasEnded = ({ status }: { status: string }) => /^(DONE|FAILED|ERROR)$/.test(status);

/** Newest first, from an instant backwards; asked again while any of them runs. */
export const tasksQuery = ({ api }: Calls, before: string | undefined) =>
  queryOptions({
    queryKey: ["tasks", "list", before],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const query = { limit: 50, end_date: before };
      return bodyOf(api.GET("/v1/async-actions", { params: { query } }));
    },
    refetchInterval: ({ state }) => (state.data?.async_actions.every(hasEnded) === false ? asked_again_ms : false),
  });

export const taskQuery = ({ api }: Calls, asyncActionId: string) =>
  queryOptions({
    queryKey: ["tasks", "one", asyncActionId],
    queryFn: () => bodyOf(api.GET("/v1/async-actions/{asyncActionId}", { params: { path: { asyncActionId } } })),
    refetchInterval: ({ state }) => (state.data && !hasEnded(state.data) ? asked_again_ms : false),
  });

/** The last page that the service counts to. */
export const pages_max = 100;

export const exportsQuery = ({ api }: Calls, page: number) =>
  queryOptions({
    queryKey: ["exports", "list", page],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const query = { limit: 50, page, order: "-created_at" as const };
      return bodyOf(api.GET("/v1/exports", { params: { query } }));
    },
    refetchInterval: ({ state }) => (state.data?.exports.every(hasEnded) === false ? asked_again_ms : false),
  });
