/** A column of a file. */
export interface Column {
  place: number;
  /** As it is written. */
  title: string;
}

/** A cell that is not what its column holds: the reason for which its row is refused. */
export class Unreadable extends Error {}

/** The cells of one row by what their columns mean. An empty cell was not given: each reading answers undefined for it. */
export class Cells {
  constructor(
    private readonly places: ReadonlyMap<string, Column>,
    private readonly cells: readonly string[],
  ) {}

  text(column: string): string | undefined {
    const place = this.places.get(column)?.place;
    return (place !== undefined && this.cells[place]) || undefined;
  }

  flag(column: string): boolean | undefined {
    return this.read(column, "TRUE or FALSE", (cell) => flags.get(cell.toLowerCase()));
  }

  /** A whole number. */
  count(column: string): number | undefined {
    return this.read(column, "a whole number", (cell) => {
      const number = /^-?\d{1,16}$/.test(cell) ? Number(cell) : Number.NaN;
      return Number.isSafeInteger(number) ? number : undefined;
    });
  }

  number(column: string): number | undefined {
    return this.read(column, "a number such as 12 or 12.5", (cell) =>
      /^-?\d{1,15}(\.\d{1,15})?$/.test(cell) ? Number(cell) : undefined,
    );
  }

  /** An amount in major units, exactly in minor ones: 45 and 45.00 are 4500 (vouchers-and-campaigns.md §9.2). */
  money(column: string): number | undefined {
    return this.read(column, "an amount such as 45 or 45.50", (cell) => {
      const [, sign, whole = "", fraction = ""] = /^(-?)(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(cell) ?? [];
      if (sign === undefined) return undefined;
      const minor = Number(`${sign}${whole}${fraction.padEnd(2, "0")}`);
      return Number.isSafeInteger(minor) ? minor : undefined;
    });
  }

  /** One of the given texts, in capitals however they are written. */
  word<Word extends string>(column: string, words: readonly Word[]): Word | undefined {
    return this.read(column, `one of ${words.join(", ")}`, (cell) => words.find((word) => word === cell.toUpperCase()));
  }

  private read<Value>(column: string, what: string, readingOf: (cell: string) => Value | undefined): Value | undefined {
    const cell = this.text(column)?.trim();
    if (!cell) return undefined;
    const value = readingOf(cell);
    if (value === undefined) throw new Unreadable(`Column '${this.places.get(column)?.title}' must be ${what}`);
    return value;
  }
}

const flags = new Map([
  ["true", true],
  ["false", false],
]);
