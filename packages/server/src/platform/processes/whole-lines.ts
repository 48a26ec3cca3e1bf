import type { Readable } from "node:stream";

/** What a process may write without the end of a line; more is told as a line of its own. */
const line_units_max = 2 ** 20;

/**
 * Passes on what a process writes line by line: of several that wrote to one pipe themselves a long line would stand inside of
 * another's.
 */
export function passWholeLines(from: Readable, write: (line: string) => void): void {
  let begun = "";
  from.setEncoding("utf8");
  from.on("data", (text: string) => {
    const lines = (begun + text).split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines) write(`${line}\n`);
    if (begun.length > line_units_max) {
      write(`${begun}\n`);
      begun = "";
    }
  });
  from.on("end", () => {
    if (begun !== "") write(`${begun}\n`);
  });
}
