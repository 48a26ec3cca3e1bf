/**
 * The items by what they have in common, groups and their items in the order in which they came.
 * Each joins its group: a group that was copied for every item would take, of a thousand, the time of a million.
 */
export function grouped<One, Key>(items: Iterable<One>, keyOf: (one: One) => Key): Map<Key, One[]> {
  const groups = new Map<Key, One[]>();
  for (const one of items) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
