import { t } from "../../text/index.js";
import type { Operands, Operator } from "../conditions/operands.js";

export type RuleFieldName = keyof typeof t.rules.fields;
export type Kind = "money" | "count" | "limit" | "budget" | "items" | "segment" | "key" | "any" | "holder";
/** What a field stands for many of. */
export type Named = "metadata" | "period" | "object";

interface Field {
  name: RuleFieldName;
  kind: Kind;
  named?: Named;
}

const of = (kind: Kind, named: Named | undefined, ...names: RuleFieldName[]): Field[] =>
  names.map((name) => ({ name, kind, ...(named && { named }) }));

/** What the form asks about; whatever else a rule may name is edited as JSON. */
export const rule_field_groups: readonly (readonly [keyof typeof t.rules.groups, readonly Field[]])[] = [
  [
    "order",
    [
      ...of("money", undefined, "order.amount", "order.total_amount", "order.initial_amount"),
      ...of("count", undefined, "order.items.count"),
      ...of("money", undefined, "order.items.price_any", "order.items.price_each"),
      ...of("any", "metadata", "order.metadata"),
    ],
  ],
  ["items", of("items", "object", "order.items.any", "order.items.every", "order.items.none")],
  [
    "customer",
    [
      ...of("segment", undefined, "customer.segment"),
      ...of("any", "metadata", "customer.metadata"),
      ...of("holder", undefined, "publication.redeemable_by_linked_customer"),
    ],
  ],
  [
    "limits",
    of(
      "limit",
      "period",
      "redemption.count.per_customer",
      "redemption.count",
      "campaign.redemptions.customers_count",
      "campaign.redemptions.count",
    ),
  ],
  [
    "budget",
    of("budget", undefined, "campaign.orders.amount_discounted", "campaign.orders.amount", "redemption.gift.amount"),
  ],
  ["request", [...of("key", undefined, "redemption.api_key"), ...of("any", "metadata", "redemption.metadata")]],
];

const fields: readonly Field[] = rule_field_groups.flatMap(([, list]) => list);

const ranges: readonly Operator[] = ["$more_than_or_equal", "$more_than", "$less_than_or_equal", "$less_than"];
const numbers: readonly Operator[] = [...ranges, "$is", "$is_not"];
const upper: readonly Operator[] = ["$less_than_or_equal", "$less_than"];
const operators: Record<Kind, readonly Operator[]> = {
  money: numbers,
  count: numbers,
  limit: [...upper, "$is", "$more_than_or_equal", "$more_than"],
  budget: upper,
  items: ["$is"],
  segment: ["$is", "$is_not"],
  key: ["$is", "$is_not"],
  any: ["$is", "$is_not", "$contains", "$starts_with", "$ends_with", ...ranges],
  holder: ["$is"],
};

/** What can be said of a kind of field, the usual first. */
export const operatorsOf = (kind: Kind): readonly Operator[] => operators[kind];

export const object_names = ["product", "sku", "products_collection"] as const;
export const period_names = ["total", "daily", "weekly", "monthly"] as const;

/** What an operator of a field is given. */
export function operandsOf(kind: Kind, operator: Operator, name = ""): Operands {
  switch (kind) {
    case "money":
    case "budget":
      return "money";
    case "count":
    case "limit":
      return "number";
    case "holder":
      return "none";
    case "segment":
    case "key":
      return "choice";
    case "items":
      return name === "products_collection" ? "choice" : "values";
    default:
      return ranges.includes(operator) ? "number" : "values";
  }
}

export const fieldNamed = (name: string): Field | undefined => fields.find((field) => field.name === name);

export const kindOf = (name: string): Kind => fieldNamed(name)?.kind ?? "any";

/** The name by which a rule asks about a field: a counter's period is part of it. */
export const pathOf = (field: string, name: string): string =>
  fieldNamed(field)?.named === "period" && name !== "total" ? `${field}.${name}` : field;

/** The field of a rule's name, and its period where it has one. */
export function fieldAt(written: string): { field: Field; period: string } | null {
  const path = written.replace(/\.$/, "");
  const [, before = path, period = "total"] = /^(.+)\.(daily|weekly|monthly)$/.exec(path) ?? [];
  const field = fieldNamed(before);
  return field && (period === "total" || field.named === "period") ? { field, period } : null;
}

/** What a rule's name is called in a list or beside a number; of metadata with the key that is asked for. */
export function nameWords({ name, property }: { name: string; property?: string | null | undefined }): string {
  const found = fieldAt(name);
  const subject = found ? t.rules.fields[found.field.name] : name.replaceAll(/[._]/g, " ");
  const period = found && found.period !== "total" ? ` ${periodWords(found.period)}` : "";
  return property ? `${subject} “${property}”` : `${subject}${period}`;
}

export const periodWords = (period: string): string => t.rules.periods[period as keyof typeof t.rules.periods];

/** Whether numbers of it are amounts of money. */
export const isMoney = (name: string): boolean => /amount|price|subtotal/.test(name);
