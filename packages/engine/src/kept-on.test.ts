import { describe, expect, it } from "vitest";
import { KeptOn, oncePer } from "./kept-on.js";

describe("what is kept on an object", () => {
  const names = new KeptOn<object, string>();

  it("is found on that object alone, and apart from what others keep there", () => {
    const line = { price: 100 };
    const others = new KeptOn<object, string>();
    names.keep(line, "shirt");
    others.keep(line, "trousers");
    expect([names.of(line), others.of(line), names.of({ price: 100 })]).toEqual(["shirt", "trousers", undefined]);
  });

  it("is what was kept last", () => {
    const line = {};
    names.keep(line, "shirt");
    names.keep(line, "hat");
    expect(names.of(line)).toBe("hat");
  });

  it("belongs to no copy, since a copy may say otherwise, and stands in no text", () => {
    const lines = Object.assign([{ price: 100 }], { said: true });
    names.keep(lines, "shirt");
    for (const copy of [{ ...lines }, [...lines], structuredClone(lines)]) expect(names.of(copy)).toBe(undefined);
    expect(JSON.stringify(lines)).toBe('[{"price":100}]');
    expect(Object.keys(lines)).toEqual(["0", "said"]);
  });
});

describe("what is made once of an object", () => {
  it("is the same of the same object, and another of another", () => {
    let made = 0;
    const sizeOf = oncePer((list: readonly number[]) => {
      made += 1;
      return { size: list.length, made };
    });
    const [one, other] = [
      [1, 2],
      [1, 2],
    ];
    expect(sizeOf(one)).toBe(sizeOf(one));
    expect([sizeOf(one), sizeOf(other)]).toEqual([
      { size: 2, made: 1 },
      { size: 2, made: 2 },
    ]);
  });

  it("is tried again where it could not be made", () => {
    let tries = 0;
    const open = oncePer((_door: object) => {
      tries += 1;
      if (tries === 1) throw new Error("locked");
      return { tries };
    });
    const door = {};
    expect(() => open(door)).toThrow("locked");
    expect(open(door)).toEqual({ tries: 2 });
  });
});
