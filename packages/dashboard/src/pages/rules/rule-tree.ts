import type { Project } from "../../api/project.js";
import { typedOf } from "../../api/values.js";
import {
  type ConditionRow,
  missingOf,
  type Operator,
  operandsIn,
  type RowFaults,
  typedOperands,
} from "../../parts/conditions/operands.js";
import {
  conditionsIn,
  type Leaf,
  type Logic,
  leavesIn,
  leavesOfRules,
  logicOf,
  type Rules,
  writeLogic,
} from "../../parts/rules/logic.js";
import {
  fieldAt,
  fieldNamed,
  kindOf,
  object_names,
  operandsOf,
  operatorsOf,
  pathOf,
} from "../../parts/rules/rule-fields.js";
import { t } from "../../text/index.js";

/** One condition of a rule as it is typed. */
export interface RuleRow extends ConditionRow {
  /** Of the items that were found: how many at least, and worth how much; empty: not asked. */
  units: string;
  worth: string;
  /** What shops see when this one does not hold. */
  message: string;
  /** Things as they were written, by how they are typed: some say more than their id. */
  written?: Readonly<Record<string, unknown>>;
}

export interface RuleGroup {
  key: number;
  junction: "and" | "or";
  members: readonly RuleMember[];
}

export type RuleMember = RuleRow | RuleGroup;
export const isGroup = (member: RuleMember): member is RuleGroup => "members" in member;

export interface RuleRowFaults extends RowFaults {
  units?: string;
  worth?: string;
  message?: string;
}

type Writes = Pick<Project, "currency" | "digits" | "fields">;

/** Conditions of a group and of all in it, in their order: the first is number 1 of the formula. */
export const rowsOf = ({ members }: RuleGroup): RuleRow[] =>
  members.flatMap((member) => (isGroup(member) ? rowsOf(member) : [member]));

const takes = ({ field, operator, name }: RuleRow) => operandsOf(kindOf(field), operator, name);
const amounts = ["units", "worth"] as const;
const asks_of = {
  units: { name: "order.items.aggregated_quantity", as: "number" },
  worth: { name: "order.items.aggregated_amount", as: "money" },
} as const;

/** Whether a condition may ask how many of the items there are: of none there are none. */
export const asksOfItems = ({ field }: ConditionRow): boolean =>
  kindOf(field) === "items" && field !== "order.items.none";

/** What is wrong with each row; none: the rule can be sent. */
export const faultsIn = (group: RuleGroup, project: Writes): RuleRowFaults[] =>
  rowsOf(group).map((row) => {
    const faults: RuleRowFaults = {};
    if (fieldNamed(row.field)?.named === "metadata" && row.name.trim() === "") faults.name = t.conditions.missing.name;
    const as = takes(row);
    if (operandsIn(row.value, as, row.operator, project) === null) faults.value = missingOf(as, project);
    for (const one of asksOfItems(row) ? amounts : []) {
      const { as } = asks_of[one];
      if (row[one].trim() !== "" && operandsIn(row[one], as, "$is", project) === null)
        faults[one] = missingOf(as, project);
    }
    return faults;
  });

/** The rule that the rows say; null while one of them is not complete. */
export function rulesOf(group: RuleGroup, project: Writes): Rules | null {
  return faultsIn(group, project).some((faults) => Object.keys(faults).length > 0) ? null : draftOf(group, project);
}

/** The same while rows are not complete: dots stand where something is wanted. */
export function draftOf(group: RuleGroup, project: Writes): Rules {
  const rows = rowsOf(group);
  const numbers = new Map(rows.map(({ key }, i) => [key, String(i + 1)]));
  const numbered = rows.map((row, i) => [String(i + 1), leafOf(row, project)]);
  return {
    ...Object.fromEntries(numbered),
    logic: writeLogic(logicOfGroup(group), ({ key }) => numbers.get(key) ?? ""),
  };
}

