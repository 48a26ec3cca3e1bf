const formats = new Map<string, Intl.DateTimeFormat>();

function formatter(locale: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + timeZone + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  formats.set(key, format);
  return format;
}

/** Dates as a project shows them: in its own zone. */
export interface Dates {
  /** `4 Nov 2026` */
  day(iso: string): string;
  /** `4 Nov 2026, 11:03` */
  minute(iso: string): string;
  /** `14:32:08` */
  time(iso: string): string;
  /** `Today 14:32:08`, `20 Nov, 09:00:14` */
  moment(iso: string): string;
  /** `6 Nov – 1 Dec 2026` */
  range(from: string | null | undefined, to: string | null | undefined): string;
  /** `2026-11-04`, a day of some calendar, as `4 Nov`, or in full as `Wed 4 Nov 2026`. */
  calendarDay(day: string, length?: "full"): string;
  /** The day in the zone, as `2026-11-04`. */
  key(iso: string): string;
}

export function datesOf(timezone: string, locale: string, today: () => Date = () => new Date()): Dates {
  const zone = known(timezone);
  const day = formatter(locale, zone, { day: "numeric", month: "short", year: "numeric" });
  const short = formatter(locale, zone, { day: "numeric", month: "short" });
  const minute = formatter(locale, zone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const second = formatter(locale, zone, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
  const key = formatter("en-CA", zone, { year: "numeric", month: "2-digit", day: "2-digit" });
  const noYear = formatter(locale, "UTC", { day: "numeric", month: "short" });
  const full = formatter(locale, "UTC", { weekday: "short", day: "numeric", month: "short", year: "numeric" });
  const keyOf = (date: Date) => key.format(date);
  return {
    day: (iso) => day.format(new Date(iso)),
    minute: (iso) => `${day.format(new Date(iso))}, ${minute.format(new Date(iso))}`,
    time: (iso) => second.format(new Date(iso)),
    moment: (iso) => {
      const date = new Date(iso);
      const now = today();
      if (keyOf(date) === keyOf(now)) return `Today ${second.format(date)}`;
      const is_same_year = keyOf(date).slice(0, 4) === keyOf(now).slice(0, 4);
      return `${(is_same_year ? short : day).format(date)}, ${second.format(date)}`;
    },
    range: (from, to) => {
      if (from && to) return day.formatRange(new Date(from), new Date(to)).replaceAll("\u2009", " ");
      if (from) return `From ${day.format(new Date(from))}`;
      return to ? `Until ${day.format(new Date(to))}` : "";
    },
    calendarDay: (day, length) => (length ? full : noYear).format(new Date(`${day}T00:00:00Z`)),
    key: (iso) => keyOf(new Date(iso)),
  };
}

/** A zone that the browser has; an older one may not know the newest. */
function known(timezone: string): string {
  try {
    return formatter("en", timezone, {}).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}
