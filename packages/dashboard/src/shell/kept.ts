/** What a browser keeps for us under a name; null where it has nothing, or keeps nothing at all. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`guerdon.${name}`);
  } catch {
    return null;
  }
}

/** @param value null: not kept any more */
export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`guerdon.${name}`);
    else localStorage.setItem(`guerdon.${name}`, value);
  } catch {
    // A browser that keeps nothing begins anew each time.
  }
}
