/**
 * Splits `total` over `weights` so that the shares sum exactly to it (discounts.md §4). No share
 * exceeds its cap: what a cap cuts off goes to the other shares by the same weights, and what none
 * of them can take is not placed. All values are non-negative integers.
 */
export function shareOut(total: number, weights: readonly number[], caps: readonly number[] = weights): number[] {
  const shares = weights.map(() => 0);
  let open = weights.flatMap((weight, i) => (weight > 0 && (caps[i] as number) > 0 ? [i] : []));
  let rest = total;
  while (rest > 0 && open.length > 0) {
    const given = largestRemainder(
      rest,
      open.map((i) => weights[i] as number),
    );
    let placed = 0;
    open.forEach((i, position) => {
      const share = Math.min(given[position] as number, (caps[i] as number) - (shares[i] as number));
      shares[i] = (shares[i] as number) + share;
      placed += share;
    });
    rest -= placed;
    open = open.filter((i) => (shares[i] as number) < (caps[i] as number));
  }
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
