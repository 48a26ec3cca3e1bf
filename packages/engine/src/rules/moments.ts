import { DAY, localTime, zoneOf } from "../calendar/zone.js";
import type { Instant } from "../facts.js";
import type { Work } from "../work.js";

/** What "now" and "today" mean to a rule, a filter or a formula. A {@link RuleContext} is one. */
export interface Clock {
  readonly instant: Instant;
  readonly time_zone: string;
  /** Counts what is done; absent: nobody bounds it. */
  readonly work?: Work;
}

/** A point in time as somebody wrote it. Read once; where it lies depends on the zone of whoever asks. */
export interface WrittenMoment {
  /** Milliseconds since 1970-01-01T00:00 by the writer's wall clock. */
  readonly local: number;
  /** Milliseconds ahead of UTC; null when no zone was written: the project's. */
  readonly offset: number | null;
  /** A date without a time: in equality it stands for the whole local day (rules.md §4). */
  readonly whole_day: boolean;
}

const PATTERN =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/** Reads an ISO 8601 date or date-time (rules.md §5); null for anything else, a 30th of February included. */
export function parseMoment(value: unknown): WrittenMoment | null {
  const parts = typeof value === "string" ? PATTERN.exec(value) : null;
  if (parts === null) return null;
  const [, year, month, date, hour, minute = "0", second = "0", fraction = "", zone] = parts;
  const day = dayOfDate(Number(year), Number(month), Number(date));
  if (day === null || Number(hour ?? 0) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const seconds = (Number(hour ?? 0) * 60 + Number(minute)) * 60 + Number(second);
  const milliseconds = seconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
  return { local: day * DAY + milliseconds, offset: offsetOf(zone), whole_day: hour === undefined };
}

function offsetOf(zone: string | undefined): number | null {
  if (zone === undefined) return null;
  if (zone === "Z" || zone === "z") return 0;
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return (zone.startsWith("-") ? -minutes : minutes) * 60_000;
}

/** Where a written moment lies; a date without a time begins with its local day. */
export const instantOf = (moment: WrittenMoment, time_zone: string): Instant =>
  moment.offset === null ? instantOfLocal(moment.local, time_zone) : moment.local - moment.offset;

/**
 * The instant at which the wall clock of a zone shows `local`. What a DST change skips moves forward,
 * what it repeats is the first of the two, as with Temporal.
 */
export function instantOfLocal(local: number, time_zone: string): Instant {
  const zone = zoneOf(time_zone);
  const before = zone.offsetAt(local - DAY);
  const after = zone.offsetAt(local + DAY);
  if (before === after || zone.offsetAt(local - before) === before) return local - before;
  return zone.offsetAt(local - after) === after ? local - after : local - before;
}

/** Days since 1970-01-01 of the local date on which an instant falls. */
export const localDay = (instant: Instant, time_zone: string) => localTime(zoneOf(time_zone), instant).day;

/** The local date of a written moment; a date keeps its day whatever the zone. */
export const dayOfMoment = (moment: WrittenMoment, time_zone: string) =>
  moment.whole_day ? moment.local / DAY : localDay(instantOf(moment, time_zone), time_zone);

/** A date of the Gregorian calendar. */
export interface CalendarDate {
  readonly year: number;
  /** 1 … 12. */
  readonly month: number;
  /** 1 … 31. */
  readonly day: number;
}

// Years begin in March here, so that the leap day is the last of its year and needs no case of its own.
const DAYS_IN_400_YEARS = 146_097;
const DAYS_BEFORE_1970 = 719_468;

/** The calendar date of a day number. */
export function dateOfDay(dayNumber: number): CalendarDate {
  const shifted = dayNumber + DAYS_BEFORE_1970;
  const era = Math.floor(shifted / DAYS_IN_400_YEARS);
  const inEra = shifted - era * DAYS_IN_400_YEARS;
  const leaps = Math.floor(inEra / 1460) - Math.floor(inEra / 36_524) + Math.floor(inEra / 146_096);
  const yearInEra = Math.floor((inEra - leaps) / 365);
  const inYear = inEra - (365 * yearInEra + Math.floor(yearInEra / 4) - Math.floor(yearInEra / 100));
  const fromMarch = Math.floor((5 * inYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearInEra + era * 400 + (month <= 2 ? 1 : 0);
  return { year, month, day: inYear - Math.floor((153 * fromMarch + 2) / 5) + 1 };
}

/** The day number of a calendar date; null when the calendar has no such date. */
export function dayOfDate(year: number, month: number, day: number): number | null {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearInEra = marchYear - era * 400;
  const inYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const inEra = yearInEra * 365 + Math.floor(yearInEra / 4) - Math.floor(yearInEra / 100) + inYear;
  return era * DAYS_IN_400_YEARS + inEra - DAYS_BEFORE_1970;
}

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeapYear = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const daysInMonth = (year: number, month: number) =>
  month === 2 && isLeapYear(year) ? 29 : (MONTH_LENGTHS[month - 1] as number);

/** Whole months from one day to a later one; negative the other way round. */
export function monthsBetween(from: number, until: number): number {
  if (from > until) return -monthsBetween(until, from) || 0;
  const start = dateOfDay(from);
  const end = dateOfDay(until);
  const months = (end.year - start.year) * 12 + end.month - start.month;
  return end.day < start.day ? months - 1 : months;
}
