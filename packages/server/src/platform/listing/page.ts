import { problems } from "../http/problems.js";

/** Which slice of a list to read. */
export interface Page {
  limit: number;
  offset: number;
  /** Only what comes after this record in the order of the list. */
  after_id?: string;
}

/** Rows of a list whose request says no limit; a few of the dashboard's have twice as many. */
export const limit_unless_given = 10;

/** The slice that `limit` and `page` or `starting_after_id` name. */
export function pageOf({
  limit = limit_unless_given,
  page = 1,
  starting_after_id,
}: {
  limit?: number;
  page?: number;
  starting_after_id?: string;
}): Page {
  if (starting_after_id === undefined) return { limit, offset: (page - 1) * limit };
  if (page !== 1) throw problems.invalidQuery("Property .page cannot be combined with .starting_after_id");
  return { limit, offset: 0, after_id: starting_after_id };
}
