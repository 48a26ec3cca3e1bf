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

/** What clocks of the zone show at an instant, as a field for a date and a time writes it: `2026-11-06T09:30`. */
export function shownIn(iso: string, timeZone: string): string {
  const instant = Date.parse(iso);
  const shown = new Date(instant + offsetAt(instant, timeZone)).toISOString().slice(0, 19);
  return shown.endsWith(":00") ? shown.slice(0, -3) : shown;
}

/** The instant at which they show that; null: it is no date and time. */
export function instantShown(shown: string, timeZone: string): string | null {
  const parsed = Date.parse(`${shown}Z`);
  return Number.isNaN(parsed) ? null : new Date(inZone(parsed, timeZone)).toISOString();
}
