import type { Project } from "../api/project.js";
import { t } from "../text/index.js";
import { isMoney, nameWords as ruleNameWords } from "./rules/rule-fields.js";
import type { Names } from "./rules/sentence.js";

/** One step of a decision, as `explanation.checks` has it; which other fields there are depends on the check. */
export interface Check {
  check: string;
  holds: boolean;
  node?: RuleNode;
  lacking?: unknown;
  [field: string]: unknown;
}

/** A leaf of a rule that was looked at, or what joins some. */
export interface RuleNode {
  path: string;
  name: string | null;
  property?: string | null;
  holds: boolean | null;
  saw?: unknown;
  wanted: Record<string, unknown>;
  lacking: number | null;
  nodes: RuleNode[];
}

type Writes = Pick<Project, "money" | "count" | "dates"> & { names?: Names };

/** Each check is told by a sentence; a new one of the service by its name until it has one. */
export type KnownCheck = keyof typeof t.why.checks;
const isKnown = (check: string): check is KnownCheck => check in t.why.checks;
export const checkWords = (check: string): string =>
  isKnown(check) ? t.why.checks[check] : check.replaceAll("_", " ");
const reasonWords = (check: string): string => (isKnown(check) ? t.why.because_of[check] : check.replaceAll("_", " "));

/** Why it was refused, in one half sentence: by the first check that failed, and by how much. */
export function headlineOf(checks: readonly Check[], writes: Writes): string | null {
  const failed = checks.find(({ holds }) => !holds);
  if (!failed) return null;
  if (failed.check !== "rules" || !failed.node) return reasonWords(failed.check);
  const [leaf] = failedLeaves(failed.node);
  if (!leaf) return reasonWords(failed.check);
  const subject = t.why.subjects[leaf.name ?? ""];
  if (subject && leaf.lacking && !isUpper(leaf))
    return t.why.below(subject, writes.money(leaf.lacking), wantedWords(leaf, writes, false));
  return `${nameWords(leaf).toLowerCase()} ${t.why.saw} ${sawWords(leaf, writes)}, ${t.why.wanted} ${wantedWords(leaf, writes)}`;
}

/** The leaves to blame: not those that fail only through them. */
export function failedLeaves(node: RuleNode): RuleNode[] {
  if (node.holds !== false) return [];
  const below = node.nodes.flatMap(failedLeaves);
  return below.length > 0 || node.name === null ? below : [node];
}

/** Every leaf in its order. */
export const leavesOf = (node: RuleNode): RuleNode[] => [
  ...(node.name === null ? [] : [node]),
  ...node.nodes.flatMap(leavesOf),
];

const isUpper = ({ wanted }: RuleNode) => Object.keys(wanted).every((operator) => operator.startsWith("$less"));

const isMoneyOf = ({ name }: RuleNode) => isMoney(name ?? "");

export const nameWords = ({ name, property }: RuleNode): string =>
  t.why.names[name ?? ""] ?? ruleNameWords({ name: name ?? "", property });

const valueWords = (value: unknown, leaf: RuleNode, writes: Writes): string => {
  const { money, count, names } = writes;
  if (value === undefined || value === null) return "–";
  if (Array.isArray(value))
    return value.length === 0 ? "–" : value.map((one) => valueWords(one, leaf, writes)).join(", ");
  if (typeof value === "number") return isMoneyOf(leaf) ? money(value) : count(value);
  if (typeof value === "string") return names?.(value) ?? value;
  const { id, source_id } = value as { id?: unknown; source_id?: unknown };
  const name = source_id ?? id;
  return typeof name === "string" ? (names?.(name) ?? name) : JSON.stringify(value);
};

export const sawWords = (leaf: RuleNode, writes: Writes): string => valueWords(leaf.saw, leaf, writes);

export const wantedWords = (leaf: RuleNode, writes: Writes, with_operator = true): string =>
  Object.entries(leaf.wanted)
    .map(([operator, operands]) => {
      const value = valueWords(operands, leaf, writes);
      return with_operator ? `${t.why.operators[operator] ?? operator.replace("$", "")} ${value}` : value;
    })
    .join(", ");

/** By how much it is too little; null where that is no number or nothing is wrong. */
export const lackingWords = (leaf: RuleNode, { money, count }: Writes): string | null =>
  leaf.lacking && !isUpper(leaf) ? t.why.short(isMoneyOf(leaf) ? money(leaf.lacking) : count(leaf.lacking)) : null;

/** What a check that holds is worth saying beside it. */
export function besideOf(check: Check): string {
  const { redeemed, quantity } = check as { redeemed?: number; quantity?: number };
  return check.check === "quantity" && quantity !== undefined
    ? `${redeemed ?? 0} ${t.vouchers.of(String(quantity))}`
    : "";
}
