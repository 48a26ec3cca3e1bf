import { openCatalogues } from "./composition.js";
import { createGatherer } from "./deciding/index.js";
import { assetRoutes } from "./features/assets/index.js";
import { asyncActionRoutes } from "./features/async-actions/index.js";
import { campaignRoutes } from "./features/campaigns/index.js";
import { categoryRoutes } from "./features/categories/index.js";
import { customEventRoutes } from "./features/custom-events/index.js";
import { customerRoutes } from "./features/customers/index.js";
import { earningRuleRoutes } from "./features/loyalties/earning-rules/index.js";
import { memberRoutes } from "./features/loyalties/members/index.js";
import { programRoutes } from "./features/loyalties/programs/index.js";
import { customEventSchemaRoutes } from "./features/management/custom-event-schemas/index.js";
import { createBearerTokens, oauthRoutes } from "./features/oauth/index.js";
import { deleteOrdersOf, orderRoutes } from "./features/orders/index.js";
import { productCollectionRoutes } from "./features/product-collections/index.js";
import { productRoutes } from "./features/products/index.js";
import { addAuthentication, projectRoutes } from "./features/projects/index.js";
import { createRedeemer, redemptionRoutes, rollbackRoutes } from "./features/redemptions/index.js";
import { segmentRoutes } from "./features/segments/index.js";
import { systemRoutes } from "./features/system/index.js";
import { validationRuleRoutes } from "./features/validation-rules/index.js";
import { assignmentRoutes } from "./features/validation-rules-assignments/index.js";
import { validationRoutes } from "./features/validations/index.js";
import { voucherRoutes } from "./features/vouchers/index.js";
import { path_words } from "./path-words.js";
import type { Context } from "./platform/context.js";
import { type App, createApp } from "./platform/http/app.js";

/** The whole HTTP application, without listening. One line a capability. */
export async function buildApp(
  context: Context,
  { check_responses = false, catalogues = openCatalogues() } = {},
): Promise<App> {
  const app = await createApp({ log: context.log, check_responses, path_words });
  addAuthentication(app, context, createBearerTokens(context));
  systemRoutes(app, context);
  projectRoutes(app, context);
  oauthRoutes(app, context);
  customerRoutes(app, context, [deleteOrdersOf]);
  voucherRoutes(app, context);
  productRoutes(app, context);
  productCollectionRoutes(app, context);
  orderRoutes(app, context);
  asyncActionRoutes(app, context);
  const deciding = { context, catalogues, gather: createGatherer(context.db, catalogues) };
  validationRoutes(app, deciding);
  const redeem = createRedeemer(deciding);
  redemptionRoutes(app, { ...deciding, redeem });
  rollbackRoutes(app, deciding);
  assetRoutes(app, context);
  campaignRoutes(app, context);
  categoryRoutes(app, context);
  validationRuleRoutes(app, context);
  assignmentRoutes(app, context);
  segmentRoutes(app, context);
  customEventSchemaRoutes(app, context);
  customEventRoutes(app, context);
  programRoutes(app, context);
  memberRoutes(app, context);
  earningRuleRoutes(app, context);
  return app;
}
