import type { FormulaFault } from "../discounts/formula.contract.js";

/** Why a text is no formula. `position` counts characters from 0. */
export interface FormulaProblem extends FormulaFault {
  readonly key:
    | "too_long"
    | "too_deep"
    | "too_much_work"
    | "unexpected_character"
    | "unterminated_text"
    | "unexpected_token"
    | "unexpected_end"
    | "unknown_name"
    | "wrong_argument_count";
}

export interface Token {
  readonly kind: "number" | "text" | "name" | "symbol" | "end";
  /** Content of a text, digits of a number, a name, or a symbol in its canonical spelling. */
  readonly text: string;
  readonly position: number;
}

const NUMBER = /\d+(?:\.\d+)?|\.\d+/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const TEXT = /"((?:[^"\\]|\\.)*)"/sy;
const SYMBOL = />=|<=|[-+*/%();><=]/y;

// The signs a person reads in the dashboard instead of the letters of the language.
const DISPLAY_SIGNS: Readonly<Record<string, string>> = { x: "*", "×": "*", "÷": "/" };

const BLANK = /\s/;

/** Cuts a formula into tokens, the last one being the end. */
export function tokensOf(formula: string): { tokens: Token[] } | { fault: FormulaProblem } {
  const tokens: Token[] = [];
  let position = 0;
  while (position < formula.length) {
    if (BLANK.test(formula[position] as string)) {
      position += 1;
      continue;
    }
    const read = tokenAt(formula, position, endsValue(tokens.at(-1)));
    if ("fault" in read) return read;
    tokens.push(read.token);
    position = read.end;
  }
  tokens.push({ kind: "end", text: "", position });
  return { tokens };
}

// After a value only an operator can follow, so there the letter x is a multiplication sign, also in `2x3`.
const endsValue = (token: Token | undefined) => token !== undefined && (token.kind !== "symbol" || token.text === ")");

type Read = { token: Token; end: number } | { fault: FormulaProblem };

function tokenAt(formula: string, position: number, afterValue: boolean): Read {
  const character = formula[position] as string;
  const sign = DISPLAY_SIGNS[character];
  if (sign !== undefined && (afterValue || character !== "x")) {
    return { token: { kind: "symbol", text: sign, position }, end: position + 1 };
  }
  if (character === '"') return textAt(formula, position);
  const kinds = [
    ["number", NUMBER],
    ["name", NAME],
    ["symbol", SYMBOL],
  ] as const;
  for (const [kind, pattern] of kinds) {
    const text = match(pattern, formula, position)?.[0];
    if (text !== undefined) return { token: { kind, text, position }, end: position + text.length };
  }
  const problem = `unexpected character '${String.fromCodePoint(formula.codePointAt(position) as number)}'`;
  return { fault: { key: "unexpected_character", problem, position } };
}

function textAt(formula: string, position: number): Read {
  const found = match(TEXT, formula, position);
  if (found === null) return { fault: { key: "unterminated_text", problem: "text without a closing quote", position } };
  const text = (found[1] as string).replace(/\\(.)/gs, "$1");
  return { token: { kind: "text", text, position }, end: position + found[0].length };
}

function match(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}
