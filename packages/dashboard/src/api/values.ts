/** Values as they are typed: `Oslo, "Washington, D.C."`; a line is a value too, as columns of a sheet are pasted. */
export function valuesIn(typed: string): string[] {
  const values: string[] = [];
  for (const [, quoted, plain] of typed.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,\n]*))\s*(?:,|\n|$)/g)) {
    const value = quoted === undefined ? (plain ?? "").trim() : quoted.replaceAll('""', '"');
    if (value !== "") values.push(value);
  }
  return values;
}

/** The same values as somebody would type them. */
export const typedOf = (values: readonly string[]): string =>
  values.map((value) => (/[,"\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(", ");

/** An object of JSON that somebody typed; null: it is none. */
export function objectIn(typed: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(typed);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** What somebody has changed of an object that the service merges by key: metadata. A key that was left out stays. */
export function changedKeys(before: Record<string, unknown> | null, after: Record<string, unknown> | null) {
  const said = (value: unknown) => JSON.stringify(value);
  return Object.fromEntries(Object.entries(after ?? {}).filter(([key, value]) => said(value) !== said(before?.[key])));
}
