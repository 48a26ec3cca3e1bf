import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import {
  locksQuery,
  redemptionQuery,
  redemptionSearch,
  redemptionsQuery,
  validationSearch,
  validationsQuery,
} from "./redemptions.queries.js";

/** Their list, one of them, and what is locked for those to come. */
export function redemptionRoutes(project: AnyRoute) {
  const redemptions = createRoute({
    getParentRoute: () => project,
    path: "redemptions",
    validateSearch: redemptionSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { here }, deps }) => void here.queries.prefetchQuery(redemptionsQuery(here, deps)),
    component: lazyRouteComponent(() => import("./list.js"), "Redemptions"),
  });
  const sessions = createRoute({
    getParentRoute: () => project,
    path: "redemptions/sessions",
    loader: ({ context: { here } }) => void here.queries.prefetchQuery(locksQuery(here)),
    component: lazyRouteComponent(() => import("./sessions.js"), "Sessions"),
  });
  const validations = createRoute({
    getParentRoute: () => project,
    path: "redemptions/validations",
    validateSearch: validationSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { here }, deps }) => void here.queries.prefetchInfiniteQuery(validationsQuery(here, deps)),
    component: lazyRouteComponent(() => import("./validations.js"), "Validations"),
  });
  const redemption = createRoute({
    getParentRoute: () => project,
    path: "redemptions/$redemption",
    loader: ({ context: { here }, params }) =>
      void here.queries.prefetchQuery(redemptionQuery(here, params.redemption)),
    component: lazyRouteComponent(() => import("./detail.js"), "RedemptionPage"),
  });
  return [redemptions, validations, sessions, redemption];
}
