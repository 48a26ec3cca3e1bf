import type { Instant } from "../../platform/clock.js";
import { problems } from "../../platform/http/problems.js";

/** Where something stands in time; what is of one moment has an order by id. */
export interface Moment {
  created_at: Instant;
  id: string;
}

/** What asks for the slice behind, where more was found than is shown. */
export function cursorOf(found: readonly Moment[], shown: number): string | null {
  const last = found.length > shown ? found[shown - 1] : undefined;
  return last ? `${last.created_at}.${last.id}` : null;
}

/** The last instant that a date can hold. */
const instant_max = 8_640_000_000_000_000;

/** What a cursor was made of; null where none was sent. */
export function seenAt(cursor: string | undefined): Moment | null {
  if (cursor === undefined) return null;
  const [, created_at = "", id = ""] = /^(\d{1,16})\.([\w-]{1,100})$/.exec(cursor) ?? [];
  if (id === "" || Number(created_at) > instant_max)
    throw problems.invalidQuery("Property .after is no `next` of a slice");
  return { created_at: Number(created_at), id };
}
