import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { serialise, writeInSlices, writtenAhead } from "./long-answers.js";

const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(undefined, new Date(0), Number.NaN));
const list = fc.array(value, { minLength: 8, maxLength: 14 });
/** As deep as the lines of an order that a redeemable shows, and deeper. */
const nested = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 6 },
    value,
    list,
    fc.array(tie("node"), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie("node")),
  ),
})).node;
const answer = fc.dictionary(fc.string(), fc.oneof(value, list, nested), { maxKeys: 6 });

test.prop([answer])("an answer that is written row by row is the text that it is in one", async (answer) => {
  expect(await writeInSlices(answer)).toBe(JSON.stringify(answer));
});

test("a large one is its bytes", async () => {
  const rows = Array.from({ length: 11 }, (_, i) => ({ essay: "ż𝒳".repeat(10_000), i }));
  const answer = { object: "list", rows, nothing: undefined, total: 11 };
  expect(await writeInSlices(answer)).toEqual(Buffer.from(JSON.stringify(answer)));
});

/** How often a row is written, when an answer of so many is written ahead, and then sent. */
function writings(rows: number) {
  let written = 0;
  const row = {
    toJSON() {
      written += 1;
      return "row";
    },
  };
  const answer = { rows: Array.from({ length: rows }, () => row) };
  writtenAhead(answer);
  const ahead = written;
  const text = serialise(answer);
  return { ahead, in_all: written, text };
}

test("one that is written ahead is sent as it was written", () => {
  expect(writings(1)).toEqual({ ahead: 1, in_all: 1, text: '{"rows":["row"]}' });
});

test("one with a long list is not written ahead", () => {
  expect(writings(11)).toMatchObject({ ahead: 0, in_all: 11 });
});

const rows = Array.from({ length: 100 }, () => ({ essay: "a".repeat(500_000) }));

test.each([
  ["rows", { rows }],
  ["lines of the order that a redeemable shows", { redeemables: [{ order: { items: rows } }] }],
])("lets others go on while its %s are written", async (_, answer) => {
  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);
  await writeInSlices(answer);
  clearInterval(others);
  expect(turns).toBeGreaterThan(3);
});
