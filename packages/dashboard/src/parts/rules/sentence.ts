import type { Project } from "../../api/project.js";
import { t } from "../../text/index.js";
import { conditionsIn, type Leaf, type Logic, logicOf, type Rules } from "./logic.js";
import { fieldAt, isMoney, periodWords } from "./rule-fields.js";

type Writes = Pick<Project, "money" | "count">;
/** What things are called that a rule names by their ids. */
export type Names = (id: string) => string | undefined;

/** A piece of a sentence; what the rule says stands out from what joins it. */
export interface Part {
  text: string;
  strong?: boolean;
}

const words = t.rules.sentence;

/** A whole rule as one sentence, in pieces. No condition that its formula names is left out. */
export function sentenceParts(rules: Rules | null | undefined, writes: Writes, names: Names): Part[] {
  const logic = logicOf(rules);
  if (!logic) return [{ text: t.conditions.own_words }];
  const parts = joined(logic, 0, (leaf) => leafWords(leaf, writes, names));
  return parts.length === 0 ? [{ text: words.always }] : [{ text: `${words.applies} ` }, ...parts, { text: "." }];
}

export const sentenceOf = (rules: Rules | null | undefined, writes: Writes, names: Names): string =>
  sentenceParts(rules, writes, names)
    .map(({ text }) => text)
    .join("");

/** Commas apart what is joined last: `A, or B and C`; what stands deeper than a reader follows stands in brackets. */
function joined(logic: Logic<Leaf>, depth: number, words_of: (leaf: Leaf) => string): Part[] {
  if (logic.kind === "leaf") return [{ text: words_of(logic.leaf), strong: true }];
  const join = t.conditions.joins[logic.kind];
  const between = depth === 0 && logic.parts.length > 1 ? `, ${join} ` : ` ${join} `;
  const parts = logic.parts.flatMap((part, i) => [
    ...(i > 0 ? [{ text: between }] : []),
    ...joined(part, depth + 1, words_of),
  ]);
  if (depth > 1) return [{ text: "(" }, ...parts, { text: ")" }];
  return depth === 1 && logic.kind === "or" ? [{ text: `${words.either} ` }, ...parts] : parts;
}

/** A condition in half a sentence: `the total before discounts is at least €100.00`. */
export function leafWords(leaf: Leaf, writes: Writes, names: Names): string {
  const said = conditionsIn(leaf).map(([operator, operands]) =>
    conditionWords(leaf, operator, operands, writes, names),
  );
  return [
    said.length > 0 ? said.join(` ${t.conditions.joins.and} `) : subjectOf(leaf),
    nestedWords(leaf, writes, names),
  ]
    .filter((one) => one !== "")
    .join(" ");
}

/** What has to hold of what a condition has found. */
function nestedWords({ rules }: Leaf, writes: Writes, names: Names): string {
  const logic = logicOf(rules);
  if (!logic) return words.where(t.conditions.own_words);
  const text = joined(logic, 1, (leaf) => leafWords(leaf, writes, names))
    .map((part) => part.text)
    .join("");
  return text === "" ? "" : words.where(text);
}

function subjectOf({ name, property }: Leaf): string {
  const found = fieldAt(name);
  const known = words.subjects[found && found.period === "total" ? found.field.name : name];
  if (!known) return property ? `${plain(name)} “${property}”` : plain(name);
  return property ? `${known} “${property}”` : known;
}

const plain = (name: string) => name.replaceAll(/[._]/g, " ");

function conditionWords(
  leaf: Leaf,
  operator: string,
  operands: readonly unknown[],
  writes: Writes,
  names: Names,
): string {
  const found = fieldAt(leaf.name);
  const is_several = operands.length > 1;
  const value = valueWords(leaf.name, operands, writes, names);
  if (found?.field.kind === "limit") {
    const once = found.field.name.includes("customer") && found.period === "total" && isOnce(operator, operands);
    const subject = words.limits[found.field.name] ?? plain(leaf.name);
    if (once) return words.once[found.field.name] ?? subject;
    const compared = words.counted[operator] ?? operatorWords(operator);
    return `${subject} ${compared} ${words.times(value)} ${periodWords(found.period)}`;
  }
  if (found?.field.kind === "holder" && String(operands[0]) === "true") return words.holder;
  const compared =
    is_several && (operator === "$is_not" || operator === "$not_in") ? words.none_of : operatorWords(operator);
  return [subjectOf(leaf), compared, value].filter((one) => one !== "").join(" ");
}

/** That it holds for the first time alone: the redemption that asks is counted. */
const isOnce = (operator: string, [limit]: readonly unknown[]) =>
  (operator === "$less_than_or_equal" && Number(limit) === 1) || (operator === "$less_than" && Number(limit) === 2);

const operatorWords = (operator: string): string =>
  words.operators[operator] ??
  (t.conditions.operators as Record<string, string>)[operator] ??
  plain(operator.replace("$", ""));

const valueWords = (name: string, operands: readonly unknown[], writes: Writes, names: Names): string =>
  operands.map((operand) => operandWords(name, operand, writes, names)).join(` ${t.conditions.or_value} `);

function operandWords(name: string, operand: unknown, { money, count }: Writes, names: Names): string {
  if (typeof operand === "object" && operand !== null) {
    const { id, source_id } = operand as { id?: unknown; source_id?: unknown };
    if (typeof id === "string") return names(id) ?? (typeof source_id === "string" ? source_id : id);
    return typeof source_id === "string" ? source_id : JSON.stringify(operand);
  }
  const number = typeof operand === "number" ? operand : Number.NaN;
  if (Number.isSafeInteger(number)) return isMoney(name) ? money(number) : count(number);
  return typeof operand === "string" ? (names(operand) ?? operand) : String(operand);
}
