/** What is known of the result of any task; each has some of it. */
export interface Result {
  message?: string;
  done_count?: number;
  failed_count?: number;
  reports?: string[];
  reports_available_till?: string;
  errors?: { key?: string; message?: string; details?: string; code?: string; source_id?: string }[];
  /** Of an import: its first thousand. */
  failed?: { code?: string; source_id?: string; row?: number; reason: string }[];
}

/** A row that was left as it was, and why. */
export interface RefusedRow {
  /** Where it stands among them. */
  place: string;
  /** Its number in the file; without its header, and from 1. */
  row: number | undefined;
  /** What it is told by. */
  name: string;
  why: string;
  key: string | undefined;
}

/** Rows that were refused, whatever kind of task tells them. */
export function refusedRows({ errors = [], failed = [] }: Result): RefusedRow[] {
  const told = [
    ...errors.map(({ code, source_id, details, message, key }, i) => ({
      row: undefined,
      name: code ?? source_id ?? String(i + 1),
      why: details ?? message ?? "",
      key,
    })),
    ...failed.map(({ code, source_id, row, reason }) => ({
      row,
      name: code ?? source_id ?? "",
      why: reason,
      key: undefined,
    })),
  ];
  return told.map((one, place) => ({ ...one, place: String(place) }));
}
