import type { ActivityWindow } from "@guerdon/engine";
import { type Sql, sql } from "../platform/db/sql.js";

/** The five columns of a window as JSON has them in the texts of a shelf; null where none of them is set. */
export type StoredWindow = WindowColumns | null;

type WindowColumns = [
  start_date: string | null,
  expiration_date: string | null,
  validity_timeframe: ActivityWindow["validity_timeframe"],
  validity_day_of_week: ActivityWindow["validity_day_of_week"],
  validity_hours: ActivityWindow["validity_hours"],
];

/** Writes the {@link StoredWindow} of a table's row. */
export const storedWindow = (table: Sql): Sql => {
  const columns = sql`
    ${table}.start_date, ${table}.expiration_date, ${table}.validity_timeframe, ${table}.validity_day_of_week,
    ${table}.validity_hours`;
  return sql`case when num_nonnulls(${columns}) > 0 then json_build_array(${columns}) end`;
};

const never_set: WindowColumns = [null, null, null, null, null];

export function windowOfStored(stored: StoredWindow): ActivityWindow {
  const [start_date, expiration_date, validity_timeframe, validity_day_of_week, validity_hours] = stored ?? never_set;
  return {
    start_date: start_date === null ? null : Date.parse(start_date),
    expiration_date: expiration_date === null ? null : Date.parse(expiration_date),
    validity_timeframe,
    validity_day_of_week,
    validity_hours,
  };
}
