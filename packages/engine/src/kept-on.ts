/**
 * What is made of an object and kept on it, where neither a spread nor JSON finds it. For objects that live as long as a request: of a `WeakMap`
 * that is old V8 takes all values for living whenever it collects young objects, so that whatever was kept of any request would be copied, and grow
 * old with all that it holds (ADR 120).
 */
export class KeptOn<Of extends object, Kept> {
  private readonly key = Symbol();

  of(object: Of): Kept | undefined {
    return (object as { [key: symbol]: Kept | undefined })[this.key];
  }

  /** In place of what was kept there. */
  keep(object: Of, kept: Kept): void {
    Object.defineProperty(object, this.key, { value: kept, configurable: true });
  }
}

/** Makes something of an object once, as long as that lives; of the same object, which may not change, comes the same. */
export function oncePer<Of extends object, Made extends object>(make: (of: Of) => Made): (of: Of) => Made {
  const made = new KeptOn<Of, Made>();
  return (of) => {
    const known = made.of(of);
    if (known) return known;
    const now = make(of);
    made.keep(of, now);
    return now;
  };
}
