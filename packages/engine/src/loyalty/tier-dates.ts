import type { Day } from "../calendar/day.js";
import { type Duration, parseDuration } from "../calendar/duration.js";
import { type CalendarPeriod, firstDayOf, lastDayOf, laterBy, monthFrom, nextPeriod } from "../calendar/period.js";
import type { InputFault } from "../calendar/window-fault.js";

/** How members of a program qualify for its tiers, as it is stored (loyalty.md §8.2). */
export interface TiersExpiration {
  qualification_type: "BALANCE" | "POINTS_IN_PERIOD";
  qualification_period?: CalendarPeriod | undefined;
  start_date: { type: "IMMEDIATE" | "NEXT_PERIOD" };
  expiration_date: {
    type: "END_OF_PERIOD" | "END_OF_NEXT_PERIOD" | "BALANCE_DROP" | "CUSTOM";
    extend?: string | undefined;
    rounding?:
      | {
          type?: CalendarPeriod | "CUSTOM" | undefined;
          strategy?: "START" | "END" | undefined;
          /** A month, 0 is January: for CUSTOM. */
          value?: number | undefined;
        }
      | undefined;
  };
}

/** The same, read: what does not go together cannot be said. */
export type TierSettings =
  /** In a tier as long as the balance is in its range. */
  | { by: "balance"; lasts: null }
  | { by: "balance"; lasts: Lasting }
  | {
      by: "points in period";
      period: CalendarPeriod;
      starts: "IMMEDIATE" | "NEXT_PERIOD";
      periods: 1 | 2;
      lasts: Lasting;
    };

/** How long behind the day, or the period, that a tier was reached in. */
interface Lasting {
  extend: Pick<Duration, "months" | "days">;
  rounding: Rounding | null;
}

type Rounding = { to: "START" | "END" } & ({ period: CalendarPeriod } | { month: number });

const by_balance: TierSettings = { by: "balance", lasts: null };
const no_time = { months: 0, days: 0 };

/** Checks settings before they are stored; null when nothing is wrong. */
export function checkTiersExpiration(settings: TiersExpiration): InputFault | null {
  const { qualification_type, qualification_period, start_date, expiration_date } = settings;
  const fault = (path: string, problem: string): InputFault => ({ kind: "payload", path, problem });
  const { type, extend, rounding } = expiration_date;
  const is_by_balance = qualification_type === "BALANCE";
  if (!is_by_balance && qualification_period === undefined)
    return fault("qualification_period", "is required with qualification_type POINTS_IN_PERIOD");
  if (is_by_balance && start_date.type === "NEXT_PERIOD")
    return fault("start_date.type", "must be IMMEDIATE with qualification_type BALANCE");
  if (is_by_balance !== (type === "BALANCE_DROP" || type === "CUSTOM")) {
    const allowed = is_by_balance ? "BALANCE_DROP or CUSTOM" : "END_OF_PERIOD or END_OF_NEXT_PERIOD";
    return fault("expiration_date.type", `must be ${allowed} with qualification_type ${qualification_type}`);
  }
  const duration = parseDuration(extend ?? "P0D");
  if (duration === null || duration.milliseconds > 0)
    return fault("expiration_date.extend", "must be an ISO 8601 duration in months or days");
  const { type: rounded_to, value } = rounding ?? {};
  if (rounded_to === "CUSTOM" && !(Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 11))
    return fault("expiration_date.rounding.value", "must be a month from 0 to 11");
  return null;
}

/** Reads stored settings; a program without any, or with such as would be refused today, goes by the balance alone. */
export function tierSettings(stored: TiersExpiration | null): TierSettings {
  if (stored === null || checkTiersExpiration(stored) !== null) return by_balance;
  const { qualification_period: period, start_date, expiration_date } = stored;
  const { type, extend, rounding } = expiration_date;
  const lasts: Lasting = { extend: parseDuration(extend ?? "P0D") ?? no_time, rounding: roundingOf(rounding) };
  if (period === undefined || stored.qualification_type === "BALANCE")
    return type === "CUSTOM" ? { by: "balance", lasts } : by_balance;
  return {
    by: "points in period",
    period,
    starts: start_date.type,
    periods: type === "END_OF_NEXT_PERIOD" ? 2 : 1,
    lasts,
  };
}

function roundingOf(rounding: TiersExpiration["expiration_date"]["rounding"]): Rounding | null {
  const { type, strategy: to = "END", value } = rounding ?? {};
  if (type === undefined) return null;
  return type === "CUSTOM" ? { to, month: (value ?? 0) + 1 } : { to, period: type };
}

/** From when a tier counts that was reached on a day, and to which day, that one included; null: no day (loyalty.md §8.3). */
export function tierDates(settings: TierSettings, reached: Day): { start: Day; end: Day | null } {
  const is_ahead = settings.by === "points in period" && settings.starts === "NEXT_PERIOD";
  const start = is_ahead ? nextPeriod(settings.period, reached) : reached;
  return { start, end: tierEnd(settings, start) };
}

/** To which day a tier counts that counts from a day on: for that day at least, wherever its end is rounded to. */
export function tierEnd(settings: TierSettings, start: Day): Day | null {
  if (settings.lasts === null) return null;
  const { extend, rounding } = settings.lasts;
  const end = rounded(rounding, laterBy(lastOf(settings, start), extend));
  return end < start ? start : end;
}

/** The last day of the period that a tier counts for; by the balance, the day it is reached. */
function lastOf(settings: TierSettings, start: Day): Day {
  if (settings.by === "balance") return start;
  const { period, periods } = settings;
  return lastDayOf(period, periods === 1 ? start : nextPeriod(period, start));
}

function rounded(rounding: Rounding | null, day: Day): Day {
  if (rounding === null) return day;
  if ("month" in rounding) {
    const { first, last } = monthFrom(rounding.month, day);
    return rounding.to === "END" ? last : first;
  }
  return rounding.to === "END" ? lastDayOf(rounding.period, day) : firstDayOf(rounding.period, day);
}
