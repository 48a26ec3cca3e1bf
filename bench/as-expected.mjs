/** A run that cannot be believed, or was asked for wrongly; one line, and nothing is printed. */
export class NotAsExpected extends Error {}
