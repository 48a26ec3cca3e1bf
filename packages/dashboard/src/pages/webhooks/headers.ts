/** Headers as somebody writes them, one a line; null where a line is none. */
export function headersIn(typed: string): Record<string, string> | null {
  const lines = typed.split("\n").filter((line) => line.trim() !== "");
  const read = lines.map((line) => /^\s*([^\s:]+)\s*:\s*(.*\S)\s*$/.exec(line));
  return read.includes(null) ? null : Object.fromEntries(read.map((one) => [one?.[1] ?? "", one?.[2] ?? ""]));
}

/** What is sent of them: nothing where they stay, null where those that there are shall go. */
export function headersSent(typed: string, forget: boolean): { custom_headers?: Record<string, string> | null } {
  const headers = headersIn(typed) ?? {};
  if (Object.keys(headers).length > 0) return { custom_headers: headers };
  return forget ? { custom_headers: null } : {};
}
