import { type ActivityWindow, checkWindow } from "@guerdon/engine";
import Type, { type Static } from "typebox";
import { isoOf } from "../platform/clock.js";
import { type Columns, int4s, jsonb, timestamptz } from "../platform/db/table.js";
import { instantOrNull } from "../platform/http/dates.js";
import { dateTime, named, nullable, text } from "../platform/http/schema.js";
import { faultProblem, type Refused } from "./input-faults.js";

const weekday = Type.Integer({ minimum: 0, maximum: 6, description: "0 is Sunday." });
const Timeframe = named("ValidityTimeframe", Type.Object({ duration: text(), interval: text() }));
const Weekdays = named("ValidityDayOfWeek", Type.Array(weekday, { maxItems: 100 }));
const Hours = named(
  "ValidityHours",
  Type.Object({
    daily: Type.Array(
      Type.Object({
        start_time: Type.String({ maxLength: 16 }),
        expiration_time: Type.String({ maxLength: 16 }),
        days_of_week: Type.Optional(Weekdays),
      }),
      { maxItems: 200 },
    ),
  }),
);

/** The fields that say when something is switched on, as sent: absent is unchanged, null clears. */
export const window_input = {
  start_date: Type.Optional(nullable(dateTime())),
  expiration_date: Type.Optional(nullable(dateTime())),
  validity_timeframe: Type.Optional(nullable(Timeframe)),
  validity_day_of_week: Type.Optional(nullable(Weekdays)),
  validity_hours: Type.Optional(nullable(Hours)),
};
const WindowInput = Type.Object(window_input);
export type WindowInput = Static<typeof WindowInput>;

/** The same fields as answered; what is not set is left out. */
export const window_body = {
  start_date: Type.Optional(dateTime()),
  expiration_date: Type.Optional(dateTime()),
  validity_timeframe: Type.Optional(Timeframe),
  validity_day_of_week: Type.Optional(Weekdays),
  validity_hours: Type.Optional(Hours),
};
const WindowBody = Type.Object(window_body);
type WindowBody = Static<typeof WindowBody>;

/** The window of anything that has one, without the rest. */
export function windowOf(window: ActivityWindow): ActivityWindow {
  const { start_date, expiration_date, validity_timeframe, validity_day_of_week, validity_hours } = window;
  return { start_date, expiration_date, validity_timeframe, validity_day_of_week, validity_hours };
}

/**
 * The stored window with what was sent laid over it, checked as a whole, since parts that are right alone may be wrong
 * together (vouchers-and-campaigns.md §4). `at` leads to it in the body.
 */
export function readWindow(input: WindowInput, stored: ActivityWindow, object: Refused, at = "."): ActivityWindow {
  const { start_date, expiration_date } = input;
  const window: ActivityWindow = {
    start_date: start_date === undefined ? stored.start_date : instantOrNull(start_date),
    expiration_date: expiration_date === undefined ? stored.expiration_date : instantOrNull(expiration_date),
    validity_timeframe: laidOver(input.validity_timeframe, stored.validity_timeframe, ({ duration, interval }) => ({
      duration,
      interval,
    })),
    validity_day_of_week: laidOver(input.validity_day_of_week, stored.validity_day_of_week, (days) => [
      ...new Set(days),
    ]),
    validity_hours: laidOver(input.validity_hours, stored.validity_hours, dailyHours),
  };
  const fault = checkWindow(window);
  if (fault) throw faultProblem(object, at, fault);
  return window;
}

function laidOver<Sent, Stored>(
  sent: Sent | null | undefined,
  stored: Stored,
  read: (sent: Sent) => Stored,
): Stored | null {
  if (sent === undefined) return stored;
  return sent === null ? null : read(sent);
}

function dailyHours({ daily }: NonNullable<WindowInput["validity_hours"]>): ActivityWindow["validity_hours"] {
  return {
    daily: daily.map(({ start_time, expiration_time, days_of_week }) => ({
      start_time,
      expiration_time,
      ...(days_of_week === undefined ? {} : { days_of_week }),
    })),
  };
}

/** A stored window as answered. */
export function toWindowBody(window: ActivityWindow): WindowBody {
  const { start_date, expiration_date, validity_timeframe, validity_day_of_week, validity_hours } = window;
  return {
    ...(start_date === null ? {} : { start_date: isoOf(start_date) }),
    ...(expiration_date === null ? {} : { expiration_date: isoOf(expiration_date) }),
    ...(validity_timeframe === null ? {} : { validity_timeframe }),
    ...(validity_day_of_week === null ? {} : { validity_day_of_week: [...validity_day_of_week] }),
    ...(validity_hours === null ? {} : { validity_hours: hoursBody(validity_hours) }),
  };
}

function hoursBody({
  daily,
}: NonNullable<ActivityWindow["validity_hours"]>): NonNullable<WindowBody["validity_hours"]> {
  const copyOf = (days: readonly number[] | null | undefined) => (days ? [...days] : undefined);
  return { daily: daily.map((hours) => ({ ...hours, days_of_week: copyOf(hours.days_of_week) })) };
}

/** The columns of a window in whatever table has one. */
export const window_columns = {
  start_date: timestamptz,
  expiration_date: timestamptz,
  validity_timeframe: jsonb,
  validity_day_of_week: int4s,
  validity_hours: jsonb,
} satisfies Columns<ActivityWindow>;

export const window_names = Object.keys(window_columns) as (keyof ActivityWindow)[];
