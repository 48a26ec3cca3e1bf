import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { membersQuery, segmentQuery, segmentSearch, segmentsQuery } from "./segments.queries.js";

export function segmentRoutes(project: AnyRoute) {
  const segments = createRoute({
    getParentRoute: () => project,
    path: "segments",
    validateSearch: segmentSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { here }, deps }) => void here.queries.prefetchQuery(segmentsQuery(here, deps)),
    component: lazyRouteComponent(() => import("./list.js"), "Segments"),
  });
  const newSegment = createRoute({
    getParentRoute: () => project,
    path: "segments/new",
    component: lazyRouteComponent(() => import("./edit.js"), "NewSegment"),
  });
  const segment = createRoute({
    getParentRoute: () => project,
    path: "segments/$segment",
    loader: ({ context: { here }, params: { segment } }) => {
      void here.queries.prefetchQuery(segmentQuery(here, segment));
      if (here.may("customers.read")) void here.queries.prefetchInfiniteQuery(membersQuery(here, segment));
    },
    component: lazyRouteComponent(() => import("./detail.js"), "SegmentPage"),
  });
  const edited = createRoute({
    getParentRoute: () => project,
    path: "segments/$segment/edit",
    loader: ({ context: { here }, params: { segment } }) =>
      void here.queries.prefetchQuery(segmentQuery(here, segment)),
    component: lazyRouteComponent(() => import("./edit.js"), "EditSegment"),
  });
  return [segments, newSegment, segment, edited];
}
