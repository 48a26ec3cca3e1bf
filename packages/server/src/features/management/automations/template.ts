/** Of what a template comes to, in characters. */
export const filled_max = 1_048_576;

/** Places that a template has at most. */
export const places_max = 200;

/** Fills the places of a template; undefined where it comes to more than may be sent. */
export type Fill = (data: unknown) => unknown;

type Piece = string | { path: readonly string[]; is_quoted: boolean };

const place = /\{\{\s*([^{}]+?)\s*\}\}/g;

/**
 * A designed payload (events-and-webhooks.md §5.4): JSON with places like `{{customer.name}}`. One that stands in quotes becomes a part
 * of that text, another one keeps its type; what is not there is an empty text, or null.
 */
export function compileTemplate(template: string): { fill: Fill } | { fault: string } {
  const pieces = piecesOf(template);
  if (pieces.length > 2 * places_max + 1) return { fault: `must not have more than ${places_max} places` };
  const fill = (data: unknown) => {
    const filled = filledWith(pieces, data);
    return filled === null ? undefined : JSON.parse(filled);
  };
  try {
    fill({});
  } catch {
    return { fault: "must be JSON once its places are filled" };
  }
  return { fill };
}

function piecesOf(template: string): Piece[] {
  const pieces: Piece[] = [];
  let is_quoted = false;
  let from = 0;
  for (const { 0: whole, 1: path = "", index } of template.matchAll(place)) {
    const before = template.slice(from, index);
    is_quoted = endsQuoted(before, is_quoted);
    pieces.push(before, { path: path.split("."), is_quoted });
    from = index + whole.length;
  }
  return [...pieces, template.slice(from)];
}

/** Whether what follows stands in quotes. */
function endsQuoted(text: string, is_quoted: boolean): boolean {
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === "\\" && is_quoted) i += 1;
    else if (text[i] === '"') is_quoted = !is_quoted;
  }
  return is_quoted;
}

function filledWith(pieces: readonly Piece[], data: unknown): string | null {
  let filled = "";
  for (const piece of pieces) {
    filled += typeof piece === "string" ? piece : writtenAs(valueAt(data, piece.path), piece.is_quoted);
    if (filled.length > filled_max) return null;
  }
  return filled;
}

/** Steps into what the data has of its own, and nothing that objects have by nature. */
function valueAt(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function writtenAs(value: unknown, is_quoted: boolean): string {
  const known = value ?? null;
  if (!is_quoted) return JSON.stringify(known);
  const text = typeof known === "string" ? known : known === null ? "" : JSON.stringify(known);
  return JSON.stringify(text).slice(1, -1);
}
