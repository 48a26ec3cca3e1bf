import fc from "fast-check";
import { expect, test } from "vitest";
import { bitsOf, signatureOf } from "./signature.js";

const isIn = (signature: Buffer, bit: number) => ((signature[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
const mayHold = (signature: Buffer, part: string) => bitsOf(part).every((bit) => isIn(signature, bit));

test("a page may hold every part of its codes, whatever they are made of", () => {
  const code = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter((text) => !text.includes("\n"));
  fc.assert(
    fc.property(fc.array(code, { minLength: 1, maxLength: 64 }), fc.nat(), fc.nat(), (codes, from, length) => {
      const keys = codes.map((one) => `${one}\n`).join("");
      const start = from % keys.length;
      expect(mayHold(signatureOf(keys), keys.slice(start, start + 1 + (length % 20)))).toBe(true);
    }),
  );
});

test("a page of common codes is passed over by nearly all parts of four characters that it does not hold", () => {
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  let state = 1;
  const random = (length: number) =>
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return letters[state >>> 27];
    }).join("");
  const keys = Array.from({ length: 64 }, () => `${random(8)}\n`).join("");
  const signature = signatureOf(keys);
  const parts = Array.from({ length: 2_000 }, () => random(4)).filter((part) => !keys.includes(part));
  expect(parts.filter((part) => mayHold(signature, part)).length / parts.length).toBeLessThan(0.08);
});

test("a part of fewer than three characters says nothing, and a long one is asked by its end", () => {
  expect(bitsOf("AB")).toEqual([]);
  expect(bitsOf("SPRING-AND-SUMMER-7").length).toBeLessThanOrEqual(8);
  expect(bitsOf("CODE-CODE-CODE-CODE-7")[0]).not.toBe(bitsOf("CODE-CODE-CODE-CODE-8")[0]);
});
