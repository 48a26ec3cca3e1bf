/** `filters[type][conditions][$in][0]=…`, as the service reads it: what is undefined is left out. */
export function queryString(query: Record<string, unknown>): string {
  return Object.entries(query)
    .flatMap(([name, value]) => pairs(name, value))
    .join("&");
}

function pairs(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== "object") return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
  return Object.entries(value).flatMap(([key, inner]) => pairs(`${name}[${key}]`, inner));
}
