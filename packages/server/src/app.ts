import type { FastifyRequest } from "fastify";
import { addRoutes } from "./composition.js";
import { createExplaining, createGatherer, createRecorder } from "./deciding/index.js";
import { createBearerTokens } from "./features/oauth/index.js";
import { createSessions } from "./features/people/index.js";
import { addAuthentication, beginAnew, checkMetadata, keyOwnerBy } from "./features/projects/index.js";
import { logRequests } from "./features/request-log/index.js";
import { openUsage } from "./features/usage/index.js";
import { openRefusalLog, openValidationLog } from "./features/validation-log/index.js";
import { path_words } from "./path-words.js";
import type { Context } from "./platform/context.js";
import { type App, createApp } from "./platform/http/app.js";
import { oneLargeAnswerAtATime } from "./platform/http/bodies/large-answers.js";
import { defaultBodiesRoom, limitBodies } from "./platform/http/bodies/room.js";
import { defaultRowsRoom, limitRows } from "./platform/http/bodies/rows.js";
import { type BuiltPages, servePages } from "./platform/http/pages/index.js";
import type { Shapes } from "./platform/http/shapes/named-schemas.js";
import { honourKeys } from "./recording/index.js";
import { describeOperations, serveReference } from "./reference/index.js";

interface AppOptions {
  check_responses?: boolean;
  shapes?: Shapes;
  /** It describes itself, and serves nobody. */
  is_described?: boolean;
  /** The dashboard's; null: they were not built. Left out, the application has no pages. */
  pages?: BuiltPages | null;
}

/** The whole HTTP application, without listening. */
export async function buildApp(
  context: Context,
  { check_responses = false, is_described = false, pages, shapes }: AppOptions = {},
): Promise<App> {
  const { catalogues, config, db, log, metrics } = context;
  const { trusted_proxies, clients } = config;
  const app = await createApp({
    log,
    metrics,
    check_responses,
    shapes,
    path_words,
    trusted_proxies,
    clients,
    describe: is_described ? describeOperations : undefined,
  });
  const usage = openUsage(context);
  app.addHook("onClose", () => usage.flush());
  const identities = { bearers: createBearerTokens(context), sessions: createSessions(context) };
  const letIn = addAuthentication(app, context, identities, usage.count);
  const ownerOf = ({ call }: FastifyRequest) => call?.project_id ?? "";
  limitBodies(app, { bytes_max: defaultBodiesRoom(config.heap_bytes), ownerOf });
  oneLargeAnswerAtATime(app, ownerOf);
  const ended = () => metrics.refused("answer_not_taken");
  limitRows(app, { rows_max: defaultRowsRoom(config.heap_bytes), ownerOf, ended });
  const requests = logRequests(app, context);
  checkMetadata(app);
  honourKeys(app, context, keyOwnerBy(context));
  beginAnew(app, letIn);
  const record = createRecorder(context, catalogues);
  const validations = openValidationLog(context);
  const refusals = createExplaining(context, openRefusalLog(context));
  app.addHook("onClose", async () => {
    await Promise.all([validations.flush(), refusals.flush(), requests.flush()]);
  });
  addRoutes(app, context, {
    context,
    catalogues,
    gather: createGatherer(db, catalogues),
    record,
    validations,
    refusals,
  });
  serveReference(app);
  if (pages !== undefined) servePages(app, pages);
  return app;
}
