import type { FormulaOperands } from "../discounts/formula.contract.js";
import type { OrderLine } from "../orders/order.js";
import { localDay } from "../rules/moments.js";
import { readProperty } from "../rules/properties.js";
import type { Expression } from "./operators.js";
import { Exact, type FormulaValue, momentAt, momentOf, startOfDay, valueOfJson } from "./values.js";

const number = (value: number | null | undefined): FormulaValue =>
  value === null || value === undefined ? null : new Exact(value);

/** Minor units to major units (discounts.md §1.3). */
const money = (value: number | null | undefined): FormulaValue =>
  value === null || value === undefined ? null : new Exact(value).div(100);

const momentOrNull = (instant: number | null | undefined, { time_zone }: FormulaOperands): FormulaValue =>
  instant === null || instant === undefined ? null : momentAt(instant, time_zone);

/** What the words of discounts.md §10 without brackets stand for, those about a line apart. */
const VALUES: Readonly<Record<string, Expression>> = {
  // Before discounts, and so before free units as well, which raise the running amount.
  ORDER_AMOUNT: ({ order }) => money(order?.initial_amount),
  ORDER_ITEMS_QUANTITY: ({ order }) => number(order?.lines.length),
  ORDER_UNITS_QUANTITY: ({ order }) => number(order?.lines.reduce((units, line) => units + line.quantity, 0)),
  ORDER_BUNDLE_QUANTITY: ({ bundle_quantity }) => number(bundle_quantity),
  VOUCHER_REDEMPTION_QUANTITY: ({ voucher }) => number(voucher?.redemption_quantity),
  VOUCHER_REDEEMED_QUANTITY: ({ voucher }) => number(voucher?.redeemed_quantity),
  VOUCHER_PUBLISH_COUNT: ({ voucher }) => number(voucher?.publish_count),
  VOUCHER_START_DATE: (operands) => momentOrNull(operands.voucher?.start_date, operands),
  VOUCHER_EXPIRATION_DATE: (operands) => momentOrNull(operands.voucher?.expiration_date, operands),
  PROMOTION_TIER_START_DATE: (operands) => momentOrNull(operands.promotion_tier?.start_date, operands),
  PROMOTION_TIER_EXPIRATION_DATE: (operands) => momentOrNull(operands.promotion_tier?.expiration_date, operands),
  CUSTOMER_BIRTHDATE: ({ customer, time_zone }) => momentOf(customer?.birthdate ?? null, time_zone),
  NOW: ({ instant, time_zone }) => momentAt(instant, time_zone),
  TODAY: ({ instant, time_zone }) => startOfDay(localDay(instant, time_zone), time_zone),
};

/** What formulas of earning rules may look at besides (loyalty.md §4): the metadata of the event that earns. */
export interface EarningOperands extends FormulaOperands {
  readonly event_metadata?: Readonly<Record<string, unknown>> | null;
}

const METADATA: Readonly<Record<string, (operands: EarningOperands) => unknown>> = {
  CUSTOM_EVENT_METADATA: ({ event_metadata }) => event_metadata,
  ORDER_METADATA: ({ order }) => order?.metadata,
  CUSTOMER_METADATA: ({ customer }) => customer?.metadata,
  REDEEMABLE_METADATA: ({ redeemable_metadata }) => redeemable_metadata,
  REDEMPTION_METADATA: ({ redemption_metadata }) => redemption_metadata,
  PUBLICATION_METADATA: ({ publication_metadata }) => publication_metadata,
};

type LineValue = (line: OrderLine) => FormulaValue;

const LINE_VALUES: Readonly<Record<string, LineValue>> = {
  ORDER_ITEM_PRICE: (line) => major(unitPrice(line)),
  ORDER_ITEM_AMOUNT: (line) => money(line.amount),
  ORDER_ITEM_SUBTOTAL: (line) => money(subtotal(line)),
  ORDER_ITEM_UNITS_QUANTITY: (line) => number(line.quantity),
};

const LINE_METADATA: Readonly<Record<string, (line: OrderLine) => unknown>> = {
  ORDER_ITEM_METADATA: (line) => line.metadata,
  ORDER_ITEM_PRODUCT_METADATA: (line) => line.product_metadata,
};

