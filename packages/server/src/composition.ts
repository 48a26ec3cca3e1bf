import * as books from "./books/index.js";
import {
  type CatalogueBudget,
  type CatalogueParts,
  type Catalogues,
  createCatalogues,
  type Shelf,
} from "./catalogue/index.js";
import type { Deciding } from "./deciding/index.js";
import type { Consumer } from "./events/index.js";
import * as events from "./events/index.js";
import * as activities from "./features/activities/index.js";
import * as assets from "./features/assets/index.js";
import type { AsyncJob } from "./features/async-actions/index.js";
import * as asyncActions from "./features/async-actions/index.js";
import * as campaigns from "./features/campaigns/index.js";
import * as categories from "./features/categories/index.js";
import * as clientSide from "./features/client-side/index.js";
import * as customEvents from "./features/custom-events/index.js";
import * as customers from "./features/customers/index.js";
import * as dashboard from "./features/dashboard/index.js";
import type { ExportedObject } from "./features/exports/index.js";
import * as exporting from "./features/exports/index.js";
import * as imports from "./features/imports/index.js";
import * as locations from "./features/locations/index.js";
import * as accruals from "./features/loyalties/accruals/index.js";
import * as autoRedeem from "./features/loyalties/auto-redeem/index.js";
import * as earningRules from "./features/loyalties/earning-rules/index.js";
import * as liability from "./features/loyalties/liability/index.js";
import * as members from "./features/loyalties/members/index.js";
import * as nights from "./features/loyalties/nights/index.js";
import * as pendingPoints from "./features/loyalties/pending-points/index.js";
import * as pointsExpiration from "./features/loyalties/points-expiration/index.js";
import * as programs from "./features/loyalties/programs/index.js";
import * as programRewards from "./features/loyalties/rewards/index.js";
import * as loyaltyTiers from "./features/loyalties/tiers/index.js";
import * as transfers from "./features/loyalties/transfers/index.js";
import * as automations from "./features/management/automations/index.js";
import * as branding from "./features/management/branding/index.js";
import * as customEventSchemas from "./features/management/custom-event-schemas/index.js";
import { locationRoutes as managedLocationRoutes } from "./features/management/locations/index.js";
import * as managedMetadataSchemas from "./features/management/metadata-schemas/index.js";
import * as roles from "./features/management/roles/index.js";
import * as sendOuts from "./features/management/send-outs/index.js";
import * as stackingRules from "./features/management/stacking-rules/index.js";
import * as managedTemplates from "./features/management/templates/index.js";
import * as users from "./features/management/users/index.js";
import * as webhooks from "./features/management/webhooks/index.js";
import * as metadataSchemas from "./features/metadata-schemas/index.js";
import * as notices from "./features/notices/index.js";
import * as oauth from "./features/oauth/index.js";
import * as orders from "./features/orders/index.js";
import * as people from "./features/people/index.js";
import * as productCollections from "./features/product-collections/index.js";
import * as products from "./features/products/index.js";
import * as projects from "./features/projects/index.js";
import * as promotions from "./features/promotions/index.js";
import * as publications from "./features/publications/index.js";
import * as qualifications from "./features/qualifications/index.js";
import * as redemptions from "./features/redemptions/index.js";
import * as referrals from "./features/referrals/index.js";
import * as requestLog from "./features/request-log/index.js";
import * as rewards from "./features/rewards/index.js";
import * as sampleShop from "./features/sample-shop/index.js";
import * as segments from "./features/segments/index.js";
import * as system from "./features/system/index.js";
import * as templates from "./features/templates/index.js";
import * as totals from "./features/totals/index.js";
import * as transactions from "./features/transactions/index.js";
import { type BinRemoval, binRoutes } from "./features/trash-bin/index.js";
import * as usage from "./features/usage/index.js";
import * as validationLog from "./features/validation-log/index.js";
import * as validationRules from "./features/validation-rules/index.js";
import * as assignments from "./features/validation-rules-assignments/index.js";
import * as validations from "./features/validations/index.js";
import * as vouchers from "./features/vouchers/index.js";
import type { Context } from "./platform/context.js";
import * as transactionTokens from "./platform/db/transactions/purge-tokens.js";
import type { App } from "./platform/http/app.js";
import type { MakeWork } from "./platform/jobs/loop.js";
import type { Schedule } from "./platform/jobs/schedules.js";
import type { Metrics } from "./platform/metrics.js";
import * as recording from "./recording/index.js";

/** What a feature brings, by the names that its door exports. */
interface Capability {
  /** Its operations. */
  routes?(app: App, context: Context, deciding: Deciding): void;
  /** What decisions look at and what changes slowly. */
  shelves?: readonly Shelf<unknown>[];
  /** Told of events. */
  consumers?: readonly Consumer[];
  /** Long work that a request starts: asynchronous actions. */
  jobs?: readonly AsyncJob[];
  /** What can be exported. */
  exported?: readonly ExportedObject[];
  /** How what it puts into the bin leaves it for good. */
  binned?: readonly BinRemoval[];
  /** What else the loop looks for. */
  works?: readonly MakeWork[];
  /** What is done as time passes. */
  schedules?: readonly Schedule[];
  /** What is done to loyalty cards at midnight. */
  night_steps?: readonly nights.NightStep[];
}

