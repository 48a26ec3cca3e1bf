import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { keysQuery } from "./keys.queries.js";
import { membersQuery } from "./members.queries.js";
import { schemasQuery } from "./metadata/metadata.queries.js";

export function settingsRoutes(project: AnyRoute) {
  const settings = createRoute({
    getParentRoute: () => project,
    path: "settings",
    component: lazyRouteComponent(() => import("./layout.js"), "Settings"),
  });
  const keys = createRoute({
    getParentRoute: () => settings,
    path: "keys",
    loader: ({ context: { here } }) => {
      if (here.may("keys.read")) void here.queries.prefetchQuery(keysQuery(here));
    },
    component: lazyRouteComponent(() => import("./keys.js"), "Keys"),
  });
  const members = createRoute({
    getParentRoute: () => settings,
    path: "members",
    loader: ({ context: { here } }) => {
      if (here.may("members.read")) void here.queries.prefetchQuery(membersQuery(here));
    },
    component: lazyRouteComponent(() => import("./members.js"), "Members"),
  });
  const general = createRoute({
    getParentRoute: () => settings,
    path: "general",
    component: lazyRouteComponent(() => import("./general.js"), "General"),
  });
  const metadata = createRoute({
    getParentRoute: () => settings,
    path: "metadata",
    loader: ({ context: { here } }) => {
      if (here.may("metadata-schemas.read")) void here.queries.prefetchQuery(schemasQuery(here));
    },
    component: lazyRouteComponent(() => import("./metadata/list.js"), "MetadataObjects"),
  });
  const metadataOf = createRoute({
    getParentRoute: () => settings,
    path: "metadata/$object",
    loader: ({ context: { here } }) => {
      if (here.may("metadata-schemas.read")) void here.queries.prefetchQuery(schemasQuery(here));
    },
    component: lazyRouteComponent(() => import("./metadata/object.js"), "MetadataObjectPage"),
  });
  return settings.addChildren([general, keys, members, metadata, metadataOf]);
}
