import { describe, expect, test } from "vitest";
import type { Queries } from "../platform/db/database.js";
import { sql } from "../platform/db/sql.js";
import { pageOfRows, pagesOf, rowsOf } from "./pages.js";
import type { Shelf, ShelfRow } from "./shelf.js";

const mebibyte = 2 ** 20;

/** Answers as the statement of a page would, from rows that are there. Keeps which limits were asked for. */
function aShelfOf(rows: readonly ShelfRow[]) {
  const limits: number[] = [];
  const shelf = {
    page: (_project_id: string, after_id: string, limit: number) => {
      limits.push(limit);
      return sql`${after_id} ${limit}`;
    },
  } as unknown as Shelf<unknown>;
  const queries = {
    async one({ values }: { values: readonly unknown[] }) {
      const [after, limit] = values as [string, number];
      const found = rows.filter(({ id }) => id > after).slice(0, limit);
      const length = found.reduce((sum, { text }) => sum + text.length, 0);
      const fits = length <= 2 * mebibyte || limit === 1;
      return { count: found.length, length, text: fits ? pageOfRows(found).bytes.toString() : null };
    },
  } as unknown as Queries;
  async function read() {
    const read: ShelfRow[] = [];
    const sizes: number[] = [];
    for await (const page of pagesOf(queries, "", shelf)) {
      sizes.push(page.bytes.length);
      read.push(...rowsOf(page));
    }
    return { read, sizes };
  }
  return { read, limits };
}

const someRows = (count: number, textOf: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => ({ id: `promo_${String(i).padStart(6, "0")}`, text: textOf(i) }));

describe("the pages of a shelf", () => {
  test.each([0, 1, 1999, 2000, 2001, 4000])("of %i rows hold each of them once", async (count) => {
    const rows = someRows(count, (i) => `["ä ${i}",null]`);
    expect((await aShelfOf(rows).read()).read).toEqual(rows);
  });

  test("hold at most 2 MiB, or one row", async () => {
    const rows = someRows(40, (i) => "x".repeat(i === 20 ? 3 * mebibyte : mebibyte / 4));
    const { read, sizes } = await aShelfOf(rows).read();
    expect(read).toEqual(rows);
    expect(sizes.filter((size) => size > 2.1 * mebibyte)).toHaveLength(1);
  });

  test("grow again behind rows that were large", async () => {
    const rows = someRows(5000, (i) => (i < 10 ? "x".repeat(mebibyte) : "[]"));
    const { read, limits } = aShelfOf(rows);
    expect((await read()).read).toEqual(rows);
    expect(limits.length).toBeLessThan(30);
  });
});
