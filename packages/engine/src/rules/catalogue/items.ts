import { oncePer } from "../../kept-on.js";
import type { OrderLine } from "../../orders/order.js";
import { subtotal } from "../../orders/part.js";
import type { RuleContext } from "../contract.js";
import { presentLines, type Quantifier, unitPrice } from "../items.js";
import { type ItemScope, type LineReader, NO_ORDER } from "../nodes.js";
import { readProperty } from "../properties.js";
import { type NamedLook, type RuleName, rule, value } from "./entry.js";
import { lines_in_unit, unitsOf } from "./order.js";

const amountOf = (lines: readonly OrderLine[]) => lines.reduce((sum, line) => sum + subtotal(line), 0);

const lineMetadata: LineReader = (line, _lines, property) => {
  const own = readProperty(line.metadata, property);
  return own === undefined ? readProperty(line.product_metadata, property) : own;
};

const ofOrderItem = { metadata: "order_item" } as const;

export const LINE_RULES: readonly RuleName[] = (
  [
    ["any", false],
    ["each", true],
  ] as const
).flatMap(([suffix, every]) => [
  rule(`order.items.price_${suffix}`, "order", { kind: "lines", every, read: unitPrice }),
  rule(`order.items.metadata_${suffix}`, "order", { kind: "lines", every, read: lineMetadata }, ofOrderItem),
]);

/** The lines a sub-rule is about; outside any item rule all lines, null without an order. */
export const scopeLines = ({ order }: RuleContext, scope: ItemScope | null): readonly OrderLine[] | null =>
  scope?.lines ?? (order === null ? null : presentLines(order));

const aggregated = (sum: (lines: readonly OrderLine[]) => number): NamedLook =>
  value((context, scope) => {
    const lines = scopeLines(context, scope);
    context.work?.spend((lines?.length ?? 0) / lines_in_unit);
    return lines === null ? NO_ORDER : sum(lines);
  });

const QUANTIFIERS: readonly Quantifier[] = ["any", "every", "none", "cheapest", "most_expensive"];

export const ITEM_RULES: readonly RuleName[] = [
  ...QUANTIFIERS.map((quantifier) =>
    rule(`order.items.${quantifier}`, "order", { kind: "items", quantifier, object: null }),
  ),
  rule("order.items.aggregated_quantity", "order", aggregated(unitsOf)),
  rule("order.items.aggregated_amount", "order", aggregated(amountOf)),
  rule("order.items.quantity", "order", { kind: "matched_lines", read: (line) => line.quantity }),
  rule("order.items.price", "order", { kind: "matched_lines", read: unitPrice }),
  rule("order.items.metadata", "order", { kind: "matched_lines", read: lineMetadata }, ofOrderItem),
];

// Identical lines of an older product rule count together (rules.md §6.5).
const unitsOfSameItem: LineReader = (line, lines) => unitsOfItems(lines).get(nameOf(line));

// Each line asks for all that are like it, and a rule may ask for each line a thousand times.
const unitsOfItems = oncePer((lines: readonly OrderLine[]) => {
  const units = new Map<string, number>();
  for (const one of lines) units.set(nameOf(one), (units.get(nameOf(one)) ?? 0) + one.quantity);
  return units;
});

const nameOf = ({ product_id, product_source_id, sku_id, sku_source_id }: OrderLine) =>
  JSON.stringify([product_id, product_source_id, sku_id, sku_source_id]);

const ofProduct = { metadata: "product" } as const;

export const PRODUCT_RULES: readonly RuleName[] = [
  ...(["product", "sku"] as const).flatMap((object) => [
    rule(`${object}.id`, "order", { kind: "items", quantifier: "any", object }),
    rule(`${object}.price`, "order", { kind: "matched_lines", read: unitPrice }),
    rule(`${object}.quantity`, "order", { kind: "matched_lines", read: unitsOfSameItem }),
    rule(`${object}.discount_applicable`, null, { kind: "mark" }),
  ]),
  rule("product.metadata", "order", { kind: "product_metadata" }, ofProduct),
  rule("product.metadata.match_all", null, { kind: "mark" }, ofProduct),
  rule("product.metadata.discount_applicable", null, { kind: "mark" }, ofProduct),
  rule("product.metadata.aggregated_quantity", "order", aggregated(unitsOf), ofProduct),
  rule("product.metadata.aggregated_amount", "order", aggregated(amountOf), ofProduct),
];
