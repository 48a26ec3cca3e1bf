import { describe, expect, test } from "vitest";
import { Catalogue, type ProjectSettings } from "./catalogue.js";
import { KeptIndexes } from "./kept-indexes.js";
import { MetLately } from "./memory/met-lately.js";
import { PackedTexts } from "./packed-texts.js";
import { type Shelf, shelf } from "./shelf.js";
import { shelfIndex } from "./shelf-index.js";
import { ShelfView } from "./shelf-view.js";

const never = () => {
  throw new Error("not read here");
};
const numbers = shelf<number, number>({ kind: "number", page: never, byIds: never, compile: (_id, number) => number });
const project = { id: "proj_1", timezone: "UTC" } as ProjectSettings;
const nameOf = (n: number) => `n_${String(n).padStart(5, "0")}`;

const catalogueOf = (version: number, view: ShelfView<unknown>) =>
  new Catalogue(version, project, new Map<Shelf<unknown>, ShelfView<unknown>>([[numbers, view]]));

/** A project with so many numbers, and an index of those that are even; preparing one takes a while. */
function aShop(count: number, prepare_ms = 0) {
  const rows = Array.from({ length: count }, (_, n) => ({ id: nameOf(n), text: String(n) }));
  const view = new ShelfView<unknown>(numbers, { time_zone: "UTC" }, new MetLately(1e6)).packedAnew(
    PackedTexts.of(rows),
  );
  let current = catalogueOf(1, view);
  let opened = 0;
  const evens = shelfIndex<number, number, Map<string, number>>({
    over: numbers,
    create() {
      opened += 1;
      return new Map();
    },
    prepare(number) {
      for (const until = performance.now() + prepare_ms; performance.now() < until; );
      return number % 2 === 0 ? number : null;
    },
    put: (index, id, number) => index.set(id, number),
    remove: (index, id) => index.delete(id),
    entry_bytes: 100,
  });
  const indexes = new KeptIndexes(() => current);
  return {
    indexes,
    evens,
    opened: () => opened,
    /** Sets numbers, as an edit would; null: it is gone. */
    async edit(edits: ReadonlyMap<string, number | null>) {
      const found = [...edits].flatMap(([id, number]) => (number === null ? [] : { id, text: String(number) }));
      const next = catalogueOf(current.version + 1, current.shelf(numbers).after([...edits.keys()], found));
      const swap = await indexes.follow(current, next, [...edits.keys()]);
      current = next;
      swap();
    },
    expected: () =>
      new Map(
        [...current.shelf(numbers).rows()].flatMap(({ id, text }) =>
          Number(text) % 2 === 0 ? [[id, Number(text)]] : [],
        ),
      ),
  };
}

describe("an index", () => {
  test("is made once for all who ask at once, in slices that leave room for others", async () => {
    const { indexes, evens, expected, opened } = aShop(1000, 0.1);
    expect(indexes.get(evens)).toBeUndefined();
    let turns = 0;
    const watch = setInterval(() => {
      turns += 1;
    });
    await Promise.all([indexes.make(evens), indexes.make(evens)]);
    clearInterval(watch);
    expect(indexes.get(evens)).toEqual(expected());
    expect(opened()).toBe(1);
    // A hundred milliseconds of work; without slices there would be no turn at all.
    expect(turns).toBeGreaterThan(8);
    expect(indexes.bytes).toBe(1000 * 100);
  });

  test("follows edits in the turn in which the catalogue is swapped", async () => {
    const { indexes, evens, expected, edit, opened } = aShop(10);
    await indexes.make(evens);
    await edit(
      new Map([
        [nameOf(0), 1],
        [nameOf(1), 8],
        [nameOf(2), null],
        [nameOf(77), 4],
      ]),
    );
    expect(indexes.get(evens)).toEqual(expected());
    expect(expected()).toEqual(
      new Map([
        [nameOf(1), 8],
        [nameOf(4), 4],
        [nameOf(6), 6],
        [nameOf(8), 8],
        [nameOf(77), 4],
      ]),
    );
    expect(opened()).toBe(1);
  });

  test("that is being made knows what was edited meanwhile", async () => {
    const { indexes, evens, expected, edit } = aShop(500, 0.1);
    const made = indexes.make(evens);
    for (const n of [0, 250, 499])
      await edit(
        new Map([
          [nameOf(n), 1000 + n],
          [nameOf(n + 1), null],
        ]),
      );
    await made;
    expect(indexes.get(evens)).toEqual(expected());
  });

  test("is made anew, beside the answers, when one edit touches more than a turn has time for", async () => {
    const { indexes, evens, expected, edit, opened } = aShop(3000);
    await indexes.make(evens);
    await edit(new Map(Array.from({ length: 1001 }, (_, n) => [nameOf(n), 2])));
    expect(indexes.get(evens)).toBeUndefined();
    await indexes.make(evens);
    expect(indexes.get(evens)).toEqual(expected());
    expect(opened()).toBe(2);
  });
});
