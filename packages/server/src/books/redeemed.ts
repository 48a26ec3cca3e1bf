import type { SingleObject } from "@guerdon/engine";
import { type Sql, sql, verbatim } from "../platform/db/sql.js";
import { type Column, fieldsBut, text } from "../platform/db/table.js";

/**
 * How redemptions of one thing are counted. By its history: whoever redeems it holds its key, so they come one after the other
 * and are looked at one by one, through an index on its column, behind what rows hold of a long history. By the day: they may be
 * millions and need no key of its own, so each moves rows of its day, of everybody and of the API key that it was made with.
 */
type Counting = "by_history" | "by_day";

/**
 * Everything that a redemption can be of, and how that is counted. Each has a column of `redemptions`, its name with `_id`: of a
 * row one of them is set, of a parent and of what nobody knows none. Whoever asks what was redeemed asks here.
 */
const redeemables = {
  voucher: "by_history",
  promotion_tier: "by_day",
} as const satisfies Record<SingleObject, Counting>;

type RedeemedColumn = `${SingleObject}_id`;

/** The columns of a redemption that say what was redeemed. */
export type RedeemedColumns = Record<RedeemedColumn, string | null>;

/** What was redeemed, by its own id. */
export interface Redeemed {
  object: SingleObject;
  id: string;
}

/** What has a history of its own. */
export type WithHistory = {
  [Name in SingleObject]: (typeof redeemables)[Name] extends "by_history" ? Name : never;
}[SingleObject];

export const hasHistory = (object: SingleObject): object is WithHistory => redeemables[object] === "by_history";

const objects = Object.keys(redeemables) as SingleObject[];
export const with_history: readonly WithHistory[] = objects.filter(hasHistory);

const columnOf = (object: SingleObject): RedeemedColumn => `${object}_id`;
const named = objects.map((object) => ({ object, column: columnOf(object) }));
const of_nothing = Object.fromEntries(named.map(({ column }) => [column, null])) as RedeemedColumns;

/** How a row names it; null: nothing was redeemed. */
export function columnsOfRedeemed(redeemed: Redeemed | null): RedeemedColumns {
  const columns = { ...of_nothing };
  // Not in the literal: a key that is found out there makes a shape of its own each time.
  if (redeemed) columns[columnOf(redeemed.object)] = redeemed.id;
  return columns;
}

/** What a row names; null for a parent, and for what nobody knows. */
export function redeemedOf(row: RedeemedColumns): Redeemed | null {
  for (const { object, column } of named) {
    const id = row[column];
    if (id !== null) return { object, id };
  }
  return null;
}

/** A redemption as far as counters want to know what it is of. */
export type CountedRow = RedeemedColumns & { campaign_id: string | null };

/** All that a redemption is counted of: what was redeemed, and its campaign. */
export const countedIds = (row: CountedRow): string[] =>
  [redeemedOf(row)?.id ?? null, row.campaign_id].filter((id) => id !== null);

/** What of that is counted by the day. */
export function countedByDay(row: CountedRow): string[] {
  const redeemed = redeemedOf(row);
  return [row.campaign_id, redeemed && !hasHistory(redeemed.object) ? redeemed.id : null].filter((id) => id !== null);
}

/** The same columns for the row's table. */
export const redeemed_columns = Object.fromEntries(named.map(({ column }) => [column, text])) as Record<
  RedeemedColumn,
  Column<string>
>;

/** And in a statement, one by one. */
export const each_redeemed: readonly Sql[] = named.map(({ column }) => sql`redemptions.${verbatim(column)}`);

/** All of them, as a list; `coalesce` of it is the one id. */
export const redeemed_fields = fieldsBut<RedeemedColumns>({ name: "redemptions", columns: redeemed_columns }, []);

/** The list with the campaign: all that a redemption is counted of. */
export const counted_fields = fieldsBut<CountedRow>(
  { name: "redemptions", columns: { ...redeemed_columns, campaign_id: text } },
  [],
);
