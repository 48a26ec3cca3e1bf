/** Dice that fall alike for the same seed: a whole number from 0 up to, and without, what is asked for. */
export type Dice = (below: number) => number;

export function seeded(seed: number): Dice {
  let state = seed % 2_147_483_647 || 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** As the environment says, where a seed that failed is tried again. */
export const seedOfRun = (): number => Number(process.env.GUERDON_TEST_SEED ?? Date.now() % 2 ** 31);
