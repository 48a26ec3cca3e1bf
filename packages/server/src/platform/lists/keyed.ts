/**
 * An object by keys that come with the data. It has no prototype, so that it is a dictionary from the start: V8 makes a new shape of an
 * object for each key that it has not seen, and keeps it.
 */
export function keyed<Value>(entries: Iterable<readonly [key: string, value: Value]>): Record<string, Value> {
  const made: Record<string, Value> = Object.create(null);
  for (const [key, value] of entries) made[key] = value;
  return made;
}
