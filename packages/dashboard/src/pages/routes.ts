import { type AnyRoute, createRoute, lazyRouteComponent, notFound, Outlet, redirect } from "@tanstack/react-router";
import type { Me } from "../api/me.js";
import { projectOf } from "../api/project.js";
import { homeOf } from "../shell/entries.js";
import {
  campaignQuery,
  campaignSearch,
  campaignsQuery,
  campaignTimelineQuery,
  summaryQuery,
  wizardSearch,
} from "./campaigns/campaigns.queries.js";
import { categoryRoutes } from "./categories/categories.routes.js";
import { customerRoutes } from "./customers/customers.routes.js";
import { importRoute } from "./imports/imports.routes.js";
import { orderRoutes } from "./orders/orders.routes.js";
import { overviewQuery, overviewSearch, windowOf } from "./overview/overview.queries.js";
import { productRoutes } from "./products/products.routes.js";
import { promotionRoutes } from "./promotions/promotions.routes.js";
import { redemptionRoutes } from "./redemptions/redemptions.routes.js";
import { requestQuery, requestSearch, requestsQuery } from "./requests/requests.queries.js";
import { ruleRoutes } from "./rules/rules.routes.js";
import { segmentRoutes } from "./segments/segments.routes.js";
import { settingsRoutes } from "./settings/settings.routes.js";
import { taskRoutes } from "./tasks/tasks.routes.js";
import {
  redemptionsQuery,
  refusalQuery,
  timelineQuery,
  voucherQuery,
  voucherSearch,
  vouchersQuery,
} from "./vouchers/vouchers.queries.js";
import { webhookRoutes } from "./webhooks/webhooks.routes.js";

/** Everything under `/p/<project id>/`. A route asks for what it shows beside the code that shows it. */
export function projectRoutes(parent: AnyRoute) {
  const project = createRoute({
    getParentRoute: () => parent,
    path: "/p/$project",
    beforeLoad: ({ context, params }) => {
      const { me } = context as { me: Me };
      const fields = me.projects.find(({ id }) => id === params.project);
      if (!fields) throw notFound();
      return { here: projectOf(me, fields) };
    },
    component: Outlet,
  });

  const home = createRoute({
    getParentRoute: () => project,
    path: "/",
    beforeLoad: ({ context }) => {
      throw redirect({ to: `/p/${context.here.id}/${homeOf(context.here.may)}` });
    },
  });

  return project.addChildren([
    home,
    overviewRoute(project),
    ...campaignRoutes(project),
    promotionRoutes(project),
    ...voucherRoutes(project),
    ...ruleRoutes(project),
    ...customerRoutes(project),
    ...segmentRoutes(project),
    ...productRoutes(project),
    categoryRoutes(project),
    ...orderRoutes(project),
    ...redemptionRoutes(project),
    ...webhookRoutes(project),
    ...taskRoutes(project),
    importRoute(project),
    requestRoutes(project),
    settingsRoutes(project),
  ]);
}

const overviewRoute = (project: AnyRoute) =>
  createRoute({
    getParentRoute: () => project,
    path: "overview",
    validateSearch: overviewSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { here }, deps }) => void here.queries.prefetchQuery(overviewQuery(here, windowOf(deps))),
    component: lazyRouteComponent(() => import("./overview/page.js"), "OverviewPage"),
  });

function campaignRoutes(project: AnyRoute) {
  const campaigns = createRoute({
    getParentRoute: () => project,
    path: "campaigns",
    validateSearch: campaignSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { here }, deps }) => void here.queries.prefetchQuery(campaignsQuery(here, deps)),
    component: lazyRouteComponent(() => import("./campaigns/list.js"), "Campaigns"),
  });
  const newCampaign = createRoute({
    getParentRoute: () => project,
    path: "campaigns/new",
    component: lazyRouteComponent(() => import("./campaigns/new.js"), "NewCampaign"),
  });
  const wizard = createRoute({
    getParentRoute: () => project,
    path: "campaigns/new/$kind",
    validateSearch: wizardSearch,
    component: lazyRouteComponent(() => import("./campaigns/wizard.js"), "Wizard"),
  });
  const campaign = createRoute({
    getParentRoute: () => project,
    path: "campaigns/$campaign",
    loader: ({ context: { here }, params: { campaign } }) => {
      void here.queries.prefetchQuery(campaignQuery(here, campaign));
      void here.queries.prefetchQuery(summaryQuery(here, campaign));
      void here.queries.prefetchInfiniteQuery(campaignTimelineQuery(here, campaign));
    },
    component: lazyRouteComponent(() => import("./campaigns/detail.js"), "CampaignPage"),
  });
  const edited = createRoute({
    getParentRoute: () => project,
    path: "campaigns/$campaign/edit",
    loader: ({ context: { here }, params: { campaign } }) =>
      void here.queries.prefetchQuery(campaignQuery(here, campaign)),
    component: lazyRouteComponent(() => import("./campaigns/edit.js"), "EditCampaign"),
  });
  return [campaigns, newCampaign, wizard, campaign, edited];
}

function voucherRoutes(project: AnyRoute) {
  const vouchers = createRoute({
    getParentRoute: () => project,
    path: "vouchers",
    validateSearch: voucherSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { here }, deps }) => void here.queries.prefetchQuery(vouchersQuery(here, deps)),
    component: lazyRouteComponent(() => import("./vouchers/list.js"), "Vouchers"),
  });
  const voucher = createRoute({
    getParentRoute: () => project,
    path: "vouchers/$code/{-$tab}",
    loader: ({ context: { here }, params: { code } }) => {
      void here.queries.prefetchQuery(voucherQuery(here, code));
      void here.queries.prefetchQuery(refusalQuery(here, code));
      void here.queries.prefetchQuery(redemptionsQuery(here, code));
      void here.queries.prefetchInfiniteQuery(timelineQuery(here, code));
    },
    component: lazyRouteComponent(() => import("./vouchers/detail.js"), "VoucherPage"),
  });
  return [vouchers, voucher];
}

/** The list stands beside the request that was chosen of it. */
const requestRoutes = (project: AnyRoute) =>
  createRoute({
    getParentRoute: () => project,
    path: "requests/{-$request}",
    validateSearch: requestSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { here }, deps, params: { request } }) => {
      void here.queries.prefetchInfiniteQuery(requestsQuery(here, deps));
      if (request) void here.queries.prefetchQuery(requestQuery(here, request));
    },
    component: lazyRouteComponent(() => import("./requests/page.js"), "Requests"),
  });
