/** How far a zone is ahead of UTC at an instant, in ms. */
function offsetAt(instant: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}

/** The instant at which clocks of the zone show this, as if it were UTC. */
function inZone(shown: number, timeZone: string): number {
  const guess = shown - offsetAt(shown, timeZone);
  // The offset of the guess, not of what was shown: clocks may change between the two.
  return shown - offsetAt(guess, timeZone);
}

/** `2026-11-06` begins where the project is. */
export const dayStart = (day: string, timeZone: string): string =>
  new Date(inZone(Date.parse(`${day}T00:00:00Z`), timeZone)).toISOString();

/** Its last second there. */
export const dayEnd = (day: string, timeZone: string): string =>
  new Date(inZone(Date.parse(`${day}T23:59:59Z`), timeZone)).toISOString();
