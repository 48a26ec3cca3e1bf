import { randomUUID } from "node:crypto";

/** Rows that are written in one stretch, whatever they hold: ten with the most metadata that one may have take 4 ms. */
export const rows_at_once = 10;

/** Stands in a text where that of a list belongs. It leaves this process in no text, so nobody sends it. */
const mark = `"${randomUUID()}"`;
const mark_said: unknown = JSON.parse(mark);

/** The texts of such lists in what `jsonText` is about to write, as they come. */
let coming: string[] | undefined;

/**
 * Has the list made a text once, however many of the texts that `jsonText` makes hold it: the lines of an order stand in its row and
 * twice in an answer. Nothing may change in it from now on. A long one stays as it is, since an answer has it written row by row.
 */
export function writtenOnce<Item>(list: Item[]): Item[] {
  if (list.length > rows_at_once) return list;
  let text: string | undefined;
  function toJSON(): unknown {
    const texts = coming;
    if (!texts) return list;
    coming = undefined;
    text ??= JSON.stringify(list);
    coming = texts;
    texts.push(text);
    return mark_said;
  }
  return Object.defineProperty(list, "toJSON", { value: toJSON });
}

/** What `JSON.stringify` makes, and as that does, undefined of what has no text. */
export function jsonText(value: unknown): string {
  const texts: string[] = [];
  coming = texts;
  try {
    const text = JSON.stringify(value);
    return texts.length === 0 ? text : filled(text, texts);
  } finally {
    coming = undefined;
  }
}

function filled(text: string, texts: readonly string[]): string {
  let whole = "";
  let at = 0;
  for (const part of texts) {
    const place = text.indexOf(mark, at);
    whole += text.slice(at, place) + part;
    at = place + mark.length;
  }
  return whole + text.slice(at);
}
