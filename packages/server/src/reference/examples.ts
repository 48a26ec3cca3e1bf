import type { Example } from "./described.js";
import { examples_of_settings } from "./examples-of-settings.js";
import { examples_with_ids } from "./examples-with-ids.js";

const ten_percent = { type: "PERCENT", percent_off: 10 };
const ada = { source_id: "ada" };
const boots = { source_id: "boots", related_object: "product", quantity: 1 };
const order = { items: [boots] };
const welcome = [{ object: "voucher", id: "WELCOME" }];
const spring = { campaignId: "Spring sale" };
const club = { campaignId: "Club" };

/** Of what a shop does. */
const examples_of_shops: readonly Example[] = [
  {
    id: "create-customer",
    body: { ...ada, name: "Ada Winter", email: "ada@example.com", metadata: { newsletter: true } },
  },
  { id: "update-customer", path: { customerId: "ada" }, body: { name: "Ada Summer", address: { country: "PL" } } },
  { id: "update-customers-in-bulk", body: [{ ...ada, phone: "+48 555 0101" }] },
  { id: "update-customers-metadata-in-bulk", body: { source_ids: ["ada"], metadata: { newsletter: false } } },

  { id: "create-product", body: { source_id: "boots", name: "Boots", price: 12_900, attributes: ["size"] } },
  { id: "update-product", path: { productId: "boots" }, body: { price: 11_900 } },
  { id: "update-products-in-bulk", body: [{ source_id: "boots", name: "Winter boots" }] },
  { id: "update-products-metadata-in-bulk", body: { source_ids: ["boots"], metadata: { season: "winter" } } },
  {
    id: "create-sku",
    path: { productId: "boots" },
    body: { source_id: "boots-42", sku: "Boots, 42", price: 12_900, attributes: { size: "42" } },
  },
  { id: "update-sku", path: { productId: "boots", skuId: "boots-42" }, body: { price: 12_500 } },
  {
    id: "create-product-collection",
    body: {
      type: "AUTO_UPDATE",
      name: "Footwear",
      filter: { junction: "and", name: { conditions: { $contains: ["oots"] } } },
    },
  },

  { id: "create-order", body: { source_id: "order-1", customer: ada, items: [{ ...boots, price: 12_900 }] } },
  { id: "update-order", path: { orderId: "order-1" }, body: { status: "PAID" } },
  { id: "import-orders", body: [{ source_id: "order-of-2024", status: "PAID", amount: 4_900 }] },
  { id: "create-order-export", body: { parameters: { fields: ["id", "source_id", "amount"] } } },

  {
    id: "create-category",
    body: { name: "Seasonal", hierarchy: 1 },
  },
  {
    id: "create-validation-rules",
    body: {
      name: "From 50 on",
      rules: { "1": { name: "order.amount", conditions: { $more_than_or_equal: [5_000] } }, logic: "1" },
      error: { message: "For orders from 50 on" },
    },
  },
  {
    id: "create-segment",
    body: {
      name: "In Poland",
      type: "passive",
      filter: { junction: "and", "address.country": { conditions: { $is: ["PL"] } } },
    },
  },

  {
    id: "create-voucher",
    path: { code: "WELCOME" },
    body: { type: "DISCOUNT_VOUCHER", discount: ten_percent, redemption: { quantity: 5 }, metadata: { shop: "web" } },
  },
  {
    id: "create-voucher",
    path: { code: "GIFT-25" },
    body: { type: "GIFT_VOUCHER", gift: { amount: 2_500 } },
  },
  {
    id: "generate-random-code",
    body: {
      type: "DISCOUNT_VOUCHER",
      discount: { type: "AMOUNT", amount_off: 500 },
      redemption: { quantity: 1 },
      code_config: { pattern: "AUTUMN-#####" },
    },
  },
  { id: "update-voucher", path: { code: "WELCOME" }, body: { expiration_date: "2090-12-31T23:59:59.000Z" } },
  { id: "update-voucher-balance", path: { code: "GIFT-25" }, body: { amount: 500 } },
  { id: "update-vouchers-in-bulk", body: [{ code: "WELCOME", metadata: { shop: "all" } }] },
  { id: "update-vouchers-metadata-in-bulk", body: { codes: ["WELCOME"], metadata: { shop: "web" } } },
  { id: "import-vouchers", body: [{ code: "FROM-A-LIST", type: "DISCOUNT_VOUCHER", discount: ten_percent }] },
  { id: "export-voucher-transactions", path: { code: "GIFT-25" }, body: {} },

  {
    id: "create-campaign",
    body: {
      name: "Spring sale",
      campaign_type: "DISCOUNT_COUPONS",
      type: "AUTO_UPDATE",
      voucher: {
        type: "DISCOUNT_VOUCHER",
        discount: ten_percent,
        redemption: { quantity: 1 },
        code_config: { pattern: "SPRING-#####" },
      },
    },
  },
  { id: "update-campaign", path: spring, body: { description: "Ten percent for everybody" } },
  { id: "add-vouchers-to-campaign", path: spring, body: { metadata: { printed: true } } },
  {
    id: "add-voucher-with-specific-code-to-campaign",
    path: { ...spring, code: "SPRING-FOR-YOU" },
    body: { metadata: { printed: false } },
  },
  { id: "import-vouchers-to-campaign", path: spring, body: [{ code: "SPRING-LIST" }] },
  { id: "create-publication", body: { campaign: { name: "Spring sale" }, customer: ada } },
  {
    id: "create-campaign",
    body: {
      name: "Always on",
      campaign_type: "PROMOTION",
      type: "STANDALONE",
      promotion: { tiers: [{ name: "5 off", action: { discount: { type: "AMOUNT", amount_off: 500 } } }] },
    },
  },
  {
    id: "add-promotion-tier-to-campaign",
    path: { campaignId: "Always on" },
    body: { name: "10 % off", action: { discount: ten_percent } },
  },

  { id: "validate-stacked-discounts", body: { redeemables: welcome, customer: ada, order } },
  { id: "validate-voucher", path: { code: "WELCOME" }, body: { customer: ada, order } },
  { id: "validate-promotions", body: { customer: ada, order } },
  { id: "check-eligibility", body: { customer: ada, order, scenario: "ALL" } },
  { id: "examine-vouchers-qualification", body: { customer: ada, order } },
  { id: "examine-campaign-qualification", body: { customer: ada, order } },
  {
    id: "redeem-stacked-discounts",
    body: { redeemables: welcome, customer: ada, order: { ...order, source_id: "order-2" } },
  },
  { id: "redeem-voucher", path: { code: "GIFT-25" }, body: { gift: { credits: 1_000 }, customer: ada, order } },

  {
    id: "create-loyalty-program",
    body: {
      name: "Club",
      type: "AUTO_UPDATE",
      voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 100 }, code_config: { pattern: "CLUB-#####" } },
    },
  },
  { id: "update-loyalty-program", path: club, body: { description: "A point for every coin" } },
  { id: "add-voucher-with-specific-code-to-campaign", path: { ...club, code: "CLUB-ADA" }, body: {} },
  { id: "add-member", path: club, body: { voucher: "CLUB-ADA", customer: ada } },
  { id: "update-loyalty-card-balance", path: { memberId: "CLUB-ADA" }, body: { points: 50 } },
  { id: "update-loyalty-card-balance-1", path: { ...club, memberId: "CLUB-ADA" }, body: { points: -20 } },
  {
    id: "create-earning-rule",
    path: club,
    body: [
      {
        event: "order.paid",
        loyalty: {
          type: "PROPORTIONAL",
          calculation_type: "ORDER_AMOUNT",
          order: { amount: { every: 100, points: 1 } },
        },
        source: { banner: "A point for every coin" },
      },
    ],
  },
  { id: "export-loyalty-card-transactions", path: { memberId: "CLUB-ADA" }, body: {} },
  { id: "create-points-expiration-export", path: club, body: { parameters: { fields: ["id", "points"] } } },
  {
    id: "create-reward",
    body: { name: "Credits", type: "COIN", parameters: { coin: { exchange_ratio: 1, points_ratio: 2 } } },
  },

  {
    id: "create-export",
    body: { exported_object: "voucher", parameters: { fields: ["code", "voucher_type", "active"] } },
  },
  {
    id: "preview-unsaved",
    body: { discount: ten_percent, carts: [{ order: { amount: 5_000 } }, { customer: ada, order }] },
  },
  {
    id: "count-segment",
    body: { filter: { junction: "and", "address.country": { conditions: { $is: ["PL"] } } } },
  },
  { id: "find-segment-customers", body: { names: ["crm-41877"] } },
  { id: "create-view", body: { page: "vouchers", name: "Gift cards", content: { type: "GIFT_VOUCHER" } } },
  { id: "create-draft", body: { page: "campaigns/new", name: "Summer", content: { percent_off: 15 } } },
  { id: "create-key", body: { name: "Checkout", kind: "server" } },

  { id: "update-segment", body: { name: "In Poland or near it" } },
  { id: "update-category", body: { name: "Summer", hierarchy: 2 } },
  { id: "update-validation-rule", body: { error: { message: "Only from 50 on" } } },
  { id: "put-product-collection", body: { name: "Shoes" } },
  { id: "update-promotion-tier", body: { banner: "10 % off today" } },
  { id: "validate-promotion-tier", body: { customer: ada, order } },
  { id: "redeem-promotion", body: { customer: ada, order } },
  { id: "rollback-redemption", body: { reason: "The boots were too small" } },
  { id: "update-reward", body: { name: "Credits for points" } },
  { id: "export-campaign-transactions", path: club, body: {} },
  { id: "export-loyalty-campaign-transactions", path: club, body: {} },
  { id: "export-loyalty-card-transactions-1", path: { ...club, memberId: "CLUB-ADA" }, body: {} },
  { id: "create-in-bulk-loyalty-tiers", path: club, body: [{ name: "Silver", points: { from: 0, to: 1_000 } }] },
  { id: "estimate-points", path: club, body: { customer: ada, order } },
];

/** In this order: each may name what one before it has made. The first of an operation is shown at `/docs`. */
export const examples: readonly Example[] = [...examples_of_shops, ...examples_of_settings, ...examples_with_ids];
