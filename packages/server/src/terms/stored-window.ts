import type { ActivityWindow } from "@guerdon/engine";

/** The five columns of a window as JSON has them, in the order in which a shelf's texts end with them. */
export type StoredWindow = [
  start_date: string | null,
  expiration_date: string | null,
  validity_timeframe: ActivityWindow["validity_timeframe"],
  validity_day_of_week: ActivityWindow["validity_day_of_week"],
  validity_hours: ActivityWindow["validity_hours"],
];

export const windowOfStored = ([start_date, expiration_date, ...recurring]: StoredWindow): ActivityWindow => ({
  start_date: start_date === null ? null : Date.parse(start_date),
  expiration_date: expiration_date === null ? null : Date.parse(expiration_date),
  validity_timeframe: recurring[0],
  validity_day_of_week: recurring[1],
  validity_hours: recurring[2],
});
