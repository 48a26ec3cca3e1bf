import type { Deciding } from "../../deciding/index.js";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { keptRoutes } from "./kept.routes.js";
import { keyRoutes } from "./key.routes.js";
import { listRoutes } from "./lists/list.routes.js";
import { memberRoutes } from "./member.routes.js";
import { purgeRoutes } from "./metadata/purge.routes.js";
import { noticeRoutes } from "./notices/notice.routes.js";
import { overviewRoutes } from "./overview/overview.routes.js";
import { previewRoutes } from "./preview/preview.routes.js";
import { refusalRoutes } from "./refusals/refusal.routes.js";
import { requestRoutes } from "./requests/request.routes.js";
import { searchRoutes } from "./search/search.routes.js";
import { segmentRoutes } from "./segments/segment.routes.js";
import { lockRoutes } from "./sessions/lock.routes.js";
import { timelineRoutes } from "./timeline/timeline.routes.js";
import { validationRoutes } from "./validations/validation.routes.js";
import { webhookSecretRoutes } from "./webhook-secret/secret.routes.js";

export { schedules } from "./kept.schedules.js";

/** What our own pages need beside the API: `/dashboard/v1`. */
export function routes(app: App, context: Context, deciding: Deciding): void {
  memberRoutes(app, context);
  keyRoutes(app, context);
  keptRoutes(app, context);
  purgeRoutes(app, context);
  webhookSecretRoutes(app, context);
  searchRoutes(app, context);
  listRoutes(app, context, deciding);
  timelineRoutes(app, context);
  refusalRoutes(app, context);
  requestRoutes(app, context);
  overviewRoutes(app, context);
  noticeRoutes(app, context);
  lockRoutes(app, context);
  validationRoutes(app, context);
  segmentRoutes(app, context);
  previewRoutes(app, deciding);
}
