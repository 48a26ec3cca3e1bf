/** Who wants units and who has them. Conditions and lines are named by their position, from 0. */
interface UnitMarket {
  /** Units that each condition asks for. */
  readonly wanted: readonly number[];
  /** Units of each line. */
  readonly available: readonly number[];
  /** The lines that may serve each condition, in the order in which they are taken. */
  readonly lines_of: readonly (readonly number[])[];
}

/** What each condition gets. */
interface UnitShare {
  /** Units by line. */
  readonly taken: Map<number, number>;
  /** Units that no line can give. */
  lacking: number;
}

/**
 * Gives every unit to one condition at most, so that as few as possible go short (discounts.md §9).
 * Conditions choose in their order, each taking the first lines that have something left. One that
 * goes short asks those before it to move to other lines: taking what is there is not enough, since
 * {a, b} may hold the only a while a b lies unused. No condition gets less because of a later one, so
 * with `one_short` the first that does tells enough: the others are not served any more.
 */
export function shareUnits(market: UnitMarket, until: "all_served" | "one_short" = "all_served"): UnitShare[] {
  const shares: UnitShare[] = market.wanted.map((lacking) => ({ taken: new Map(), lacking }));
  const free = [...market.available];
  const holders = market.available.map((): number[] => []);
  for (const [condition, share] of shares.entries()) {
    for (const line of market.lines_of[condition] as number[]) {
      holders[line]?.push(condition);
      const units = Math.min(share.lacking, free[line] as number);
      if (units > 0) take(share, line, units, free);
    }
    while (share.lacking > 0) {
      const chain = freeingChain(condition, market, shares, free, holders);
      if (chain === null) break;
      moveAlong(chain, share, shares, free);
    }
    if (share.lacking > 0 && until === "one_short") break;
  }
  return shares;
}

function take(share: UnitShare, line: number, units: number, free: number[]): void {
  share.taken.set(line, (share.taken.get(line) ?? 0) + units);
  share.lacking -= units;
  free[line] = (free[line] as number) - units;
}

/** A condition takes units of a line, which `from` gives up; null: the line has units that nobody holds. */
interface Move {
  readonly condition: number;
  readonly line: number;
  readonly from: number | null;
}

/**
 * The shortest chain of moves that frees a unit for a condition, the free line first; null: there is
 * none. Looks at each line and each condition once.
 */
function freeingChain(
  start: number,
  { lines_of }: UnitMarket,
  shares: readonly UnitShare[],
  free: readonly number[],
  holders: readonly (readonly number[])[],
): Move[] | null {
  const reached = new Map<number, Move | null>([[start, null]]);
  const seen = new Set<number>();
  for (const condition of reached.keys()) {
    for (const line of lines_of[condition] as number[]) {
      if (seen.has(line)) continue;
      seen.add(line);
      if ((free[line] as number) > 0) return chainTo({ condition, line, from: null }, reached);
      for (const from of holders[line] as number[]) {
        // A Map walks over what is added on the way, so it is the queue as well.
        if (!reached.has(from) && shares[from]?.taken.has(line)) reached.set(from, { condition, line, from });
      }
    }
  }
  return null;
}

function chainTo(last: Move, reached: ReadonlyMap<number, Move | null>): Move[] {
  const chain: Move[] = [];
  for (let move: Move | null = last; move !== null; move = reached.get(move.condition) ?? null) chain.push(move);
  return chain;
}

/** Moves as many units as every step of the chain can. */
function moveAlong(chain: readonly Move[], starving: UnitShare, shares: readonly UnitShare[], free: number[]): void {
  const held = ({ line, from }: Move) => (from === null ? free[line] : shares[from]?.taken.get(line)) ?? 0;
  const units = Math.min(starving.lacking, ...chain.map(held));
  for (const { condition, line, from } of chain) {
    if (from !== null) giveUp(shares[from] as UnitShare, line, units, free);
    take(shares[condition] as UnitShare, line, units, free);
  }
}

function giveUp(share: UnitShare, line: number, units: number, free: number[]): void {
  const left = (share.taken.get(line) ?? 0) - units;
  if (left === 0) share.taken.delete(line);
  else share.taken.set(line, left);
  share.lacking += units;
  free[line] = (free[line] as number) + units;
}
