import { CsvReader, csvLine, quoted } from "./csv.js";
import { type Head, isBlank } from "./head.js";

/**
 * The file as it is sent: with the names that the import knows above its rows, and without what is left out. Its rows are never in
 * memory together; as long as all of them are sent as they are, they are not even read.
 *
 * @param sent what each column is called; null: it is left out
 */
export async function fileToSend(
  file: Blob,
  { separator, rows_at }: Head,
  sent: readonly (string | null)[],
): Promise<Blob> {
  const header = csvLine(sent.filter((title) => title !== null));
  const rows = file.slice(rows_at);
  if (separator === "," && !sent.includes(null)) return new Blob([header, rows]);
  const written = rows
    .stream()
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(rowsWithout(separator, sent))
    .pipeThrough(new TextEncoderStream() as ReadableWritablePair<Uint8Array, string>);
  return new Blob([header, await new Response(written as BodyInit).blob()]);
}

function rowsWithout(separator: string, sent: readonly (string | null)[]): TransformStream<string, string> {
  const reader = new CsvReader(separator);
  const lineOf = (cells: string[]) => (isBlank(cells, sent.length) ? "" : csvLine(keptOf(cells, sent)));
  return new TransformStream({
    transform(text, out) {
      const lines = reader.read(text).map(({ cells }) => lineOf(cells));
      if (lines.length > 0) out.enqueue(lines.join(""));
    },
    flush(out) {
      const { row, is_open } = reader.end();
      if (!row) return;
      // A quote that is never closed stays open, so that the service says so of this row.
      out.enqueue(is_open ? quoted(row.cells.join(separator)).slice(0, -1) : lineOf(row.cells));
    },
  });
}

/** A row of too many or too few cells stays one: it must not become right by what is left out. */
function keptOf(cells: readonly string[], sent: readonly (string | null)[]): readonly string[] {
  const kept = cells.filter((_, place) => sent[place] !== null);
  const is_right = cells.length === sent.length;
  return is_right || kept.length !== sent.filter((title) => title !== null).length ? kept : [...kept, ""];
}
