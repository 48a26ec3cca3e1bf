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
