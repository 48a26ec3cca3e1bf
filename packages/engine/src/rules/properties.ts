export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

// A path is tried at each of its dots; without a bound one of a million dots would take minutes.
export const PATH_LENGTH_MAX = 1_000;

/**
 * The value of a metadata property; undefined when it is missing. A dotted name walks nested objects
 * (rules.md §5), unless the very name is a key: keys may hold dots themselves, and the longest wins.
 */
export function readProperty(object: unknown, path: string): unknown {
  if (!isObject(object) || path.length > PATH_LENGTH_MAX) return undefined;
  // Own keys only: `constructor` is not metadata.
  if (Object.hasOwn(object, path)) return object[path];
  return path.includes(".") ? inside(object, path, { left: STEPS_MAX }) : undefined;
}

// Deeper than the door lets anything through, even where keys with dots lead astray. Each step hashes a piece of the path:
// five hundred dots in vain took 2 ms.
const STEPS_MAX = 200;

function inside(object: JsonObject, path: string, steps: { left: number }): unknown {
  for (let dot = path.lastIndexOf("."); dot > 0 && steps.left > 0; dot = path.lastIndexOf(".", dot - 1)) {
    steps.left -= 1;
    const key = path.slice(0, dot);
    if (!Object.hasOwn(object, key)) continue;
    const within = object[key];
    const rest = path.slice(dot + 1);
    if (!isObject(within)) continue;
    const found = Object.hasOwn(within, rest) ? within[rest] : inside(within, rest, steps);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The work of reading a property: nothing to speak of, unless its path is long. */
export const workOfPath = (path: string) => (path.length > 64 ? path.length : 1);
