import type { FormulaOperands } from "../discounts/formula.contract.js";
import type { OrderLine, RunningOrder } from "../orders/order.js";

export const noon = Date.parse("2025-06-10T10:00:00Z");

export const aLine = (fields: Partial<OrderLine> = {}): OrderLine => ({
  index: 0,
  input: {},
  product_id: null,
  product_source_id: null,
  sku_id: null,
  sku_source_id: null,
  product_metadata: {},
  metadata: {},
  quantity: 1,
  price: undefined,
  amount: undefined,
  initial_quantity: fields.quantity ?? 1,
  initial_amount: fields.amount,
  discount_amount: 0,
  discount_quantity: 0,
  ...fields,
});

export const anOrder = (amount: number | undefined, lines: OrderLine[] = [], metadata = {}): RunningOrder => ({
  lines,
  amount,
  initial_amount: amount,
  discount_amount: 0,
  metadata,
});

export const operandsOf = (fields: Partial<FormulaOperands> = {}): FormulaOperands => ({
  instant: noon,
  time_zone: "Europe/Warsaw",
  customer: null,
  order: null,
  line: null,
  redeemable_metadata: {},
  redemption_metadata: {},
  publication_metadata: {},
  voucher: null,
  promotion_tier: null,
  bundle_quantity: null,
  ...fields,
});

export const aCustomer = (metadata: Record<string, unknown>, birthdate: string | null = null) => ({
  id: "cust_1",
  source_id: null,
  metadata,
  birthdate,
  segments: new Set<string>(),
  loyalty_tiers: new Set<string>(),
});
