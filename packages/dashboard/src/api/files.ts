/** A file comes from here, whatever address the service believes to have. */
export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
};

/** Hands a text to somebody as a file. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken it by the end of this turn.
  setTimeout(() => URL.revokeObjectURL(url));
}

/** Rows as CSV. What a spreadsheet would calculate with stands behind an apostrophe: others chose what is in the cells. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(cellOf).join(",")}\n`).join("");

const cellOf = (cell: string) => {
  const harmless = /^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};
