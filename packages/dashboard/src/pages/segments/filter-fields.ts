import type { Operands, Operator } from "../../parts/conditions/operands.js";
import type { t } from "../../text/index.js";

export type FieldName = keyof typeof t.filter.fields;
type Kind = "text" | "number" | "money" | "date" | "birthday" | "any";

interface Field {
  name: FieldName;
  kind: Kind;
  /** It stands for many, each of a name of its own. */
  named?: keyof typeof t.filter.names;
}

const of = (kind: Kind, ...names: FieldName[]): Field[] => names.map((name) => ({ name, kind }));

/** What the form asks about; whatever else a filter may name is edited as JSON. */
export const field_groups: readonly (readonly [keyof typeof t.filter.groups, readonly Field[]])[] = [
  [
    "profile",
    [
      ...of("text", "name", "email", "phone", "source_id", "description"),
      ...of("birthday", "birthdate"),
      ...of("date", "created_at", "updated_at"),
    ],
  ],
  ["address", of("text", "address.city", "address.country", "address.state", "address.postal_code")],
  [
    "orders",
    [
      ...of("money", "summary.orders.total_amount"),
      ...of("number", "summary.orders.total_count"),
      ...of("money", "summary.orders.average_amount", "summary.orders.last_order_amount"),
      ...of("date", "summary.orders.last_order_date"),
    ],
  ],
  [
    "redemptions",
    [
      ...of("number", "summary.redemptions.total_succeeded", "summary.redemptions.total_failed"),
      ...of("money", "summary.redemptions.gift.amount_to_go"),
    ],
  ],
  ["loyalty", [...of("number", "loyalty.points", "loyalty.referred_customers"), ...of("text", "loyalty_tier.name")]],
  [
    "own",
    [
      { name: "metadata.*", kind: "any", named: "metadata" },
      { name: "events.*.count", kind: "number", named: "event" },
      { name: "events.*.last_at", kind: "date", named: "event" },
    ],
  ],
];

const fields: readonly Field[] = field_groups.flatMap(([, list]) => list);

const known: readonly Operator[] = ["$has_value", "$is_unknown"];
const texts: readonly Operator[] = ["$is", "$is_not", "$contains", "$not_contain", "$starts_with", "$ends_with"];
const numbers: readonly Operator[] = ["$more_than", "$less_than", "$more_than_equal", "$less_than_equal"];
const operators: Record<Kind, readonly Operator[]> = {
  text: [...texts, ...known],
  number: ["$is", ...numbers, ...known],
  money: ["$is", ...numbers, ...known],
  date: ["$less_than_ago", "$more_than_ago", "$after", "$before", ...known],
  birthday: ["$today_md", "$this_week_md", "$this_month_md", "$next_month_md", ...known],
  any: [...texts, "$more_than", "$less_than", ...known],
};

/** What can be said of a kind of field, the usual first. */
export const operatorsOf = (kind: Kind): readonly Operator[] => operators[kind];

/** What an operator is given. */
export function operandsOf(kind: Kind, operator: Operator): Exclude<Operands, "choice"> {
  if (known.includes(operator) || operator.endsWith("_md")) return "none";
  if (operator.endsWith("_ago")) return "days";
  if (operator === "$after" || operator === "$before") return "day";
  if (kind === "money") return "money";
  return kind === "number" || numbers.includes(operator) ? "number" : "values";
}

/** A field by its name in the form. */
export const fieldNamed = (name: string): Field | undefined => fields.find((field) => field.name === name);

/** A field by its path in a filter, and what stands in the place of the star; names may hold dots. */
export function fieldAt(path: string): { field: FieldName; inner: string } | null {
  for (const { name, named } of fields) {
    if (!named && name === path) return { field: name, inner: "" };
    if (!named) continue;
    const [before = "", after = ""] = name.split("*");
    const inner = path.slice(before.length, path.length - after.length);
    if (inner !== "" && path === `${before}${inner}${after}`) return { field: name, inner };
  }
  return null;
}

export const kindOf = (name: string): Kind => fieldNamed(name)?.kind ?? "any";

/** The path by which a filter names it. */
export const pathOf = ({ field, name }: { field: string; name: string }): string =>
  field.replace("*", () => name.trim());
