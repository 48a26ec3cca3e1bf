/** The embedded server cannot start here. The message is one line for people: it names the folder and what helps. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
}

/** Turns what the file system answered about the data folder into a {@link StartRefused}; anything else passes unchanged. */
export function asRefusal(error: unknown, data_dir: string): unknown {
  if (!(error instanceof Error) || error instanceof StartRefused || !("syscall" in error)) return error;
  return new StartRefused(
    `The data folder ${data_dir} cannot be used (${oneLine(error.message)}). Make it writable, or set GUERDON_DATA_DIR to another folder.`,
    { cause: error },
  );
}

/** Everything that follows a line break would be lost to whoever reads one line. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, "; ");
}
