/** A row with some of its numbers added up with those of others: exact, and so a `bigint` where a number would not be. */
export type Summed<Row, Field extends keyof Row> = Omit<Row, Field> & { [Name in Field]: number | bigint };

/**
 * Rows that are of the same thing as one, whose amounts are added up; all else is as the first has it. In the order of what they are of: by the
 * first of the keys, then by the next. Keys are compared sign by sign, as the collation "C" does with texts in ASCII.
 */
export function summed<Row extends object, Field extends keyof Row>(
  rows: readonly Row[],
  keys: readonly (keyof Row)[],
  fields: readonly Field[],
): Summed<Row, Field>[] {
  const sums: Summed<Row, Field>[] = [];
  for (const row of rows.toSorted((a, b) => compared(a, b, keys)) as Summed<Row, Field>[]) {
    const last = sums.at(-1);
    if (!last || compared(last, row, keys as (keyof typeof row)[]) !== 0) sums.push({ ...row });
    else for (const field of fields) last[field] = plus(last[field], row[field]) as (typeof last)[Field];
  }
  return sums;
}

function compared<Row>(a: Row, b: Row, keys: readonly (keyof Row)[]): number {
  for (const key of keys) if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1;
  return 0;
}

function plus(sum: number | bigint, added: number | bigint): number | bigint {
  const exact = typeof sum === "number" && typeof added === "number" && Number.isSafeInteger(sum + added);
  return exact ? sum + added : BigInt(sum) + BigInt(added);
}