const subtotal = (line: OrderLine) => (line.amount === undefined ? undefined : line.amount - line.discount_amount);

function unitPrice({ price, amount, quantity }: OrderLine) {
  if (price !== undefined) return new Exact(price);
  return amount === undefined || quantity === 0 ? null : new Exact(amount).div(quantity);
}

const major = (price: ReturnType<typeof unitPrice>) => price?.div(100) ?? null;

/** Which line a name speaks of. */
type LineChoice = (operands: FormulaOperands) => OrderLine | null;

const CHOICES: Readonly<Record<string, LineChoice>> = {
  "": ({ line }) => line,
  CHEAPEST_: (operands) => extremeLine(operands, 1),
  MOST_EXPENSIVE_: (operands) => extremeLine(operands, -1),
};

// Equal prices: the lower subtotal, then the earlier line, at both ends (discounts.md §10). Plain numbers where
// there are prices: a formula may ask for every one of 500 lines, and decimals took it 1.8 s.
function extremeLine({ order }: FormulaOperands, direction: 1 | -1): OrderLine | null {
  let found: OrderLine | null = null;
  for (const line of order?.lines ?? []) {
    if (line.price === undefined && (line.amount === undefined || line.quantity === 0)) continue;
    const difference = found === null ? -1 : comparePrices(line, found) * direction;
    const is_lower = found !== null && (subtotal(line) ?? 0) < (subtotal(found) ?? 0);
    if (difference < 0 || (difference === 0 && is_lower)) found = line;
  }
  return found;
}

function comparePrices(a: OrderLine, b: OrderLine): number {
  if (a.price !== undefined && b.price !== undefined) return a.price - b.price;
  return unitPrice(a)?.comparedTo(unitPrice(b) ?? 0) ?? 0;
}

/** A name of the language that stands for something outside the formula. */
export interface Operand {
  /** Work to find it, counted in numbers added. */
  readonly cost: number;
  readonly reads_line: boolean;
  readonly reads_publication: boolean;
}

const LINE_NAME = /^(CHEAPEST_|MOST_EXPENSIVE_|)(ORDER_ITEM_\w+)$/;

const plain: Operand = { cost: 1, reads_line: false, reads_publication: false };

const chosen = (prefix: string): Operand => ({ ...plain, cost: prefix === "" ? 1 : 60, reads_line: prefix === "" });

/** A name without brackets; undefined when there is none. */
export function valueOperand(name: string): (Operand & { read: Expression }) | undefined {
  if (Object.hasOwn(VALUES, name)) return { ...plain, read: VALUES[name] as Expression };
  const [, prefix = "", base = ""] = LINE_NAME.exec(name) ?? [];
  if (!Object.hasOwn(LINE_VALUES, base)) return undefined;
  const choose = CHOICES[prefix] as LineChoice;
  const read = LINE_VALUES[base] as LineValue;
  return {
    ...chosen(prefix),
    read: (operands) => {
      const line = choose(operands);
      return line && read(line);
    },
  };
}

/** A name that takes the key of a metadata property; undefined when there is none. */
export function metadataOperand(name: string): (Operand & { read(key: Expression): Expression }) | undefined {
  const reading =
    (owner: (operands: FormulaOperands) => unknown) => (key: Expression) => (operands: FormulaOperands) => {
      const property = key(operands);
      return typeof property === "string" ? valueOfJson(readProperty(owner(operands), property)) : null;
    };
  if (Object.hasOwn(METADATA, name)) {
    const read = reading(METADATA[name] as (operands: FormulaOperands) => unknown);
    return { ...plain, reads_publication: name === "PUBLICATION_METADATA", read };
  }
  const [, prefix = "", base = ""] = LINE_NAME.exec(name) ?? [];
  if (!Object.hasOwn(LINE_METADATA, base)) return undefined;
  const choose = CHOICES[prefix] as LineChoice;
  const metadata = LINE_METADATA[base] as (line: OrderLine) => unknown;
  return {
    ...chosen(prefix),
    read: reading((operands) => {
      const line = choose(operands);
      return line && metadata(line);
    }),
  };
}
