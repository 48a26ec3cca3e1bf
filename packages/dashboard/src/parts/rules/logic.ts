/** How conditions are joined: `1 and (2 or 3)` names them by their numbers. */
export type Logic<Leaf> = { kind: "leaf"; leaf: Leaf } | { kind: "and" | "or"; parts: readonly Logic<Leaf>[] };

const lexemes = /\s*(\d+|and|or|[()])/iy;

/** What a formula says; null where it says nothing that holds together. `and` binds tighter than `or`. */
export function parseLogic(text: string): Logic<number> | null {
  const words = wordsOf(text.trim());
  if (!words) return null;
  let next = 0;
  const accept = (word: string) => words[next] === word && ++next > 0;
  const series = (kind: "and" | "or", part: () => Logic<number> | null): Logic<number> | null => {
    const parts: Logic<number>[] = [];
    do {
      const one = part();
      if (!one) return null;
      parts.push(one);
    } while (accept(kind));
    return parts.length === 1 ? (parts[0] ?? null) : { kind, parts };
  };
  const factor = (): Logic<number> | null => {
    if (accept("(")) {
      const inner = either();
      return inner && accept(")") ? inner : null;
    }
    const word = words[next] ?? "";
    if (!/^\d+$/.test(word)) return null;
    next += 1;
    return { kind: "leaf", leaf: Number(word) };
  };
  const either = (): Logic<number> | null => series("or", () => series("and", factor));
  const logic = either();
  return next === words.length ? logic : null;
}

function wordsOf(text: string): string[] | null {
  const words: string[] = [];
  lexemes.lastIndex = 0;
  for (let found = lexemes.exec(text); found; found = lexemes.exec(text)) {
    words.push((found[1] ?? "").toLowerCase());
    if (lexemes.lastIndex === text.length) return words;
  }
  return null;
}

/** The formula of it, with each leaf in its own words. */
export function writeLogic<Leaf>(logic: Logic<Leaf>, leaf: (leaf: Leaf) => string): string {
  if (logic.kind === "leaf") return leaf(logic.leaf);
  const parts = logic.parts.map((part) => {
    const text = writeLogic(part, leaf);
    return part.kind === "leaf" ? text : `(${text})`;
  });
  return parts.join(` ${logic.kind} `);
}

/** A condition as the service keeps it; one may hold others about what it has found. */
export interface Leaf {
  name: string;
  property?: string | null;
  conditions?: unknown;
  rules?: Rules | null;
  error?: { message?: string | null } | null;
}

export type Rules = Record<string, unknown>;

/** What a level of a rule asks, joined as its formula says; null where no formula can be read. Without one all have to hold. */
export function logicOf(rules: Rules | null | undefined): Logic<Leaf> | null {
  const { logic: written = "", ...numbered } = rules ?? {};
  const count = Object.keys(numbered).length;
  const text = String(written ?? "").trim();
  if (text === "") {
    const all = Array.from({ length: count }, (_, i): Logic<Leaf> => leafAt(numbered, i + 1) ?? nothing);
    return all.length === 1 ? (all[0] ?? nothing) : { kind: "and", parts: all };
  }
  const logic = parseLogic(text);
  return logic && withLeaves(logic, numbered);
}

const nothing: Logic<Leaf> = { kind: "and", parts: [] };

function leafAt(numbered: Rules, number: number): Logic<Leaf> | null {
  const leaf = numbered[String(number)] as Leaf | undefined;
  return leaf && typeof leaf === "object" ? { kind: "leaf", leaf } : null;
}

function withLeaves(logic: Logic<number>, numbered: Rules): Logic<Leaf> | null {
  if (logic.kind === "leaf") return leafAt(numbered, logic.leaf);
  const parts = logic.parts.map((part) => withLeaves(part, numbered));
  return parts.includes(null) ? null : { kind: logic.kind, parts: parts as Logic<Leaf>[] };
}

/** Every leaf that the formula names, in its order. */
export const leavesIn = <One>(logic: Logic<One>): One[] =>
  logic.kind === "leaf" ? [logic.leaf] : logic.parts.flatMap(leavesIn);

/** Those of rules; none where the formula cannot be read. */
export function leavesOfRules(rules: Parameters<typeof logicOf>[0]): Leaf[] {
  const logic = logicOf(rules);
  return logic ? leavesIn(logic) : [];
}

/** Conditions of a leaf, each operator under the name that the spec knows it by. */
export function conditionsIn({ conditions }: Pick<Leaf, "conditions">): (readonly [string, readonly unknown[]])[] {
  if (typeof conditions !== "object" || conditions === null) return [];
  return Object.entries(conditions).map(([operator, operands]) => [aliases[operator] ?? operator, [operands].flat()]);
}

const aliases: Readonly<Record<string, string>> = {
  $greater_than_or_equal: "$more_than_or_equal",
  $more_than_equal: "$more_than_or_equal",
  $greater_than: "$more_than",
  $less_than_equal: "$less_than_or_equal",
};
