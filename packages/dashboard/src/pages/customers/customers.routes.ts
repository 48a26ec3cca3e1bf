import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { customerQuery } from "../../api/people.js";
import {
  customerSearch,
  customersQuery,
  customerTimelineQuery,
  ordersOfQuery,
  redemptionsOfQuery,
  segmentsQuery,
  walletQuery,
} from "./customers.queries.js";

export function customerRoutes(project: AnyRoute) {
  const customers = createRoute({
    getParentRoute: () => project,
    path: "customers",
    validateSearch: customerSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { here }, deps }) => {
      void here.queries.prefetchQuery(customersQuery(here, deps));
      if (here.may("segments.read")) void here.queries.prefetchQuery(segmentsQuery(here));
    },
    component: lazyRouteComponent(() => import("./list.js"), "Customers"),
  });
  const customer = createRoute({
    getParentRoute: () => project,
    path: "customers/$customer/{-$tab}",
    loader: ({ context: { here }, params: { customer, tab } }) => {
      void here.queries.prefetchQuery(customerQuery(here, customer));
      if (tab === undefined || tab === "wallet") void here.queries.prefetchInfiniteQuery(walletQuery(here, customer));
      if (tab === undefined || tab === "redemptions")
        void here.queries.prefetchInfiniteQuery(redemptionsOfQuery(here, customer));
      if (tab === "orders") void here.queries.prefetchInfiniteQuery(ordersOfQuery(here, customer));
      if (tab === undefined || tab === "timeline")
        void here.queries.prefetchInfiniteQuery(customerTimelineQuery(here, customer));
    },
    component: lazyRouteComponent(() => import("./detail.js"), "CustomerPage"),
  });
  return [customers, customer];
}
