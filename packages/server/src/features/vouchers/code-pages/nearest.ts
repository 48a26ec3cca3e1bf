/** A page in which codes hold a part: how many, and between which times (in seconds) the vouchers of the page were made. */
export interface FoundPage {
  page: number;
  first_at: number;
  last_at: number;
  hits: number;
}

/** Which vouchers a list shows that is sorted by when they were made: so many, from the newest or the oldest. */
export interface Nearest {
  count: number;
  descending: boolean;
}

/**
 * The pages in which those vouchers are, and few others. Pages know between which times theirs were made: so many were made before the
 * farthest of the pages that lie nearest as a whole, and what was made wholly behind it is behind them all.
 */
export function nearestPages(pages: readonly FoundPage[], { count, descending }: Nearest): FoundPage[] {
  // As distances from the end at which the list begins.
  const [near, far] = descending
    ? [({ last_at }: FoundPage) => -last_at, ({ first_at }: FoundPage) => -first_at]
    : [({ first_at }: FoundPage) => first_at, ({ last_at }: FoundPage) => last_at];
  let hits = 0;
  const last = pages
    .toSorted((a, b) => far(a) - far(b))
    .find((page) => {
      hits += page.hits;
      return hits >= count;
    });
  return last ? pages.filter((page) => near(page) <= far(last)) : [...pages];
}