/** Tiers know their programs, so that an edit of a program is handed what looks at its members. */
const recalculating: campaigns.Recalculating = {
  recalculateTiers: (change, campaign_id) => loyaltyTiers.lookAtMembers(change, campaign_id, true),
};

/** Logs that are written behind the answer, which may be behind a deletion. */
const late_traces: customers.LateTraces = {
  erasures: [validationLog.deleteValidationsOf, validationLog.deleteRefusalsOf],
  forgettings: [requestLog.forgetRequestsAbout],
};

/** Everything that the API and the worker are made of: one import and one line a capability. */
const capabilities: readonly Capability[] = [
  transactionTokens,
  recording,
  events,
  books,
  system,
  projects,
  people,
  notices,
  usage,
  oauth,
  // Whoever keeps something of a customer's beside the profile deletes it with them.
  {
    jobs: customers.jobs,
    exported: customers.exportedWith(segments.judged_customers),
    schedules: [customers.lateTraces(late_traces)],
    routes: (app, context) =>
      customers.routes(app, context, {
        heldBySegment: segments.heldBySegment(context),
        erasures: [
          segments.deleteMembershipsOfOne,
          orders.deleteOrdersOf,
          sendOuts.dropUnwrittenOf,
          ...late_traces.erasures,
        ],
        forgettings: [
          ...[orders.forgetOrdersOf, books.forgetBooksOf, publications.forgetPublicationsOf],
          ...[
            vouchers.forgetHolder,
            sendOuts.forgetSendOutsOf,
            asyncActions.forgetInReports,
            recording.forgetAnswersAbout,
          ],
          ...[exporting.forgetFiles, ...late_traces.forgettings],
        ],
      }),
  },
  vouchers,
  transactions,
  { routes: transactions.exportRoutes },
  products,
  productCollections,
  orders,
  asyncActions,
  imports,
  validationLog,
  { schedules: requestLog.schedules, exported: requestLog.exported },
  { consumers: totals.consumers },
  validations,
  qualifications,
  redemptions,
  assets,
  { ...campaigns, routes: (app, context) => campaigns.routes(app, context, recalculating) },
  promotions,
  categories,
  validationRules,
  assignments,
  {
    ...segments,
    routes: (app, context) => segments.routes(app, context, { uses: [automations.segment_use, referrals.segment_use] }),
  },
  locations,
  { routes: (app, context) => managedLocationRoutes(app, context, segments.lookAgainAt) },
  templates,
  managedTemplates,
  stackingRules,
  customEventSchemas,
  managedMetadataSchemas,
  metadataSchemas,
  webhooks,
  branding,
  users,
  roles,
  sendOuts,
  activities,
  customEvents,
  { routes: (app, context) => programs.routes(app, context, recalculating) },
  nights,
  liability,
  pointsExpiration,
  transfers,
  members,
  { ...loyaltyTiers, consumers: loyaltyTiers.consumersAfter(autoRedeem.before_tiers) },
  autoRedeem,
  earningRules,
  accruals,
  pendingPoints,
  publications,
  referrals,
  automations,
  {
    ...rewards,
    routes: (app, context) => rewards.routes(app, context, { goes_along: [referrals.removeTiersOfReward] }),
  },
  programRewards,
  {
    routes: (app, context) => exporting.exportRoutes(app, context, exported),
    schedules: exporting.schedules,
  },
  { routes: (app, context) => binRoutes(app, context, binned) },
  clientSide,
  dashboard,
  { routes: sampleShop.routes },
];

const exported = capabilities.flatMap((capability) => capability.exported ?? []);
const binned = capabilities.flatMap((capability) => capability.binned ?? []);

export const consumers = capabilities.flatMap((capability) => capability.consumers ?? []);
export const jobs = [...capabilities.flatMap((capability) => capability.jobs ?? []), exporting.exportJob(exported)];
export const works = capabilities.flatMap((capability) => capability.works ?? []);
export const schedules = [
  ...capabilities.flatMap((capability) => capability.schedules ?? []),
  nights.nightSchedule(capabilities.flatMap((capability) => capability.night_steps ?? [])),
];

/** What catalogues are made of. */
export const catalogueParts: CatalogueParts = {
  settings: projects.projectSettings,
  shelves: capabilities.flatMap((capability) => capability.shelves ?? []),
};

/** The catalogues of this process, for the API and the worker alike. */
export const openCatalogues = (metrics: Metrics, budget?: CatalogueBudget): Catalogues =>
  createCatalogues(catalogueParts, { metrics, budget });

/** Adds every operation to the application. */
export function addRoutes(app: App, context: Context, deciding: Deciding): void {
  for (const { routes } of capabilities) routes?.(app, context, deciding);
}
