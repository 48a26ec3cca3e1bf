import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Companies } from "./together.js";

/** Groups of names like `a1`, `b2`, by their letter. What is under way ends when the test says so. */
function someCompanies(at_once: number) {
  const gone: string[][] = [];
  const ends: (() => void)[] = [];
  const companies = new Companies<string>({
    at_once,
    sizeOf: (waiting) => Math.min(30, waiting.length),
    go: (together) => new Promise((end) => ends.push(end) && gone.push([...together])),
  });
  const join = (...names: string[]) => {
    for (const name of names) companies.join(name.slice(0, 1), name);
    return pause(1);
  };
  return { companies, gone, ends, join, sizes: () => gone.map(({ length }) => length) };
}

const many = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i}`);

describe("those who go together", () => {
  test("are those of one group who come in one turn of the event loop", async () => {
    const { join, gone } = someCompanies(2);
    await join("a1", "b1", "a2");
    expect(gone).toEqual([["a1", "a2"], ["b1"]]);
  });

  test("are followed at once by whoever came meanwhile, in their order", async () => {
    const { join, gone, ends } = someCompanies(1);
    await join("a1");
    await join("a2", "a3");
    expect(gone).toEqual([["a1"]]);
    ends[0]?.();
    await pause(1);
    expect(gone).toEqual([["a1"], ["a2", "a3"]]);
  });

  test("have others beside them where a crowd waits, and no more than may go at once", async () => {
    const { join, sizes } = someCompanies(2);
    await join("a1");
    await join(...many("a", 24));
    expect(sizes()).toEqual([1, 24]);
    await join(...many("a", 40));
    expect(sizes()).toEqual([1, 24]);
  });

  test("have a few beside them after a while, so that nobody waits for what is slow", async () => {
    const { join, sizes } = someCompanies(2);
    await join("a1");
    await join("a2");
    await expect.poll(sizes).toEqual([1, 1]);
  });

  test("have a few beside them after a while also where there was no room before", async () => {
    const { join, sizes, ends } = someCompanies(2);
    await join("a1");
    await join(...many("a", 24));
    await join("a2", "a3");
    ends[1]?.();
    await expect.poll(sizes).toEqual([1, 24, 2]);
  });

  test("are as many as their size allows", async () => {
    const { join, sizes, ends } = someCompanies(1);
    await join(...many("a", 40));
    ends[0]?.();
    await pause(1);
    expect(sizes()).toEqual([30, 10]);
  });

  test("leave nothing behind", async () => {
    const { companies, join, ends } = someCompanies(2);
    await join("a1");
    ends[0]?.();
    await pause(1);
    expect(companies.waiting("a")).toBe(0);
    expect(Reflect.get(companies, "groups")).toEqual(new Map());
  });
});
