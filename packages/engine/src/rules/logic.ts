/** A logic expression over numbered leaves (rules.md §2). Nothing at all always holds. */
export type Logic<Leaf> =
  | { readonly kind: "leaf"; readonly leaf: Leaf }
  | { readonly kind: "and" | "or"; readonly parts: readonly Logic<Leaf>[] };

const TOKENS = /\s*(?:(\d+)|(and|or)|([()]))/iy;
const NESTING_MAX = 100;
const LENGTH_MAX = 20_000;

interface Reader {
  readonly words: readonly string[];
  next: number;
  depth: number;
}

/**
 * Parses `1 and (2 or 3)`; null when the text does not parse. Keywords in any case, `and` binds tighter.
 * An expression of one part stands for that part.
 */
export function parseLogic(text: string): Logic<number> | null {
  const words = wordsOf(text);
  if (words === null) return null;
  const reader: Reader = { words, next: 0, depth: 0 };
  const logic = alternatives(reader);
  return reader.next === words.length ? logic : null;
}

function wordsOf(written: string): string[] | null {
  const text = written.trimEnd();
  if (text.length > LENGTH_MAX) return null;
  const words: string[] = [];
  TOKENS.lastIndex = 0;
  for (let found = TOKENS.exec(text); found !== null; found = TOKENS.exec(text)) {
    words.push((found[1] ?? found[2] ?? found[3] ?? "").toLowerCase());
    if (TOKENS.lastIndex === text.length) return words;
  }
  return null;
}

const alternatives = (reader: Reader) => series(reader, "or", conjunction);

const conjunction = (reader: Reader) => series(reader, "and", factor);

function series(reader: Reader, kind: "and" | "or", part: (reader: Reader) => Logic<number> | null) {
  const parts: Logic<number>[] = [];
  do {
    const next = part(reader);
    if (next === null) return null;
    parts.push(next);
  } while (accept(reader, kind));
  return parts.length === 1 ? (parts[0] as Logic<number>) : { kind, parts };
}

function factor(reader: Reader): Logic<number> | null {
  if (!accept(reader, "(")) {
    const word = reader.words[reader.next] ?? "";
    if (!/^\d+$/.test(word)) return null;
    reader.next += 1;
    return { kind: "leaf", leaf: Number(word) };
  }
  reader.depth += 1;
  const inner = reader.depth > NESTING_MAX ? null : alternatives(reader);
  reader.depth -= 1;
  return inner !== null && accept(reader, ")") ? inner : null;
}

function accept(reader: Reader, word: string): boolean {
  if (reader.words[reader.next] !== word) return false;
  reader.next += 1;
  return true;
}

/** The expression with other leaves in the same places. */
export function mapLogic<From, To>(logic: Logic<From>, change: (leaf: From) => To): Logic<To> {
  if (logic.kind === "leaf") return { kind: "leaf", leaf: change(logic.leaf) };
  return { kind: logic.kind, parts: logic.parts.map((part) => mapLogic(part, change)) };
}

/** Every leaf an expression names, in its order; a leaf named twice comes twice. */
export function leavesOf<Leaf>(logic: Logic<Leaf>): Leaf[] {
  return logic.kind === "leaf" ? [logic.leaf] : logic.parts.flatMap(leavesOf);
}
