import { byNewest, type Candidate } from "./candidate.js";
import type { CodeSource } from "./codes.js";

/** Candidates that are looked at together at most: more and more, as it turns out that most do not qualify. */
export const candidates_at_once_max = 200;

/**
 * All candidates in one order, batch by batch, so that no more codes are read than are wanted.
 * @param catalogued newest first
 * @param ends_with_codes where not all codes may be looked at, nothing behind them is: for who goes on there
 */
export async function* newestFirst(
  catalogued: readonly Candidate[],
  codes: CodeSource,
  first_batch: number,
  ends_with_codes: boolean,
): AsyncGenerator<Candidate[], void> {
  let [next_catalogued, next_code] = [0, 0];
  let read: Candidate[] = [];
  for (let size = first_batch; ; size = Math.min(candidates_at_once_max, size * 2)) {
    const batch: Candidate[] = [];
    while (batch.length < size) {
      if (next_code === read.length && !codes.is_done) {
        read = await codes.next(size);
        next_code = 0;
        continue;
      }
      const [promotion, code] = [catalogued[next_catalogued], read[next_code]];
      const end = ends_with_codes && !code ? codes.cut_at : null;
      if (promotion && end && byNewest(promotion, end) > 0) break;
      if (promotion && (!code || byNewest(promotion, code) < 0)) {
        batch.push(promotion);
        next_catalogued += 1;
      } else if (code) {
        batch.push(code);
        next_code += 1;
      } else break;
    }
    if (batch.length > 0) yield batch;
    if (batch.length < size) return;
  }
}
