import type { DiscountInput } from "../../../terms/index.js";
import { type Cells, type CsvShape, Unreadable } from "../../imports/index.js";
import { codeKey } from "../voucher.js";
import { VoucherRowImport } from "./voucher-import.schemas.js";

const columns = [
  ...["code", "voucher type", "value", "discount type", "discount effect", "discount unit type", "formula"],
  ...["validation rule id", "category", "active", "start date", "expiration date", "redemption limit"],
  ...["redeemed quantity", "redeemed amount", "gift amount", "loyalty points", "additional info"],
];

/** What the two kinds of files have in common: each knows the columns of both, and passes over those of the other (§9.2). */
const both = {
  columns,
  required: ["code"],
  metadata: "voucher",
  shape: VoucherRowImport,
  once: { column: "code", keyOf: codeKey },
  changesOf: (cells) => ({
    code: codeOf(cells),
    active: cells.flag("active"),
    category: cells.text("category"),
  }),
} satisfies Partial<CsvShape<VoucherRowImport>>;

export const standaloneCsv: CsvShape<VoucherRowImport> = {
  ...both,
  bodyOf: (cells, metadata) => ({
    ...commonOf(cells, metadata),
    ...givenBy(cells),
    redemption: { quantity: cells.count("redemption limit") },
    additional_info: cells.text("additional info"),
    validation_rule_id: cells.text("validation rule id"),
  }),
};

export const campaignCsv: CsvShape<VoucherRowImport> = {
  ...both,
  bodyOf: (cells, metadata) => ({
    ...commonOf(cells, metadata),
    gift: { amount: cells.money("gift amount") },
    loyalty_card: { points: cells.count("loyalty points") },
  }),
};

function codeOf(cells: Cells): string {
  const code = cells.text("code");
  if (code === undefined) throw new Unreadable("Code is required");
  return code;
}

function commonOf(cells: Cells, metadata: Record<string, unknown> | undefined) {
  return {
    code: codeOf(cells),
    category: cells.text("category"),
    active: cells.flag("active"),
    start_date: cells.text("start date")?.trim(),
    expiration_date: cells.text("expiration date")?.trim(),
    redeemed_quantity: cells.count("redeemed quantity"),
    redeemed_amount: cells.money("redeemed amount"),
    metadata,
  };
}

/** A type, and what it gives. */
function givenBy(cells: Cells): Pick<VoucherRowImport, "type" | "gift" | "discount"> {
  const type = cells.word("voucher type", ["DISCOUNT_VOUCHER", "GIFT_VOUCHER"]);
  if (type === undefined) throw new Unreadable("Voucher Type is required");
  if (type === "GIFT_VOUCHER") return { type, gift: { amount: cells.money("value") } };
  return { type, discount: discountBy(cells) };
}

/** Money is in major units; percentages and units are taken as they are. */
function discountBy(cells: Cells): DiscountInput {
  const type = cells.word("discount type", ["AMOUNT", "PERCENT", "FIXED", "UNIT"]);
  if (type === undefined) throw new Unreadable("Discount Type is required");
  const effect = cells.text("discount effect");
  const formula = cells.text("formula");
  switch (type) {
    case "AMOUNT":
      return { type, effect, amount_off: cells.money("value"), amount_off_formula: formula };
    case "PERCENT":
      return { type, effect, percent_off: cells.number("value"), percent_off_formula: formula };
    case "FIXED":
      return { type, effect, fixed_amount: cells.money("value"), fixed_amount_formula: formula };
    case "UNIT": {
      const unit = { unit_off: cells.count("value"), unit_type: cells.text("discount unit type") };
      return { type, effect, ...unit, unit_off_formula: formula };
    }
  }
}
