import { useMantineColorScheme } from "@mantine/core";
import { keep, kept } from "./kept.js";

export type Colours = "auto" | "light" | "dark";

/** Where Mantine keeps them, and `boot.ts` finds them before the first paint. */
export const coloursManager = {
  get: (missing: Colours): Colours => (kept("colours") as Colours | null) ?? missing,
  set: (value: Colours) => keep("colours", value),
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
};

export function useColours() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return { colours: colorScheme, choose: setColorScheme };
}
