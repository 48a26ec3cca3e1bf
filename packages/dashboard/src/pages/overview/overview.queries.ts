import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { bodyOf, type Schemas } from "../../api/client.js";
import { valuesOf } from "../../api/filters.js";
import type { Project } from "../../api/project.js";

export type Overview = Schemas["Overview"];

export const overviewSearch = valuesOf(["window"]);
export type OverviewSearch = ReturnType<typeof overviewSearch>;

export const windows = ["24h", "7d", "30d", "90d"] as const;
export type Window = (typeof windows)[number];

/** What the address says, or a month. */
export const windowOf = ({ window }: OverviewSearch): Window => windows.find((one) => one === window) ?? "30d";

export const overviewQuery = ({ api }: Pick<Project, "api">, window: Window) =>
  queryOptions({
    queryKey: ["overview", window],
    placeholderData: keepPreviousData,
    queryFn: () => bodyOf(api.GET("/dashboard/v1/overview", { params: { query: { window } } })),
  });
