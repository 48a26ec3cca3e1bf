import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { sendOutQuery, sendOutSearch, sendOutsQuery, webhooksQuery } from "./webhooks.queries.js";

export function webhookRoutes(project: AnyRoute) {
  const webhooks = createRoute({
    getParentRoute: () => project,
    path: "webhooks",
    loader: ({ context: { here } }) => {
      if (here.may("webhooks.read")) void here.queries.prefetchQuery(webhooksQuery(here));
    },
    component: lazyRouteComponent(() => import("./list.js"), "Webhooks"),
  });
  const sendOuts = createRoute({
    getParentRoute: () => project,
    path: "webhooks/send-outs",
    validateSearch: sendOutSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { here }, deps }) => {
      if (!here.may("send-outs.read")) return;
      void here.queries.prefetchQuery(sendOutsQuery(here, deps));
      void here.queries.prefetchQuery(webhooksQuery(here));
    },
    component: lazyRouteComponent(() => import("./send-outs.js"), "SendOuts"),
  });
  const sendOut = createRoute({
    getParentRoute: () => project,
    path: "webhooks/send-outs/$sendOut",
    loader: ({ context: { here }, params: { sendOut } }) => {
      if (here.may("send-outs.read")) void here.queries.prefetchQuery(sendOutQuery(here, sendOut));
    },
    component: lazyRouteComponent(() => import("./send-out.js"), "SendOutPage"),
  });
  return [webhooks, sendOuts, sendOut];
}
