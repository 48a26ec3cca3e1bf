import type { ActivityWindow } from "../facts.js";
import { isEmpty, parseDuration } from "./duration.js";
import { hasHours, hoursOfDay, timeOfDay } from "./window.js";
import { DAY } from "./zone.js";

/** What is wrong with a value someone sent: where, and in words that follow the path ("must be …"). */
export interface InputFault {
  /** `payload`: the shape is wrong (`invalid_payload`). `semantic`: the shape is right, the meaning is not. */
  readonly kind: "payload" | "semantic";
  /** Path inside the checked value, e.g. `validity_hours.daily[1].start_time`. */
  readonly path: string;
  readonly problem: string;
}

/** Checks a window before it is stored (vouchers-and-campaigns.md §4.2–§4.4). Null: nothing is wrong. */
export function checkWindow(window: ActivityWindow): InputFault | null {
  return (
    checkDates(window) ??
    checkTimeframe(window) ??
    checkWeekdays(window) ??
    checkHours(window) ??
    checkCombination(window)
  );
}

const fault = (kind: InputFault["kind"], path: string, problem: string): InputFault => ({ kind, path, problem });

function checkDates({ start_date, expiration_date }: ActivityWindow): InputFault | null {
  if (start_date === null || expiration_date === null || start_date <= expiration_date) return null;
  return fault("semantic", "expiration_date", "must not be before start_date");
}

function checkTimeframe({ start_date, validity_timeframe }: ActivityWindow): InputFault | null {
  if (validity_timeframe === null) return null;
  for (const part of ["duration", "interval"] as const) {
    const duration = parseDuration(validity_timeframe[part]);
    const path = `validity_timeframe.${part}`;
    if (duration === null) return fault("payload", path, "must be an ISO 8601 duration");
    if (isEmpty(duration)) return fault("semantic", path, "must be longer than zero");
  }
  if (start_date === null) return fault("semantic", "start_date", "is required with validity_timeframe");
  return null;
}

const areWeekdays = (days: readonly number[]) => days.every((day) => Number.isInteger(day) && day >= 0 && day <= 6);

function checkWeekdays({ validity_day_of_week }: ActivityWindow): InputFault | null {
  if (areWeekdays(validity_day_of_week ?? [])) return null;
  return fault("payload", "validity_day_of_week", "must hold integers from 0 to 6");
}

function checkHours({ validity_hours }: ActivityWindow): InputFault | null {
  const daily = validity_hours?.daily ?? [];
  for (const [i, entry] of daily.entries()) {
    const path = `validity_hours.daily[${i}]`;
    if (!areWeekdays(entry.days_of_week ?? [])) {
      return fault("payload", `${path}.days_of_week`, "must hold integers from 0 to 6");
    }
    for (const time of ["start_time", "expiration_time"] as const) {
      if (timeOfDay(entry[time]) === null)
        return fault("payload", `${path}.${time}`, "must be a time of the form HH:mm");
    }
  }
  const overlap = firstOverlap(daily.flatMap(stretches));
  return overlap === null
    ? null
    : fault("payload", `validity_hours.daily[${overlap}]`, "must not overlap with another entry on the same weekday");
}

function checkCombination(window: ActivityWindow): InputFault | null {
  const { validity_timeframe, validity_day_of_week } = window;
  if (!hasHours(window)) return null;
  if (validity_timeframe === null && (validity_day_of_week ?? []).length === 0) return null;
  return fault("semantic", "validity_hours", "cannot be combined with validity_timeframe or validity_day_of_week");
}

interface Stretch {
  entry: number;
  from: number;
  to: number;
}

const WEEK = 7 * DAY;

/** An entry as stretches of one week, so that hours past midnight, and past Saturday, need no case of their own. */
function stretches(daily: Parameters<typeof hoursOfDay>[0], entry: number): Stretch[] {
  return hoursOfDay(daily).flatMap(({ weekdays, from, to }) =>
    [...new Set(weekdays)].flatMap((weekday) => {
      const begin = weekday * DAY + from;
      const end = weekday * DAY + to + (to < from ? DAY : 0);
      if (end < WEEK) return [{ entry, from: begin, to: end }];
      return [
        { entry, from: begin, to: WEEK },
        { entry, from: 0, to: end - WEEK },
      ];
    }),
  );
}

/** Index of an entry that overlaps with another one. Meeting in one minute (12:00 and 12:00) is allowed. */
function firstOverlap(all: Stretch[]): number | null {
  const sorted = [...all].sort((a, b) => a.from - b.from);
  for (let i = 1; i < sorted.length; i += 1) {
    const [before, after] = [sorted[i - 1] as Stretch, sorted[i] as Stretch];
    if (after.from < before.to && after.entry !== before.entry) return Math.max(after.entry, before.entry);
  }
  return null;
}
