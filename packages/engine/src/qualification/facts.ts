import type { OrderLine } from "../orders/order.js";
import { totalAmount } from "../orders/part.js";
import type { RuleContext } from "../rules/contract.js";
import { presentLines } from "../rules/items.js";
import { readProperty } from "../rules/properties.js";
import { canonicalText, elementsOf, isMissing } from "../rules/scalars.js";

/** A cart as the index sees it. */
export interface CartFacts {
  /** Of each dimension in turn; −∞ for a number the cart does not have. */
  readonly numbers: readonly number[];
  /** The values the cart has of a family of atoms. */
  values(family: string): Iterable<string>;
}

const MISSING = Number.NEGATIVE_INFINITY;

/**
 * The facts of a request. `collections` are the ids of those that hold some line, as a directory of
 * collections finds them.
 */
export function cartFacts(
  { customer, order, facts, instant }: Pick<RuleContext, "customer" | "order" | "facts" | "instant">,
  collections: Iterable<string>,
): CartFacts {
  const lines = order === null ? [] : presentLines(order);
  const amount = order === null || order.amount === undefined ? MISSING : totalAmount(order);
  const units = order === null ? MISSING : order.lines.reduce((sum, line) => sum + line.quantity, 0);
  return {
    numbers: [instant, order?.initial_amount ?? amount, amount, units],
    values(family) {
      switch (family) {
        case "customer.segment":
          return customer?.segments ?? [];
        case "customer.loyalty_tier":
          return customer?.loyalty_tiers ?? [];
        case "collection":
          return collections;
        case "product.id":
          return idsOf(lines, "product_id");
        case "product.source_id":
          return idsOf(lines, "product_source_id");
        case "sku.id":
          return idsOf(lines, "sku_id");
        case "sku.source_id":
          return idsOf(lines, "sku_source_id");
        default:
          return metadataTexts(
            family,
            { customer: customer?.metadata, order: order?.metadata, redemption: facts.metadata },
            lines,
          );
      }
    },
  };
}

const idsOf = (lines: readonly OrderLine[], field: "product_id" | "product_source_id" | "sku_id" | "sku_source_id") =>
  lines.flatMap((line) => line[field] ?? []);

type Owners = Readonly<Record<"customer" | "order" | "redemption", unknown>>;

const OWNER = /^(customer|order|redemption|product|order\.items)\.metadata\.(.*)$/s;

function metadataTexts(family: string, owners: Owners, lines: readonly OrderLine[]): string[] {
  const [, owner = "", property = ""] = OWNER.exec(family) ?? [];
  if (owner === "product") return lines.flatMap((line) => texts(readProperty(line.product_metadata, property)));
  if (owner === "order.items") return lines.flatMap((line) => texts(lineValue(line, property)));
  return texts(readProperty(owners[owner as keyof Owners], property));
}

function lineValue({ metadata, product_metadata }: OrderLine, property: string): unknown {
  const own = readProperty(metadata, property);
  return own === undefined ? readProperty(product_metadata, property) : own;
}

const texts = (value: unknown) => (isMissing(value) ? [] : elementsOf(value).map(canonicalText));
