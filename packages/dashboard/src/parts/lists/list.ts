import type { Column } from "../../ui/table/table.js";

/** What stands in the address of a list: what it is filtered by, its order, the row that a page begins after, and how it is shown. */
export type ListSearch = Readonly<Record<string, string>>;

/** A page of a list as the service answers it. */
export interface Listed<Row extends { id: string } = { id: string }> {
  data: readonly Row[];
  total: number;
  total_estimated?: true;
  has_more?: boolean;
}

/** A column that somebody may leave out. The first one, and those without a heading, are always there. */
export interface ListColumn<Row> extends Column<Row> {
  /** As the address and the browser know it. */
  id: string;
  /** Not there unless somebody asks for it. */
  is_extra?: true;
}

/** An address of which something may be left out. */
export type Gappy = Readonly<Record<string, string | undefined>>;

/** An address without what is not said in it. */
export const withoutGaps = (search: Gappy): ListSearch =>
  Object.fromEntries(Object.entries(search).filter((pair): pair is [string, string] => pair[1] !== undefined));
