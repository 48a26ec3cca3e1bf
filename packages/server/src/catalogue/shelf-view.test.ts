import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MetLately } from "./memory/met-lately.js";
import { PackedTexts } from "./packed-texts.js";
import { type ShelfRow, shelf } from "./shelf.js";
import { ShelfView } from "./shelf-view.js";

const never = () => {
  throw new Error("not read here");
};

/** A shelf of numbers, telling what it compiles; those below zero cannot be read. */
function aShelf() {
  const compiled: string[] = [];
  const numbers = shelf<number, { id: string; number: number; time_zone: string }>({
    kind: "number",
    page: never,
    byIds: never,
    compile(id, number, { time_zone }) {
      compiled.push(id);
      return number < 0 ? null : { id, number, time_zone };
    },
  });
  return { numbers, compiled };
}

const rowsOf = (texts: ReadonlyMap<string, string>): ShelfRow[] =>
  [...texts]
    .map(([id, text]) => ({ id, text }))
    .sort((one, other) => Buffer.compare(Buffer.from(one.id), Buffer.from(other.id)));

function aView(numbers: Record<string, number>, bytes_max = 1e6) {
  const { numbers: of, compiled } = aShelf();
  const texts = new Map(Object.entries(numbers).map(([id, number]) => [id, String(number)]));
  const view = new ShelfView(of, { time_zone: "UTC" }, new MetLately(bytes_max)).packedAnew(
    PackedTexts.of(rowsOf(texts)),
  );
  return { view, compiled };
}

// Ids and texts of every length, also such as do not fit into what is left of a chunk, or into any.
const an_id = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const a_text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.constantFrom(1e4, 1e5, 3e5).map((length) => "x".repeat(length)),
);

describe("packed texts", () => {
  test("are found by their ids, and nothing else is", () => {
    fc.assert(
      fc.property(fc.dictionary(an_id, a_text, { noNullPrototype: true }), an_id, (kept, other) => {
        const texts = new Map(Object.entries(kept));
        const packed = PackedTexts.of(rowsOf(texts));
        expect(packed.size).toBe(texts.size);
        for (const [id, text] of texts) expect(packed.get(id)).toBe(text);
        expect(packed.get(other)).toBe(texts.get(other));
        for (const [id] of texts) expect(packed.get(`${id}\u0001`)).toBeUndefined();
        expect([...packed]).toEqual(rowsOf(texts));
      }),
    );
  });

  test("take little more than what is written, a hundred thousand of them or one", () => {
    for (const count of [1, 100_000]) {
      const rows = Array.from({ length: count }, (_, i) => ({
        id: `promo_${String(i).padStart(6, "0")}`,
        text: "x".repeat(100),
      }));
      expect(PackedTexts.of(rows).bytes).toBeLessThan(count * 125);
    }
  });

  test("that come in another order than that of their ids are a bug of the statement", () => {
    expect(() =>
      PackedTexts.of([
        { id: "b", text: "" },
        { id: "a", text: "" },
      ]),
    ).toThrow("out of order");
    expect(() =>
      PackedTexts.of([
        { id: "a", text: "" },
        { id: "a", text: "" },
      ]),
    ).toThrow("out of order");
  });
});

describe("a shelf", () => {
  const edits = fc.array(
    fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 30 }).map((n) => `n_${n}`),
        fc.option(fc.nat(9), { freq: 3 }),
      ),
      {
        minLength: 1,
        maxLength: 5,
      },
    ),
    { maxLength: 12 },
  );

  test("holds after any edits what a shelf read anew would hold, and every version before stays as it was", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.nat(30).map((n) => `n_${n}`),
          fc.nat(9),
        ),
        edits,
        async (first, batches) => {
          let { view } = aView(first);
          const kept = new Map(Object.entries(first));
          const versions = [{ view, expected: new Map(kept) }];
          for (const batch of batches) {
            for (const [id, number] of batch) {
              if (number === null) kept.delete(id);
              else kept.set(id, number);
            }
            const ids = [...new Set(batch.map(([id]) => id))];
            view = view.after(
              ids,
              ids.flatMap((id) => (kept.has(id) ? { id, text: String(kept.get(id)) } : [])),
            );
            versions.push({ view, expected: new Map(kept) });
          }
          const from = versions[Math.floor(versions.length / 2)]?.view as typeof view;
          const repacked = view.rebased(from, await from.repacked(() => undefined));
          versions.push({ view: repacked, expected: kept });
          for (const { view, expected } of versions) {
            expect(view.size).toBe(expected.size);
            for (let n = 0; n <= 30; n += 1) expect(view.get(`n_${n}`)?.number).toBe(expected.get(`n_${n}`));
            expect(new Map([...view.rows()].map(({ id, text }) => [id, Number(text)]))).toEqual(expected);
          }
        },
      ),
    );
  });

  test("compiles what is met, once", () => {
    const { view, compiled } = aView({ a: 1, b: 2, c: -1 });
    expect(compiled).toEqual([]);
    expect(view.get("a")).toBe(view.get("a"));
    expect([view.get("c"), view.get("c"), view.get("d")]).toEqual([undefined, undefined, undefined]);
    expect(compiled).toEqual(["a", "c"]);
  });

  test("forgets what was compiled longest ago when too much was met since", () => {
    const { view, compiled } = aView({ a: 1, b: 2, c: 3 }, 500);
    const first = view.get("a");
    for (const id of ["b", "c", "a"]) view.get(id);
    expect(compiled).toEqual(["a", "b", "c", "a"]);
    expect(view.get("a")).toEqual(first);
  });

  test("keeps through an edit what is compiled, but for what was edited", () => {
    const { view, compiled } = aView({ a: 1, b: 2 });
    const [a, b] = [view.get("a"), view.get("b")];
    const next = view.after(["a"], [{ id: "a", text: "5" }]);
    expect(next.get("b")).toBe(b);
    expect([next.get("a")?.number, view.get("a")]).toEqual([5, a]);
    expect(compiled).toEqual(["a", "b", "a", "a"]);
  });

  test("counts what edits take, and is packed again once they are a fair part of it", () => {
    const numbers = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`n_${String(i).padStart(4, "0")}`, i]));
    let { view } = aView(numbers);
    const packed_bytes = view.bytes;
    const ids = Object.keys(numbers).slice(0, 1001);
    for (let times = 0; times < 3; times += 1)
      view = view.after(
        ids,
        ids.map((id) => ({ id, text: "7" })),
      );
    expect(view.is_ragged).toBe(true);
    expect(view.bytes - packed_bytes).toBe(1001 * (150 + 6 + 1));
  });
});
