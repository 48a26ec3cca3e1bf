import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { categoriesQuery } from "./categories.queries.js";

export const categoryRoutes = (project: AnyRoute) =>
  createRoute({
    getParentRoute: () => project,
    path: "categories",
    loader: ({ context: { here } }) => void here.queries.prefetchQuery(categoriesQuery(here)),
    component: lazyRouteComponent(() => import("./list.js"), "Categories"),
  });
