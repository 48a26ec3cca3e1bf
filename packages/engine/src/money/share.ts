/** What is left to be shared out once whoever would get more than their cap has that. */
interface Uncapped {
  rest: number;
  /** Places of those who share it by their weights. */
  open: ReadonlySet<number>;
}

/**
 * Who shares what, in exact fractions (discounts.md §4): a share above its cap is the cap, and what that cuts off goes to the others by the
 * same weights, which may bring more of them to theirs. All values are non-negative integers.
 */
export function uncapped(total: number, weights: readonly number[], caps: readonly number[]): Uncapped {
  const sharing = weights.flatMap((weight, place) =>
    weight > 0 ? [{ place, weight: BigInt(weight), cap: BigInt(caps[place] as number) }] : [],
  );
  // Whoever has the least room for their weight is full first.
  sharing.sort((a, b) => Number(a.cap * b.weight - b.cap * a.weight));
  let rest = BigInt(total);
  let sum = sharing.reduce((all, { weight }) => all + weight, 0n);
  const open = new Set(sharing.map(({ place }) => place));
  for (const { place, weight, cap } of sharing) {
    if (rest * weight < cap * sum) break;
    rest -= cap;
    sum -= weight;
    open.delete(place);
  }
  return { rest: Number(rest), open };
}

/**
 * Splits `total` over `weights` so that the shares sum exactly to it (discounts.md §4), each rounded once. No share
 * exceeds its cap, and what none of them can take is not placed. All values are non-negative integers.
 */
export function shareOut(total: number, weights: readonly number[], caps: readonly number[] = weights): number[] {
  const { rest, open } = uncapped(total, weights, caps);
  const shares = weights.map((weight, i) => (weight > 0 ? (caps[i] as number) : 0));
  const places = weights.flatMap((_, place) => (open.has(place) ? [place] : []));
  const given = largestRemainder(
    rest,
    places.map((place) => weights[place] as number),
  );
  // Less than the cap before it was rounded, and the cap is whole: no more than that afterwards.
  for (const [i, place] of places.entries()) shares[place] = given[i] as number;
  return shares;
}

/**
 * Largest remainder, not rounding: shares rounded one by one may sum to a cent more or less than
 * the total, and the order no longer adds up. Equal remainders: the earlier share gets the unit.
 */
function largestRemainder(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n);
  const exact = weights.map((weight) => BigInt(total) * BigInt(weight));
  const shares = exact.map((product) => Number(product / sum));
  const missing = total - shares.reduce((all, share) => all + share, 0);
  exact
    .map((product, position) => ({ remainder: product % sum, position }))
    .sort((a, b) => (a.remainder === b.remainder ? a.position - b.position : a.remainder > b.remainder ? -1 : 1))
    .slice(0, missing)
    .forEach(({ position }) => {
      shares[position] = (shares[position] as number) + 1;
    });
  return shares;
}
