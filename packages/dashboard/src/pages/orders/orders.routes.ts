import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { orderQuery, orderSearch, ordersQuery, orderTimelineQuery } from "./orders.queries.js";

export function orderRoutes(project: AnyRoute) {
  const orders = createRoute({
    getParentRoute: () => project,
    path: "orders",
    validateSearch: orderSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { here }, deps }) => void here.queries.prefetchQuery(ordersQuery(here, deps)),
    component: lazyRouteComponent(() => import("./list.js"), "Orders"),
  });
  const order = createRoute({
    getParentRoute: () => project,
    path: "orders/$order",
    loader: ({ context: { here }, params: { order } }) => {
      void here.queries.prefetchQuery(orderQuery(here, order));
      void here.queries.prefetchInfiniteQuery(orderTimelineQuery(here, order));
    },
    component: lazyRouteComponent(() => import("./detail.js"), "OrderPage"),
  });
  return [orders, order];
}
