/**
 * Tells, inside this process, that something was committed which somebody may take up at once. A ring is a hint and
 * nothing more: it is lost when nobody listens, and whoever listens looks by itself too (ADR 17).
 */
export interface Bell {
  /** Call it after the commit. Costs next to nothing, so ring once too often rather than not at all. */
  ring(name: string): void;
  /** Answers how to listen no more. */
  onRing(name: string, listener: () => void): () => void;
}

export function createBell(): Bell {
  const listeners = new Map<string, Set<() => void>>();
  return {
    ring(name) {
      for (const listener of listeners.get(name) ?? []) listener();
    },
    onRing(name, listener) {
      const known = listeners.get(name) ?? new Set();
      listeners.set(name, known.add(listener));
      return () => void known.delete(listener);
    },
  };
}
