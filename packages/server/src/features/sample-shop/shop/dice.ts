/** Throws dice: the same ones for the same seed, so that a day that is lived again is the same day. */
export interface Dice {
  /** One of the whole numbers below the bound. */
  below(bound: number): number;
  /** True so many times in a hundred. */
  percent(chance: number): boolean;
  oneOf<Thing>(things: readonly Thing[]): Thing;
}

export function dice(seed: number): Dice {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  // Mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    percent: (chance) => next() * 100 < chance,
    oneOf: <Thing>(things: readonly Thing[]) => things[below(things.length)] as Thing,
  };
}
