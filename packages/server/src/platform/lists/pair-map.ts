/**
 * A map by two texts. Made one text they would be copied and hashed for every look: 150 ns, where two take 20.
 */
export class PairMap<Value> {
  private readonly of_one = new Map<string, Map<string, Value>>();

  get(one: string, other: string): Value | undefined {
    return this.of_one.get(one)?.get(other);
  }

  has(one: string, other: string): boolean {
    return this.of_one.get(one)?.has(other) ?? false;
  }

  set(one: string, other: string, value: Value): void {
    const known = this.of_one.get(one);
    if (known) known.set(other, value);
    else this.of_one.set(one, new Map([[other, value]]));
  }

  /** In the order in which they came, by what comes first in their names. */
  *values(): Iterable<Value> {
    for (const of_other of this.of_one.values()) yield* of_other.values();
  }
}
