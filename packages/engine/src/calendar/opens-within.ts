import type { ActivityWindow, Instant } from "../facts.js";
import { addDuration, type Duration, parseDuration, repeated, roughLength } from "./duration.js";
import { type CompiledWindow, compileWindow } from "./window.js";
import { DAY, MINUTE, zoneOf } from "./zone.js";

/** Any weekday and any hour comes by in so long, whatever clocks are changed. */
const WEEK_AND_DAY = 8 * DAY;
/** Of years that come by once a year, and of months: whatever weekday they are to fall on, they have. */
const openings_max = 30;

/**
 * Whether a window that {@link checkWindow} finds nothing wrong with is ever open within a time, both ends of which belong to it. Hours are
 * looked at by the minute, as they are written.
 */
export function opensWithin(window: ActivityWindow, time_zone: string, from: Instant, until: Instant): boolean {
  if (from > until) return false;
  const compiled = compileWindow(window, time_zone);
  const interval = parseDuration(window.validity_timeframe?.interval ?? "");
  // Openings that come by the hour are open on whatever day is asked for.
  if (interval === null || roughLength(interval) < DAY)
    return until - from >= WEEK_AND_DAY || someOf(compiled, from, until, MINUTE);
  return opensEvery(interval, window, compiled, time_zone, from, until);
}

function opensEvery(
  interval: Duration,
  { start_date, validity_timeframe }: ActivityWindow,
  compiled: CompiledWindow,
  time_zone: string,
  from: Instant,
  until: Instant,
): boolean {
  const duration = parseDuration(validity_timeframe?.duration ?? "");
  if (start_date === null || duration === null) return false;
  const zone = zoneOf(time_zone);
  const first = Math.max(0, Math.floor((from - start_date) / roughLength(interval)) - 2);
  for (let k = first; k < first + openings_max; k += 1) {
    const opens = addDuration(start_date, repeated(interval, k), zone);
    if (opens > until) return false;
    const closes = Math.min(addDuration(opens, duration, zone) - 1, until, opens + WEEK_AND_DAY);
    if (someOf(compiled, Math.max(opens, from), closes, DAY / 4)) return true;
  }
  return false;
}

/** Whether it is open at one of the ends, or at a step between them. */
function someOf(compiled: CompiledWindow, from: Instant, until: Instant, step: number): boolean {
  if (from > until) return false;
  if (compiled.check(from) === null || compiled.check(until) === null) return true;
  for (let instant = Math.ceil(from / step) * step; instant <= until; instant += step)
    if (compiled.check(instant) === null) return true;
  return false;
}