/** A group without conditions says nothing, and one with a single condition says that one. */
function logicOfGroup({ junction, members }: RuleGroup): Logic<RuleRow> {
  const parts = members
    .map((member): Logic<RuleRow> => (isGroup(member) ? logicOfGroup(member) : { kind: "leaf", leaf: member }))
    .filter((part) => part.kind === "leaf" || part.parts.length > 0);
  const [only] = parts;
  return parts.length === 1 && only ? only : { kind: junction, parts };
}

const dots = "…";

function leafOf(row: RuleRow, project: Writes): Leaf {
  const { field, name, message } = row;
  const property = fieldNamed(field)?.named === "metadata" ? name.trim() || dots : null;
  const asked = asksOfItems(row) ? amounts.filter((one) => row[one].trim() !== "") : [];
  const nested = asked.map((one, i) => {
    const conditions = { $more_than_or_equal: operandsIn(row[one], asks_of[one].as, "$is", project) ?? [dots] };
    return [String(i + 1), { name: asks_of[one].name, conditions }];
  });
  return {
    name: pathOf(field, name),
    ...(property && { property }),
    conditions: conditionsOf(row, project),
    ...(asked.length > 0 && {
      rules: { ...Object.fromEntries(nested), logic: asked.map((_, i) => i + 1).join(" and ") },
    }),
    ...(message.trim() && { error: { message: message.trim() } }),
  };
}

/** Several values are one of a list. */
function conditionsOf(row: RuleRow, project: Writes): Record<string, unknown> {
  const operands = operandsIn(row.value, takes(row), row.operator, project) ?? [dots];
  const many: Partial<Record<Operator, string>> = { $is: "$in", $is_not: "$not_in" };
  const operator = (operands.length > 1 && many[row.operator]) || row.operator;
  return { [operator]: kindOf(row.field) === "items" ? operands.map((one) => itemOf(String(one), row)) : operands };
}

function itemOf(typed: string, { name, written }: RuleRow): unknown {
  const known = written?.[typed];
  if (known !== undefined && objectOf(known) === name) return known;
  return { [/^(prod|sku|pc)_/.test(typed) ? "id" : "source_id"]: typed, object: name };
}

const objectOf = (item: unknown) => (item as { object?: unknown } | null)?.object;

/** The rows that say a rule; null where no rows say exactly that: it is shown as it is then, and never rewritten. */
export function treeOf(rules: Rules, project: Writes): RuleGroup | null {
  const logic = logicOf(rules);
  if (!logic) return null;
  let key = 0;
  const memberOf = (part: Logic<Leaf>): RuleMember | null => {
    key += 1;
    if (part.kind === "leaf") return rowOf(key, part.leaf, project);
    const group = key;
    const members = part.parts.map(memberOf);
    return members.includes(null) ? null : { key: group, junction: part.kind, members: members as RuleMember[] };
  };
  const member = memberOf(logic);
  if (!member) return null;
  const group: RuleGroup = isGroup(member) ? member : { key: 0, junction: "and", members: [member] };
  // Only what comes out again as it went in has been understood; what no formula names would be lost.
  const again = rulesOf(group, project);
  const all = Object.keys(rules).filter((name) => name !== "logic").length;
  const is_whole = new Set(leavesIn(logic)).size === all && leavesIn(logic).length === all;
  return again && is_whole && canonical(again) === canonical(rules) ? group : null;
}

function rowOf(key: number, leaf: Leaf, project: Writes): RuleRow | null {
  const found = fieldAt(String(leaf.name));
  const conditions = conditionsIn(leaf);
  const [first] = conditions;
  if (!found || !first || conditions.length > 1) return null;
  const { field, period } = found;
  const one: Record<string, string> = { $in: "$is", $not_in: "$is_not" };
  const operator = operatorsOf(field.kind).find((known) => known === (one[first[0]] ?? first[0]));
  if (!operator) return null;
  const row = { key, field: field.name, operator, ...nestedAmounts(leaf, project), message: leaf.error?.message ?? "" };
  const [, operands] = first;
  if (field.kind === "items") return rowOfItems(row, operands);
  const name = field.named === "metadata" ? (leaf.property ?? "") : field.named === "period" ? period : "";
  const ids = operands.map((one) => (one as { id?: unknown } | null)?.id ?? one);
  const value = typedOperands(ids, operandsOf(field.kind, operator), project);
  return value === null ? null : { ...row, name, value };
}

