import { isEmpty, parseDuration } from "../calendar/duration.js";
import { parseMoment } from "./moments.js";
import { COUNTS, DAYS, isOneOf, type OperatorName, RANGES } from "./operator-names.js";
import { numberOf } from "./scalars.js";
import { timeOfDay, weekdaysOf } from "./time-operators.js";

/**
 * Why no value whatever could satisfy an operator with this operand, in words that follow a path; null when some could
 * (rules.md §4). Types are none of its business: "5" is a number and 5 a text to whoever wants one.
 */
export function operandProblem(operator: OperatorName, operand: unknown): string | null {
  if (operand === null) return "must not be null";
  if (isOneOf(RANGES, operator)) return numberOf(operand) === null ? mustBeMoment(operand, "a number or a date") : null;
  if (isOneOf(COUNTS, operator)) return isCount(operand) ? null : "must be a whole number of at least 0";
  if (isOneOf(DAYS, operator)) return Number.isInteger(numberOf(operand)) ? null : "must be a whole number of days";
  switch (operator) {
    case "$after":
    case "$before":
      return mustBeMoment(operand, "a date");
    case "$dow":
      return weekdaysOf(operand) === null ? "must be a weekday from 0 (Sunday) to 6" : null;
    case "$timeframe":
      return isTimeframe(partsOf(operand))
        ? null
        : "must be 'start;interval;duration', a date and two ISO 8601 durations";
    case "$timeframe_absolute":
      return isPeriod(partsOf(operand)) ? null : "must be 'from;to', two dates in their order";
    case "$timeframe_daily_hours":
      return isDailyHours(partsOf(operand)) ? null : "must be 'HH:MM;HH:MM;d,d', with weekdays from 0 (Sunday) to 6";
    default:
      return null;
  }
}

const mustBeMoment = (operand: unknown, what: string) =>
  parseMoment(operand) === null ? `must be ${what} of the form YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ` : null;

function isCount(operand: unknown): boolean {
  const count = numberOf(operand);
  return Number.isInteger(count) && (count as number) >= 0;
}

const partsOf = (operand: unknown): readonly string[] => (typeof operand === "string" ? operand.split(";") : []);

function isTimeframe([start = "", interval = "", duration = "", ...more]: readonly string[]): boolean {
  const durations = [parseDuration(interval), parseDuration(duration)];
  const last = durations.every((one) => one !== null && !isEmpty(one));
  return parseMoment(start) !== null && last && more.length === 0;
}

function isPeriod([from = "", to = "", ...more]: readonly string[]): boolean {
  const start = parseMoment(from);
  const end = parseMoment(to);
  if (start === null || end === null || more.length > 0) return false;
  // Where only one of them names a zone, which comes first depends on the project's.
  const comparable = (start.offset === null) === (end.offset === null);
  return !comparable || start.local - (start.offset ?? 0) <= end.local - (end.offset ?? 0);
}

function isDailyHours([from = "", to = "", days = "", ...more]: readonly string[]): boolean {
  const times = timeOfDay(from) !== null && timeOfDay(to) !== null;
  return times && weekdaysOf(days.split(",")) !== null && more.length === 0;
}
