export type TokenKind = "name" | "text" | "number" | "mark";

export interface Token {
  kind: TokenKind;
  text: string;
}

export interface Line {
  depth: number;
  /** The field that stands in it, as the text says it. */
  name: string | null;
  tokens: Token[];
}

const lexemes = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON as one writes it by hand, a field a line. It is cut into words and not parsed: what was sent may be no JSON or only its beginning,
 * and a number of twenty digits stays what it was.
 */
export function linesOf(json: string): Line[] {
  const lines: Line[] = [];
  let depth = 0;
  let line: Line = { depth, name: null, tokens: [] };
  const put = (kind: TokenKind, text: string) => line.tokens.push({ kind, text });
  const turn = () => {
    if (line.tokens.length > 0) lines.push(line);
    line = { depth, name: null, tokens: [] };
  };
  const words = json.match(lexemes) ?? [];
  words.forEach((word, i) => {
    const next = words[i + 1];
    const last = words[i - 1];
    if (word === "{" || word === "[") {
      put("mark", word);
      depth += 1;
      if (next !== closing[word]) turn();
    } else if (word === "}" || word === "]") {
      depth = Math.max(0, depth - 1);
      if (last === undefined || closing[last] !== word) turn();
      put("mark", word);
    } else if (word === ",") {
      put("mark", word);
      turn();
    } else if (word === ":") put("mark", ": ");
    else if (next === ":" && word.startsWith('"')) {
      line.name = word.slice(1, -1);
      put("name", word);
    } else put(word.startsWith('"') ? "text" : "number", word);
  });
  turn();
  return lines;
}

const closing: Record<string, string> = { "{": "}", "[": "]" };
