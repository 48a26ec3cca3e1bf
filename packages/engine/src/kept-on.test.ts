import { describe, expect, it } from "vitest";
import { KeptOn } from "./kept-on.js";

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
    expect([names.of({ ...lines }), names.of([...lines]), names.of(structuredClone(lines))]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
    expect(JSON.stringify(lines)).toBe('[{"price":100}]');
    expect(Object.keys(lines)).toEqual(["0", "said"]);
  });
});
