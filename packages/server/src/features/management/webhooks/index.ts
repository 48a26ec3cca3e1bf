export { webhook_events } from "./subscriptions.js";
export {
  findSubscribed,
  findWebhooks,
  has_webhooks,
  noteFailing,
  noteWorking,
  switchOff,
  type WebhookPlace,
} from "./webhook.delivery.store.js";
export { webhookRoutes as routes } from "./webhook.routes.js";
