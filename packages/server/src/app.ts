import { createCatalogues, sharedVoucherReader } from "./deciding/index.js";
import { assetRoutes } from "./features/assets/index.js";
import { asyncActionRoutes } from "./features/async-actions/index.js";
import { campaignRoutes } from "./features/campaigns/index.js";
import { categoryRoutes } from "./features/categories/index.js";
import { customerRoutes } from "./features/customers/index.js";
import { createBearerTokens, oauthRoutes } from "./features/oauth/index.js";
import { orderRoutes } from "./features/orders/index.js";
import { addAuthentication, projectRoutes } from "./features/projects/index.js";
import { redemptionRoutes } from "./features/redemptions/index.js";
import { systemRoutes } from "./features/system/index.js";
import { validationRoutes } from "./features/validations/index.js";
import { voucherRoutes } from "./features/vouchers/index.js";
import type { Context } from "./platform/context.js";
import { type App, createApp } from "./platform/http/app.js";

/** The whole HTTP application, without listening. One line a capability. */
export async function buildApp(context: Context, { check_responses = false } = {}): Promise<App> {
  const app = await createApp({ log: context.log, check_responses });
  addAuthentication(app, context, createBearerTokens(context));
  systemRoutes(app, context);
  projectRoutes(app, context);
  oauthRoutes(app, context);
  customerRoutes(app, context);
  voucherRoutes(app, context);
  orderRoutes(app, context);
  asyncActionRoutes(app, context);
  const deciding = { context, catalogues: createCatalogues(), readVouchers: sharedVoucherReader(context.db) };
  validationRoutes(app, deciding);
  redemptionRoutes(app, deciding);
  assetRoutes(app, context);
  campaignRoutes(app, context);
  categoryRoutes(app, context);
  return app;
}
