import type { Example } from "./described.js";

const ten_percent = { type: "PERCENT", percent_off: 10 };
const ada = { source_id: "ada" };
const boots = { source_id: "boots", related_object: "product", quantity: 1 };
const order = { items: [boots] };
const club = { campaignId: "Club" };

/** Of what projects and whoever works in them set, and of programs that have begun. */
export const examples_of_settings: readonly Example[] = [
  { id: "create-custom-event-schema", body: { name: "review", schema: { properties: {} } } },
  { id: "track-custom-event", body: { event: "review", customer: ada } },
  {
    id: "create-metadata-schema",
    body: {
      related_object: "product",
      properties: { season: { type: "string", optional: true, array: false } },
    },
  },
  { id: "create-webhook", body: { target_url: "https://shop.example.com/guerdon", events: ["redemption.succeeded"] } },
  { id: "create-stacking-rules", body: { redeemables_limit: 20, applicable_redeemables_limit: 3 } },
  {
    id: "validate-stacked-discounts-client-side",
    body: { redeemables: [{ object: "voucher", id: "SPRING-FOR-YOU" }], order },
  },
  { id: "check-eligibility-client-side", body: { customer: ada, order, scenario: "ALL" } },
  { id: "track-custom-event-client-side", body: { event: "review", customer: ada } },
  { id: "create-publication-client-side", body: { campaign: { name: "Spring sale" }, customer: { source_id: "bob" } } },
  {
    id: "redeem-stacked-discounts-client-side",
    body: { redeemables: [{ object: "voucher", id: "SPRING-FOR-YOU" }], order: { amount: 5_000 } },
  },
  { id: "update-view", body: { name: "Gift cards of the year" } },
  { id: "update-draft", body: { name: "Late summer" } },
  { id: "update-key", body: { name: "Checkout and till" } },
  { id: "update-me", body: { first_name: "Ada", last_name: "Winter" } },
  { id: "switch-request-log", body: { request_log_enabled: true } },
  {
    id: "invite-project-member",
    body: { email: "jan@shop.example.com", first_name: "Jan", last_name: "Nowak", role: "VIEWER" },
  },
  { id: "update-project-member", body: { role: "USER" } },
  { id: "create-role", body: { name: "Support", duplicate_of: "VIEWER" } },
  { id: "update-role", body: { permissions: ["customers.read", "vouchers.read", "vouchers.enable.create"] } },
  { id: "rollback-stacked-redemptions", body: { reason: "The order was returned" } },
  { id: "create-validation-rule-assignment", body: { voucher: "WELCOME" } },
  { id: "create-reward-assignment", body: { campaign: "Club", parameters: { loyalty: { points: 100 } } } },
  { id: "update-reward-assignment", body: { parameters: { loyalty: { points: 80 } } } },
  { id: "update-reward-assignment-1", path: club, body: { parameters: { loyalty: { points: 90 } } } },
  { id: "update-earning-rule", path: club, body: { source: { banner: "A point for every coin you spend" } } },
  { id: "add-voucher-with-specific-code-to-campaign", path: { ...club, code: "CLUB-BEN" }, body: {} },
  { id: "add-member", path: club, body: { voucher: "CLUB-BEN", customer: { source_id: "ben" } } },
  {
    id: "transfer-points",
    path: { ...club, memberId: "CLUB-BEN" },
    body: [{ code: "CLUB-ADA", points: 10, reason: "A present", source_id: "present-1" }],
  },
  {
    id: "create-campaign",
    body: {
      name: "Bring a friend",
      campaign_type: "REFERRAL_PROGRAM",
      type: "AUTO_UPDATE",
      voucher: { type: "DISCOUNT_VOUCHER", discount: ten_percent, is_referral_code: true },
    },
  },
  {
    id: "add-voucher-with-specific-code-to-campaign",
    path: { campaignId: "Bring a friend", code: "ASK-ADA" },
    body: {},
  },
  { id: "create-publication", body: { voucher: "ASK-ADA", customer: ada } },
  { id: "referrals-add-holders", path: { memberId: "ASK-ADA" }, body: { holders: [{ source_id: "ben" }] } },
  {
    id: "referrals-add-holders-1",
    path: { campaignId: "Bring a friend", memberId: "ASK-ADA" },
    body: { holders: [{ source_id: "carla" }] },
  },
  { id: "create-campaign-template", body: { name: "Ten percent", campaign_id: "Spring sale" } },
  { id: "update-campaign-template", body: { description: "For the start of a season" } },
  { id: "create-project", body: { name: "Second shop", timezone: "Europe/Warsaw", currency: "EUR" } },
  { id: "update-project", body: { description: "The shop at shop.example.com" } },
  {
    id: "create-brand",
    body: {
      brand: { name: "Winter" },
      address: { street: "Harbour street 1", city: "Hamburg", postal: "20457", country: "DE" },
      contact: { email: "hello@shop.example.com" },
    },
  },
  { id: "update-brand", body: { brand: { name: "Winter and sons" } } },
  {
    id: "create-location",
    body: {
      name: "Harbour",
      shape: { type: "circle", format: "distance", distance: { center: "geo:53.54,9.98", radius: "2 km" } },
    },
  },
  { id: "update-location", body: { name: "Harbour and island" } },
  {
    id: "create-automation",
    body: {
      name: "Welcome",
      trigger: { event: "customer.created" },
      action: { type: "SEND" },
      channel: { type: "webhook", event_name: "welcome", target_url: "https://shop.example.com/welcome" },
    },
  },
  {
    id: "update-automation",
    body: {
      name: "Welcome",
      active: false,
      trigger: { event: "customer.created" },
      action: { type: "SEND" },
      channel: { type: "webhook", event_name: "welcome", target_url: "https://shop.example.com/welcome" },
    },
  },
  {
    id: "update-webhook",
    body: {
      target_url: "https://shop.example.com/guerdon",
      events: ["redemption.succeeded", "redemption.failed"],
    },
  },
  { id: "update-stacking-rules", body: { redeemables_limit: 10 } },
  {
    id: "update-metadata-schema",
    body: { properties: { season: { type: "string", optional: true, array: true } } },
  },
  {
    id: "update-custom-event-schema",
    body: { schema: { properties: { stars: { type: "number", optional: true, array: false } } } },
  },
  {
    id: "set-project-limits",
    body: { api_calls: [{ value: 100_000, duration: "P1D" }], bulk_api_calls: [], webhook_calls: [] },
  },
];