function rowOfItems(row: Omit<RuleRow, "name" | "value">, items: readonly unknown[]): RuleRow | null {
  const object = object_names.find((one) => one === objectOf(items[0]));
  if (!object || items.some((item) => objectOf(item) !== object)) return null;
  const typed = items.map((item) => {
    const { id, source_id } = item as { id?: unknown; source_id?: unknown };
    return String(object === "products_collection" ? (id ?? "") : (source_id ?? id ?? ""));
  });
  // A collection is chosen by its id; what nothing names nobody could have typed.
  if (typed.includes("")) return null;
  const written = Object.fromEntries(typed.map((one, i) => [one, items[i]]));
  return { ...row, name: object, value: typedOf(typed), written };
}

function nestedAmounts({ rules }: Leaf, project: Writes): Pick<RuleRow, "units" | "worth"> {
  const asked = { units: "", worth: "" };
  for (const leaf of leavesOfRules(rules)) {
    const one = amounts.find((one) => asks_of[one].name === leaf.name);
    const [first] = conditionsIn(leaf);
    if (one && first) asked[one] = typedOperands(first[1], asks_of[one].as, project) ?? "";
  }
  return asked;
}

/** Two ways to write the same: a value alone or in a list, a number as text, the numbers of conditions, what is empty. */
function canonical(rules: Rules): string {
  const logic = logicOf(rules);
  return logic ? writeLogic(flat(logic), (leaf) => JSON.stringify(canonicalLeaf(leaf))) : "";
}

function canonicalLeaf(leaf: Leaf): unknown {
  const one: Record<string, string> = { $in: "$is", $not_in: "$is_not" };
  const conditions = conditionsIn(leaf).map(([operator, operands]) => [
    one[operator] ?? operator,
    operands.map((operand) => {
      const { id, object } = (operand ?? {}) as { id?: unknown; object?: unknown };
      if (typeof operand !== "object") return String(operand);
      return object === undefined && id !== undefined ? String(id) : JSON.stringify(operand);
    }),
  ]);
  const nested = leaf.rules ? canonical(leaf.rules) : "";
  return [leaf.name.replace(/\.$/, ""), leaf.property || null, conditions, nested, leaf.error?.message || null];
}

/** Brackets around what is joined by the same word say nothing. */
function flat<One>(logic: Logic<One>): Logic<One> {
  if (logic.kind === "leaf") return logic;
  const parts = logic.parts.map(flat).flatMap((part) => (part.kind === logic.kind ? part.parts : [part]));
  const [only] = parts;
  return parts.length === 1 && only ? only : { kind: logic.kind, parts };
}

/** A key that nothing in it has. */
export const nextKey = (group: RuleGroup): number => Math.max(group.key, ...group.members.map(lastKey)) + 1;
const lastKey = (member: RuleMember): number => (isGroup(member) ? nextKey(member) - 1 : member.key);

/** The same with one member changed, or without it; a group that is left empty goes too. */
export function withMember(
  group: RuleGroup,
  key: number,
  change: (member: RuleMember) => RuleMember | null,
): RuleGroup {
  const members = group.members.flatMap((member) => {
    if (member.key === key) return change(member) ?? [];
    if (!isGroup(member)) return [member];
    const inner = withMember(member, key, change);
    return inner.members.length === 0 ? [] : [inner];
  });
  return { ...group, members };
}

export const newRow = (key: number): RuleRow => ({
  ...{ key, field: "order.amount", name: "", operator: "$more_than_or_equal" },
  ...{ value: "", units: "", worth: "", message: "" },
});
