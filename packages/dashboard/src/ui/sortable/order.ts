/** A list with one of its rows at another place. */
export function moved<Row>(rows: readonly Row[], from: number, to: number): Row[] {
  const others = rows.filter((_, i) => i !== from);
  const row = rows[from];
  return row === undefined ? [...rows] : [...others.slice(0, to), row, ...others.slice(to)];
}

/** The place of what is dragged: behind all others whose middle it has passed. */
export const placeAt = (middles: readonly number[], y: number, from: number): number =>
  middles.filter((middle, i) => i !== from && middle < y).length;
