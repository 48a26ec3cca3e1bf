import { useMantineColorScheme } from "@mantine/core";

export type Colours = "auto" | "light" | "dark";

const kept_as = "guerdon.colours";

/** Where Mantine keeps them, and `boot.ts` finds them before the first paint. */
export const coloursManager = {
  get: (missing: Colours): Colours => {
    try {
      return (localStorage.getItem(kept_as) as Colours | null) ?? missing;
    } catch {
      return missing;
    }
  },
  set: (value: Colours) => {
    try {
      localStorage.setItem(kept_as, value);
    } catch {
      // A browser that keeps nothing asks again next time.
    }
  },
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
};

export function useColours() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return { colours: colorScheme, choose: setColorScheme };
}
