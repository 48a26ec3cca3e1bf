/** A row, and how many characters of the text were read when it had ended. */
export interface Row {
  cells: string[];
  end: number;
}

/**
 * Rows of text as it comes, read as the service reads them: quotes as in RFC 4180, a stray one stands for itself, any line end, empty
 * lines are none.
 */
export class CsvReader {
  private rows: Row[] = [];
  private cells: string[] = [];
  private cell = "";
  private quotes: "none" | "open" | "maybe closed" = "none";
  private was_quoted = false;
  private read_count = 0;

  constructor(private readonly separator: string) {}

  /** The rows that have ended within what was read so far, each once. */
  read(text: string): Row[] {
    for (const char of text) {
      this.read_count += char.length;
      this.take(char);
    }
    return this.rows.splice(0);
  }

  /** The last row, which needs no line end; of an open one a quote was never closed. */
  end(): { row: Row | undefined; is_open: boolean } {
    const is_open = this.quotes === "open";
    this.endRow();
    return { row: this.rows.pop(), is_open };
  }

  private take(char: string): void {
    if (this.quotes === "open") {
      if (char === '"') this.quotes = "maybe closed";
      else this.cell += char;
      return;
    }
    if (this.quotes === "maybe closed") {
      if (char === '"') {
        this.cell += char;
        this.quotes = "open";
        return;
      }
      this.quotes = "none";
      // Quotes with something behind them are part of the cell.
      if (!this.isEnd(char)) this.cell = `"${this.cell}"`;
    }
    if (char === this.separator) this.endCell();
    else if (char === "\n" || char === "\r") this.endRow();
    else if (char === '"' && this.cell === "" && !this.was_quoted) {
      this.quotes = "open";
      this.was_quoted = true;
    } else this.cell += char;
  }

  private isEnd = (char: string) => char === this.separator || char === "\n" || char === "\r";

  private endCell(): void {
    this.cells.push(this.cell);
    this.cell = "";
    this.was_quoted = false;
  }

  /** The second half of a line end is an empty line, too. */
  private endRow(): void {
    const is_empty = this.cells.length === 0 && this.cell === "" && !this.was_quoted;
    if (!is_empty) {
      this.endCell();
      this.rows.push({ cells: this.cells, end: this.read_count });
    }
    this.cells = [];
    this.quotes = "none";
  }
}

const separators = [",", ";", "\t", "|"] as const;

/** What separates columns: whatever stands most often in the first line, outside of quotes. */
export function separatorIn(text: string): string {
  const [line = ""] = text
    .trimStart()
    .replace(/"[^"]*"/g, "")
    .split(/[\r\n]/, 1);
  const counts = separators.map((one) => line.split(one).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ",";
}

/** A row as it is sent, with its line end. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]|^\s|\s$|^$/.test(cell) ? quoted(cell) : cell)).join(",")}\n`;

export const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
