export { deleteChannel, writeChannel } from "./channel.store.js";
export { type CustomHeaders, headerNames, headersAfter, headersIn, openHeaders } from "./custom-headers.js";
export { isAskedFor, webhook_events } from "./subscriptions.js";
export {
  findSubscribed,
  findWebhooks,
  has_webhooks,
  noteFailing,
  noteWorking,
  switchOff,
  type WebhookPlace,
} from "./webhook.delivery.store.js";
export { channel_prefix, senderOf } from "./webhook.js";
export { webhookRoutes as routes } from "./webhook.routes.js";
export { CustomHeadersInput } from "./webhook.schemas.js";
export { assertTarget } from "./webhook.service.js";
