import { customerRoutes } from "./features/customers/index.js";
import { addAuthentication, projectRoutes } from "./features/projects/index.js";
import { systemRoutes } from "./features/system/index.js";
import type { Context } from "./platform/context.js";
import { type App, createApp } from "./platform/http/app.js";

/** The whole HTTP application, without listening. One line a capability. */
export async function buildApp(context: Context, { check_responses = false } = {}): Promise<App> {
  const app = await createApp({ log: context.log, check_responses });
  addAuthentication(app, context);
  systemRoutes(app, context);
  projectRoutes(app, context);
  customerRoutes(app, context);
  return app;
}
