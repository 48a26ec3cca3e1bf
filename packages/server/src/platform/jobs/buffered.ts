import type { Log } from "../log.js";

/** Rows of a log that nobody waits for: kept in memory for a moment, and written together. */
export interface Buffered<Row> {
  /** Takes the row, or drops it where too much waits; never throws and never waits. */
  add(row: Row): void;
  /** Writes what waits. */
  flush(): Promise<void>;
}

interface Buffering<Row> {
  /** What the log of the process calls it. */
  name: string;
  /** As one statement, or a few. Rows that it fails to write are lost. */
  write(rows: readonly Row[]): Promise<void>;
  /** Characters that a row takes, about. */
  sizeOf(row: Row): number;
  /** Of all that waits together; what comes beyond is dropped, and counted. */
  chars_max: number;
  /** How long rows wait for others. */
  pause_ms: number;
  log: Log;
}

/**
 * Gathers rows for one write at a time, so that a slow database makes fewer and larger ones, up to the bound. A process that dies
 * loses what waits: nothing but a log may be written so.
 */
export function buffered<Row>({ name, write, sizeOf, chars_max, pause_ms, log }: Buffering<Row>): Buffered<Row> {
  let rows: Row[] = [];
  let chars = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const [waiting, left_out] = [rows, dropped];
    [rows, chars, dropped] = [[], 0, 0];
    if (left_out > 0) log.warn({ name, dropped: left_out }, "too much was logged to be kept");
    if (waiting.length === 0) return;
    await write(waiting).catch((err: Error) =>
      log.warn({ name, lost: waiting.length, err }, "a log could not be kept"),
    );
  }

  function flush(): Promise<void> {
    writing = writing.then(writeAll);
    return writing;
  }

  return {
    add(row) {
      const size = sizeOf(row);
      if (chars + size > chars_max) {
        dropped += 1;
        return;
      }
      rows.push(row);
      chars += size;
      timer ??= setTimeout(() => void flush(), pause_ms).unref();
    },
    flush,
  };
}
