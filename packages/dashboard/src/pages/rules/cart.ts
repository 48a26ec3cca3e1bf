import type { Schemas } from "../../api/client.js";
import { minorOf } from "../../api/money.js";
import type { Project } from "../../api/project.js";
import { conditionsIn, type Leaf, leavesOfRules, type Rules } from "../../parts/rules/logic.js";
import { t } from "../../text/index.js";

export type Cart = Schemas["PreviewInput"]["carts"][number];

/** One line of the order that is tried. */
export interface Line {
  key: number;
  /** An id or a source id. */
  what: string;
  quantity: string;
  price: string;
}

/** What a rule is tried with, as it is typed. */
export interface CartForm {
  amount: string;
  lines: readonly Line[];
  customer: string;
  /** By what the rule asks for: `customer.metadata plan`. */
  metadata: Readonly<Record<string, string>>;
  /** Taken off the order, in percent. */
  percent: string;
}

export const empty_cart: CartForm = { amount: "", lines: [], customer: "", metadata: {}, percent: "10" };

export interface CartFaults {
  amount?: string;
  percent?: string;
  lines: readonly { what?: string; quantity?: string; price?: string }[];
}

type Reads = Pick<Project, "digits" | "currency">;
const words = t.rules.tester;
const whole = /^\s*\d{1,7}\s*$/;
const percentOf = (typed: string) => Number(typed.trim().replace(",", "."));
const isPercent = (typed: string) => percentOf(typed) > 0 && percentOf(typed) <= 100;

/** What is wrong with it, by field; null: nothing. */
export function faultsOf({ amount, percent, lines }: CartForm, { digits, currency }: Reads): CartFaults | null {
  const money = (typed: string) =>
    typed.trim() === "" || minorOf(typed, digits) !== null ? {} : { wrong: t.conditions.missing.money(currency) };
  const faults = {
    ...(money(amount).wrong && { amount: money(amount).wrong }),
    ...(percent.trim() !== "" && !isPercent(percent) && { percent: words.percent_bad }),
    lines: lines.map(({ what, quantity, price }) => ({
      ...(what.trim() === "" && { what: t.conditions.missing.name }),
      ...(!whole.test(quantity) && { quantity: words.quantity_bad }),
      ...(money(price).wrong && { price: money(price).wrong }),
    })),
  };
  const is_wrong = faults.amount || faults.percent || faults.lines.some((line) => Object.keys(line).length > 0);
  return is_wrong ? (faults as CartFaults) : null;
}

/** A discount for what a rule asks of it; null: none. */
export const discountOf = ({ percent }: CartForm): Schemas["DiscountInput"] | null =>
  isPercent(percent) ? { type: "PERCENT", percent_off: percentOf(percent) } : null;

/** The cart as the service reads it. Nothing at all is said of an order or a customer that nobody has typed. */
export function cartOf(form: CartForm, rules: Rules, { digits }: Reads): Cart {
  const { amount, lines, customer, metadata } = form;
  const skus = skusIn(rules);
  const order = {
    ...(amount.trim() !== "" && { amount: minorOf(amount, digits) ?? 0 }),
    ...(lines.length > 0 && { items: lines.map((line) => itemOf(line, skus, digits)) }),
    ...metadataOf("order.metadata", metadata),
  };
  const name = customer.trim();
  const who = {
    ...(name !== "" && { [name.startsWith("cust_") ? "id" : "source_id"]: name }),
    ...metadataOf("customer.metadata", metadata),
  };
  return {
    ...(Object.keys(order).length > 0 && { order }),
    ...(Object.keys(who).length > 0 && { customer: who }),
    ...metadataOf("redemption.metadata", metadata),
  } as Cart;
}

function itemOf({ what, quantity, price }: Line, skus: ReadonlySet<string>, digits: number) {
  const name = what.trim();
  const named = name.startsWith("prod_")
    ? { product_id: name }
    : name.startsWith("sku_")
      ? { sku_id: name }
      : { source_id: name, related_object: skus.has(name) ? "sku" : "product" };
  return { ...named, quantity: Number(quantity), ...(price.trim() !== "" && { price: minorOf(price, digits) ?? 0 }) };
}

/** Source ids that the rule takes for those of SKUs. */
const skusIn = (rules: Rules): ReadonlySet<string> =>
  new Set(
    allLeaves(rules)
      .flatMap((leaf) => conditionsIn(leaf).flatMap(([, operands]) => operands))
      .flatMap((operand) => {
        const { source_id, object } = (operand ?? {}) as { source_id?: string; object?: string };
        return object === "sku" && source_id ? [source_id] : [];
      }),
  );

/** Every condition that the formula names, and those within it. */
export function allLeaves(rules: Rules): Leaf[] {
  return leavesOfRules(rules).flatMap((leaf) => [leaf, ...(leaf.rules ? allLeaves(leaf.rules) : [])]);
}

const owners = ["customer.metadata", "order.metadata", "redemption.metadata"];
export const metadataName = ({ name, property }: Leaf): string => `${name} ${property}`;

/** What a rule asks of metadata, once each. */
export function metadataIn(rules: Rules): Leaf[] {
  const asked = allLeaves(rules).filter(({ name, property }) => owners.includes(name) && property);
  return [...new Map(asked.map((leaf) => [metadataName(leaf), leaf])).values()];
}

function metadataOf(owner: string, typed: CartForm["metadata"]) {
  const metadata: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(typed)) {
    if (!name.startsWith(`${owner} `) || value.trim() === "") continue;
    put(metadata, name.slice(owner.length + 1).split("."), scalarOf(value.trim()));
  }
  return Object.keys(metadata).length > 0 ? { metadata } : {};
}

/** A dot leads into what stands within. */
function put(into: Record<string, unknown>, [first = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    into[first] = value;
    return;
  }
  const inner = (into[first] ?? {}) as Record<string, unknown>;
  into[first] = inner;
  put(inner, rest, value);
}

const scalarOf = (typed: string): unknown =>
  typed === "true" || typed === "false" || /^-?\d{1,15}(\.\d+)?$/.test(typed)
    ? (JSON.parse(trimmed(typed)) as unknown)
    : typed;
/** JSON knows no number that begins with a nought. */
const trimmed = (typed: string) => (/^-?\d/.test(typed) ? String(Number(typed)) : typed);
