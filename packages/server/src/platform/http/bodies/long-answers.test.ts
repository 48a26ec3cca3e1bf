import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { writeInSlices } from "./long-answers.js";

const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(undefined, new Date(0), Number.NaN));
const list = fc.array(value, { minLength: 8, maxLength: 14 });
const answer = fc.dictionary(fc.string(), fc.oneof(value, list), { maxKeys: 6 });

test.prop([answer])("an answer that is written row by row is the text that it is in one", async (answer) => {
  expect(await writeInSlices(answer)).toBe(JSON.stringify(answer));
});

test("lets others go on while it is written", async () => {
  const rows = Array.from({ length: 100 }, () => ({ essay: "a".repeat(500_000) }));
  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);
  await writeInSlices({ rows });
  clearInterval(others);
  expect(turns).toBeGreaterThan(3);
});
