import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { promotionSearch, promotionsQuery, stacksQuery } from "./promotions.queries.js";

export const promotionRoutes = (project: AnyRoute) =>
  createRoute({
    getParentRoute: () => project,
    path: "promotions",
    validateSearch: promotionSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { here }, deps }) => {
      void here.queries.prefetchQuery(promotionsQuery(here, deps));
      void here.queries.prefetchQuery(stacksQuery(here));
    },
    component: lazyRouteComponent(() => import("./list.js"), "Promotions"),
  });
