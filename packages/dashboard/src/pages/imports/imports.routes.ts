import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { valuesOf } from "../../api/filters.js";

/** What is imported, and into which campaign. */
export const importSearch = valuesOf(["of", "campaign"]);

export const importRoute = (project: AnyRoute) =>
  createRoute({
    getParentRoute: () => project,
    path: "tasks/import",
    validateSearch: importSearch,
    component: lazyRouteComponent(() => import("./page.js"), "ImportPage"),
  });
