import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { holdsText, timesSearched } from "./texts.js";

const of_few_letters = (most: number) => fc.string({ unit: fc.constantFrom("a", "b"), maxLength: most });

describe("a text that is looked for in another", () => {
  test.prop([of_few_letters(600), of_few_letters(40)])("is found where it is, and nowhere else", (text, wanted) => {
    expect(holdsText(text, wanted)).toBe(text.includes(wanted));
  });

  test.prop([of_few_letters(400), fc.nat(600), fc.nat(60)])("is found wherever it stands", (around, at, length) => {
    const text = around + around;
    const wanted = text.slice(at, at + length);
    expect(holdsText(text, wanted)).toBe(true);
    expect(holdsText(text, `${wanted}c`)).toBe(false);
  });

  test("costs what both are long, whatever they repeat", () => {
    const text = "a".repeat(65_000);
    const wanted = Array.from({ length: 12 }, (_, i) => `${"a".repeat(10_000 + i)}b${"a".repeat(10_000)}`);
    // The best of five: the processor's time of a run counts what compiles and collects beside it.
    const times_ms = Array.from({ length: 5 }, () => {
      const begun = process.cpuUsage();
      for (const one of wanted) expect(holdsText(text, one)).toBe(false);
      const { user, system } = process.cpuUsage(begun);
      return (user + system) / 1000;
    });
    // With `includes` 3 s on the machine where this takes 20 ms.
    expect(Math.min(...times_ms)).toBeLessThan(500);
  });

  test("is four times the work where it is more than a word", () => {
    expect(timesSearched(["red", "w".repeat(16), "x".repeat(17)])).toBe(6);
  });
});
