import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet, redirect } from "@tanstack/react-router";
import { ownPath } from "./api/filters.js";
import { type Me, meQuery } from "./api/me.js";
import { projectRoutes } from "./pages/routes.js";
import { ErrorPage, NotFound } from "./shell/error-page.js";
import { lastProject } from "./shell/last-project.js";
import { SignedIn } from "./shell/signed-in.js";

interface Start {
  /** Of what belongs to no project. */
  queries: QueryClient;
}

const root = createRootRouteWithContext<Start>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: ErrorPage,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): { next?: string } => {
    const next = ownPath(search.next);
    return next ? { next } : {};
  },
  component: lazyRouteComponent(() => import("./pages/sign-in/page.js"), "SignIn"),
});

const welcome = createRoute({
  getParentRoute: () => root,
  path: "/welcome",
  component: lazyRouteComponent(() => import("./pages/welcome/page.js"), "Welcome"),
});

/** Everything that asks who is there. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: async ({ context, location }): Promise<{ me: Me }> => {
    const me = await context.queries.ensureQueryData(meQuery);
    if (!me) throw redirect({ to: "/sign-in", search: location.href === "/" ? {} : { next: location.href } });
    return { me };
  },
  component: SignedIn,
  errorComponent: ErrorPage,
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: ({ context }) => {
    const project = lastProject((context as unknown as { me: Me }).me);
    throw redirect({ to: project ? `/p/${project.id}` : "/me" });
  },
});

const me = createRoute({
  getParentRoute: () => signedIn,
  path: "/me",
  component: lazyRouteComponent(() => import("./pages/me/page.js"), "Profile"),
});

/** The whole map: a URL says all that a page needs to know. */
export const routeTree = root.addChildren([signIn, welcome, signedIn.addChildren([home, me, projectRoutes(signedIn)])]);
