/** A run that cannot be believed, or was asked for wrongly; one line, and nothing is printed. */
export class NotAsExpected extends Error {}

/** What is wrong with an answer; undefined where nothing is. */
export const differs = (said, expected) =>
  JSON.stringify(said) === JSON.stringify(expected)
    ? undefined
    : `${JSON.stringify(said)}, not ${JSON.stringify(expected)}`;
