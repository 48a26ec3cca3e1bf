import { problems } from "../http/problems.js";

/** Which slice of a list to read. */
export interface Page {
  limit: number;
  offset: number;
  /** Only what comes after this record in the order of the list. */
  after_id?: string;
}

/** The slice that `limit` and `page` or `starting_after_id` name; ten rows unless said otherwise. */
export function pageOf({
  limit = 10,
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
